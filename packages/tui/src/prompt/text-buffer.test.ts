import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { type BufferAction, createTextBuffer } from "./text-buffer.ts";

const family = "👨‍👩‍👧‍👦";
const flag = "🇨🇭";
const accented = "e\u0301";

/** The text with a bar where the cursor stands. */
function bufferOf(marked: string, now = () => 0) {
  const buffer = createTextBuffer({ now });
  buffer.reset(marked.replace("|", ""), (text) => text);
  buffer.moveTo(marked.indexOf("|"));
  const shown = () => `${buffer.text().slice(0, buffer.cursor())}|${buffer.text().slice(buffer.cursor())}`;
  const acted = (...actions: readonly BufferAction[]) => {
    for (const action of actions) buffer.act(action);
    return shown();
  };
  return { buffer, shown, acted };
}

test.each<readonly [string, BufferAction, string]>([
  ["ab|c", "left", "a|bc"],
  [`a${family}|b`, "left", `a|${family}b`],
  [`a|${family}b`, "right", `a${family}|b`],
  [`${flag}${flag}|`, "left", `${flag}|${flag}`],
  [`|${accented}x`, "right", `${accented}|x`],
  [`x${accented}|`, "eraseLeft", "x|"],
  [`a${family}|b`, "eraseLeft", "a|b"],
  [`${flag}|${flag}x`, "eraseRight", `${flag}|x`],
  ["漢字|", "eraseLeft", "漢|"],
  ["a\n|b", "left", "a|\nb"],
  ["say hello-world|", "wordLeft", "say hello-|world"],
  ["say |hello-world", "wordRight", "say hello|-world"],
  ["one  |", "wordLeft", "|one  "],
  ["これは日本語です|", "wordLeft", "これは日本語|です"],
  ["|日本語です", "wordRight", "日本語|です"],
  ["a\nbc|d\ne", "lineStart", "a\n|bcd\ne"],
  ["a\nb|cd\ne", "lineEnd", "a\nbcd|\ne"],
  ["a\nb|c", "textStart", "|a\nbc"],
  ["a|\nbc", "textEnd", "a\nbc|"],
  ["git add src/a.ts|", "killBlankLeft", "git add |"],
  ["src/a.ts|", "killWordLeft", "src/a.|"],
  ["|one two", "killWordRight", "| two"],
  ["a\nbc|d", "killToLineStart", "a\n|d"],
  ["a\n|d", "killToLineStart", "a|d"],
  ["a|b\nc", "killToLineEnd", "a|\nc"],
  ["a|\nc", "killToLineEnd", "a|c"],
  ["|", "left", "|"],
  ["|", "eraseLeft", "|"],
  ["|", "eraseRight", "|"],
])("%j %s gives %j", (before, action, after) => {
  expect(bufferOf(before).acted(action)).toBe(after);
});

test("cuts one after the other are one text, which comes back as a whole", () => {
  const { acted } = bufferOf("one two three|");
  expect(acted("killBlankLeft", "killBlankLeft", "yank")).toBe("one two three|");
  const lines = bufferOf("a|b\ncd");
  expect(lines.acted("killToLineEnd", "killToLineEnd", "textEnd", "yank")).toBe("acdb\n|");
});

test("an older cut takes the place of the one just put back, around the ring", () => {
  const { buffer, acted } = bufferOf("one two|");
  expect(acted("killBlankLeft", "left", "textEnd", "killBlankLeft")).toBe("|");
  expect(acted("yank")).toBe("one |");
  expect(acted("yankOlder")).toBe("two|");
  expect(acted("yankOlder")).toBe("one |");
  buffer.insert("x", { isTyped: true });
  expect(acted("yankOlder")).toBe("one x|");
});

test("typing is taken back by words, and done again", () => {
  const { buffer, acted, shown } = bufferOf("|");
  for (const letter of "fix the bug") buffer.insert(letter, { isTyped: true });
  expect(acted("undo")).toBe("fix the |");
  expect(acted("undo")).toBe("fix |");
  expect(acted("redo")).toBe("fix the |");
  expect(acted("undo", "undo", "undo")).toBe("|");
  expect(acted("redo", "redo", "redo", "redo")).toBe("fix the bug|");
  acted("undo");
  buffer.insert("!", { isTyped: true });
  expect(acted("redo")).toBe("fix the !|");
  expect(shown()).toBe("fix the !|");
});

test("erasing in one go, a move and a rest are the edges of steps", () => {
  let time = 0;
  const { buffer, acted } = bufferOf("abcd|", () => time);
  expect(acted("eraseLeft", "eraseLeft", "eraseLeft")).toBe("a|");
  expect(acted("undo")).toBe("abcd|");
  buffer.insert("1", { isTyped: true });
  time = 5_000;
  buffer.insert("2", { isTyped: true });
  expect(acted("undo")).toBe("abcd1|");
  acted("left", "right");
  buffer.insert("3", { isTyped: true });
  expect(acted("undo")).toBe("abcd1|");
});

test("a new text is one step, and only what differs is replaced", () => {
  const { buffer, acted } = bufferOf("one two three|");
  buffer.setText("one 2 three", 4);
  expect(acted()).toBe("one |2 three");
  expect(acted("undo")).toBe("one two three|");
});

test("a replaced part moves the cursor behind it along", () => {
  const { buffer, shown } = bufferOf("ab cd|");
  buffer.replace({ start: 0, end: 2 }, "long");
  expect(shown()).toBe("long cd|");
});

test("a mark typed behind a letter joins it", () => {
  const { buffer, acted } = bufferOf("e|x");
  buffer.insert("\u0301", { isTyped: true });
  expect(acted()).toBe("e\u0301|x");
  expect(acted("eraseLeft")).toBe("|x");
});

test("random edits keep the cursor on a boundary, and taking all back gives the first text", () => {
  const random = createSeededRandom();
  const pieces = [
    "a",
    "b ",
    " ",
    "\n",
    "漢",
    "かな",
    family,
    flag,
    accented,
    "\u0301",
    "\u200d",
    "\u0600",
    "👍🏽",
    "x.y/z",
    "\t",
  ];
  const actions: readonly BufferAction[] = [
    ...["left", "right", "wordLeft", "wordRight", "lineStart", "lineEnd", "textStart", "textEnd"],
    ...["eraseLeft", "eraseRight", "killWordLeft", "killBlankLeft", "killWordRight", "killToLineStart"],
    ...["killToLineEnd", "yank", "yankOlder", "undo", "redo"],
  ] as const;
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (let round = 0; round < 60; round += 1) {
    const buffer = createTextBuffer({ now: () => round });
    for (let step = 0; step < 120; step += 1) {
      const piece = pieces[random.below(pieces.length)] ?? "";
      const action = actions[random.below(actions.length)] ?? "left";
      if (random.below(2) === 0) buffer.insert(piece, { isTyped: random.below(2) === 0 });
      else buffer.act(action);
      const text = buffer.text();
      const boundaries = new Set([...Array.from(segmenter.segment(text), ({ index }) => index), text.length]);
      expect(
        boundaries.has(buffer.cursor()),
        `seed ${random.seed}: ${JSON.stringify(text)} at ${buffer.cursor()}`,
      ).toBe(true);
    }
    while (buffer.act("redo"));
    const last = buffer.text();
    while (buffer.act("undo"));
    expect(buffer.text(), `seed ${random.seed}`).toBe("");
    while (buffer.act("redo"));
    expect(buffer.text(), `seed ${random.seed}`).toBe(last);
  }
});
