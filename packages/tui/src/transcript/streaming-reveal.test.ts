/** How fast text appears, counted in whole characters as people see them. */
import { expect, test } from "vitest";
import { createReveal } from "./streaming-reveal.ts";

function start(isOn = true) {
  let time = 1_000;
  const reveal = createReveal({ isOn: () => isOn, now: () => time });
  const frame = () => {
    time = reveal.nextFrameAt() ?? time;
  };
  const wait = (ms: number) => {
    time += ms;
  };
  return { reveal, frame, wait, shown: (text: string, isEnded = false) => reveal.shown("part", text, { isEnded }) };
}

test("at least three characters a frame, and nothing between frames", () => {
  const { reveal, frame, wait, shown } = start();
  expect(shown("abcdefgh")).toBe("abc");
  wait(20);
  expect(shown("abcdefgh")).toBe("abc");
  expect(reveal.nextFrameAt()).toBe(1_033);
  frame();
  expect(shown("abcdefgh")).toBe("abcdef");
  frame();
  expect(shown("abcdefgh")).toBe("abcdefgh");
  expect(reveal.nextFrameAt()).toBe(undefined);
});

test("of a long backlog an eighth a frame", () => {
  const { frame, shown } = start();
  const text = "x".repeat(800);
  expect(shown(text)).toHaveLength(100);
  frame();
  expect(shown(text)).toHaveLength(188);
});

test("characters made of several code points are never taken apart", () => {
  const { frame, shown } = start();
  const family = "👨‍👩‍👧";
  const text = `${family.repeat(4)}e\u0301`;
  expect(shown(text)).toBe(family.repeat(3));
  frame();
  expect(shown(text)).toBe(text);
});

test("a character that grows at the end of what waits is counted anew", () => {
  const { frame, shown } = start();
  expect(shown("abcde")).toBe("abc");
  frame();
  expect(shown("abcde\u0301fgh")).toBe("abcde\u0301f");
  frame();
  expect(shown("abcde\u0301fgh")).toBe("abcde\u0301fgh");
});

test("after a pause some frames are made up for", () => {
  const { wait, shown } = start();
  expect(shown("abcdefghijkl")).toBe("abc");
  wait(70);
  expect(shown("abcdefghijkl")).toBe("abcdefghi");
});

test("the end shows all, and so does switching it off", () => {
  expect(start().shown("abcdefgh", true)).toBe("abcdefgh");
  expect(start(false).shown("abcdefgh")).toBe("abcdefgh");
});

test("a text that was replaced is shown whole", () => {
  const { shown } = start();
  expect(shown("abcdefgh")).toBe("abc");
  expect(shown("another one")).toBe("another one");
});
