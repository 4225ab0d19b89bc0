/** Proves how keys move a player between the facts of a record, and how long it waits between them. */
import { expect, test } from "vitest";
import { delayBefore, type Frame, indexOfSeq, moveBy, type PlayerState } from "./frames.ts";
import { readKeys } from "./player-keys.ts";

const frames: readonly Frame[] = [
  { seq: 2, time: 1_000, text: "two\n" },
  { seq: 5, time: 1_400, text: "five\n" },
  { seq: 9, time: 90_000, text: "nine\n" },
];
const playing: PlayerState = { next: 1, isPaused: false, typed: "" };

/** The keys one after the other: the last state, and what was shown on the way. */
function press(keys: string, from: PlayerState = playing) {
  let state = from;
  const shown: (readonly [number, boolean])[] = [];
  for (const key of readKeys(keys)) {
    if (key === "quit" || key === "interrupt") return { state, shown, end: key };
    const move = moveBy(key, state, frames);
    state = move.state;
    if (move.show !== undefined) shown.push([move.show.index, move.show.isJump]);
  }
  return { state, shown };
}

test("a pause and what follows it", () => {
  expect(press(" ")).toEqual({ state: { next: 1, isPaused: true, typed: "" }, shown: [] });
  expect(press("  ")).toEqual({ state: playing, shown: [] });
});

test("steps hold the playing, and stop at both ends", () => {
  const atEnd = { next: 3, isPaused: true, typed: "" };
  expect(press("n\u001b[Cn")).toEqual({
    state: atEnd,
    shown: [
      [1, false],
      [2, false],
    ],
  });
  expect(press("p\u001bOD\u001b[D", atEnd)).toEqual({
    state: { next: 1, isPaused: true, typed: "" },
    shown: [
      [1, true],
      [0, true],
      [0, true],
    ],
  });
});

test("a number goes to that fact, to the next one that is shown, or to the last", () => {
  expect(press("5\r")).toEqual({ state: { next: 2, isPaused: false, typed: "" }, shown: [[1, true]] });
  expect(press("3\n").shown).toEqual([[1, true]]);
  expect(press("999\r").shown).toEqual([[2, true]]);
  expect(press("12\u007f\u007f2\r").shown).toEqual([[0, true]]);
  expect(press("12\u001b\r")).toEqual({ state: playing, shown: [] });
  expect(press("1234567890123").state.typed).toBe("123456789");
  expect(moveBy("enter", { ...playing, typed: "4" }, [])).toEqual({ state: playing });
});

test("q, the end of input and Ctrl+C end it; other keys do nothing", () => {
  expect(press("xyz\u001b[5~q")).toEqual({ state: playing, shown: [], end: "quit" });
  expect(press("\u0004").end).toBe("quit");
  expect(press("\u0003").end).toBe("interrupt");
});

test("waits as long as it was, divided by the speed, and never long", () => {
  expect([0, 1, 2, 3].map((index) => delayBefore(frames, index, 1))).toEqual([0, 400, 5_000, 0]);
  expect(delayBefore(frames, 1, 4)).toBe(100);
});

test("a record begins with any fact", () => {
  expect([1, 2, 3, 9, 10].map((seq) => indexOfSeq(seq, frames))).toEqual([0, 0, 1, 2, 3]);
});
