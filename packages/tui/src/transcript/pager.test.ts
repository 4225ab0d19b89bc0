/** Scrolling and searching in a long text. */
import { expect, test } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { plainLines } from "../../test/transcript-samples.ts";
import type { Key } from "../screen/input.ts";
import { createPager } from "./pager.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

function open(text: string, { width = 40, height = 5 } = {}) {
  const closings: string[] = [];
  const theme = bareTheme();
  const pager = createPager({
    title: "list\n.",
    content: { text },
    theme: () => theme,
    onClosed: () => closings.push("closed"),
  });
  const press = (name: string, given: Partial<Key> = {}) => {
    const isPrinted = [...name].length === 1;
    const text = isPrinted ? { text: name } : {};
    const key: Key = {
      name: isPrinted ? name.toLowerCase() : name,
      ctrl: false,
      alt: false,
      shift: false,
      meta: false,
      ...text,
      ...given,
    };
    return pager.handle({ kind: "key", key });
  };
  const lines = () => plainLines(pager.render(width, height));
  lines();
  return { pager, press, lines, closings };
}

test("shows a page of it and where that is", () => {
  const { pager, lines } = open(numbered(20));
  expect(pager.title).toBe("list .");
  expect(lines()).toEqual(["  line 1", "  line 2", "  line 3", "  line 4", "1-4 of 20 · 20 % · / search · esc close"]);
  expect(pager.render(40, 5)).toBe(pager.render(40, 5));
});

test("scrolls by line, page and to both ends", () => {
  const { press, lines } = open(numbered(20));
  const top = () => lines()[0];
  press("down");
  expect(top()).toBe("  line 2");
  press("pageDown");
  expect(top()).toBe("  line 6");
  press("up");
  expect(top()).toBe("  line 5");
  press("end");
  expect(lines().slice(3)).toEqual(["  line 20", "17-20 of 20 · 100 % · / search · esc cl…"]);
  press("down");
  expect(top()).toBe("  line 17");
  press("pageUp");
  expect(top()).toBe("  line 13");
  press("g");
  expect(top()).toBe("  line 1");
  press("G", { shift: true });
  expect(top()).toBe("  line 17");
  press("home");
  expect(top()).toBe("  line 1");
});

test("the wheel scrolls", () => {
  const { pager, lines } = open(numbered(20));
  pager.handle({ kind: "mouse", mouse: { type: "wheel", x: 0, y: 0, wheelLines: 3 } });
  expect(lines()[0]).toBe("  line 4");
});

test("searches on and back, around the ends, and says when there is nothing", () => {
  const { press, lines } = open(`${numbered(9)}\nneedle A\n${numbered(9)}\nNeedle B`);
  const marked = () => lines().find((line) => line.startsWith("▸"));
  press("/");
  for (const letter of "needle") press(letter);
  expect(lines().at(-1)).toBe("/needle");
  press("enter");
  expect(marked()).toBe("▸ needle A");
  press("n");
  expect(marked()).toBe("▸ Needle B");
  press("n");
  expect(marked()).toBe("▸ needle A");
  press("N", { shift: true });
  expect(marked()).toBe("▸ Needle B");
  press("/");
  for (const letter of "xyz") press(letter);
  press("backspace");
  press("enter");
  expect(lines().at(-1)).toBe("no matches for xy · 17-20 of 20 · 100 %…");
});

test("escape leaves the search first, then the pager", () => {
  const { pager, press, closings } = open("text");
  press("/");
  expect(press("escape")).toBe(true);
  expect(press("escape")).toBe(false);
  pager.closed?.();
  expect(closings).toEqual(["closed"]);
});

test("wide lines are broken where the screen ends, and nothing is lost", () => {
  const { lines } = open("  日本語日本語日本語\nabcdefghijklmnop", { width: 12, height: 6 });
  expect(lines()).toEqual(["    日本語日", "  本語日本語", "  abcdefghij", "  klmnop", "1-4 of 4 · …"]);
});
