import { expect, test } from "vitest";
import { completeFrom, settled, setUpPrompt } from "../../test/prompt-harness.ts";
import { createVimEngine } from "../vim/vim-engine.ts";

const family = "👨‍👩‍👧‍👦";

function setUpVim(given: Parameters<typeof setUpPrompt>[0] = {}) {
  const set = setUpPrompt({ vim: () => createVimEngine({ shiftWidth: 2 }), ...given });
  set.prompt.setVim(true);
  return set;
}

test("begins in NORMAL, types in INSERT, and Escape goes back without leaving the line", () => {
  const { prompt, type, press, seen } = setUpVim();
  expect(prompt.vimMode()).toBe("normal");
  expect(seen(40).at(-1)).toBe("╰─ -- NORMAL -- ───────────────────────╯");
  type("zqx");
  expect(prompt.text()).toBe("");
  press("i");
  expect(seen(40).at(-1)).toBe("╰─ -- INSERT -- ───────────────────────╯");
  type("hello world");
  expect(press("escape")).toEqual([true]);
  expect(prompt.vimMode()).toBe("normal");
  expect(seen(40)[1]).toBe("│ ❯ hello worl▏d                        │");
  press("x");
  expect(prompt.text()).toBe("hello worl");
});

test("Escape in NORMAL drops half a command and is the app's", () => {
  const { prompt, press } = setUpVim();
  prompt.setText("one two");
  press("0", "d");
  expect(press("escape")).toEqual([false]);
  press("w");
  expect(prompt.text()).toBe("one two");
});

test("operators, capitals with shift, and emoji as one sign", () => {
  const { prompt, press } = setUpVim();
  prompt.setText(`one ${family} two`);
  press("0", "w", "x");
  expect(prompt.text()).toBe("one  two");
  press("0", "d", "w");
  expect(prompt.text()).toBe("two");
  press("D");
  expect(prompt.text()).toBe("");
  press("ctrl+_");
  expect(prompt.text()).toBe("two");
});

test("a token is one sign for vim too", () => {
  const { prompt, press, paste } = setUpVim();
  press("i");
  paste("x\n".repeat(20));
  press("escape");
  expect(prompt.text()).toBe("[pasted 21 lines #1]");
  press("y", "l", "p");
  expect(prompt.text()).toBe("[pasted 21 lines #1][pasted 21 lines #1]");
  press("x");
  expect(prompt.text()).toBe("[pasted 21 lines #1]");
  prompt.takeSubmission();
  press("p");
  expect([prompt.text(), prompt.takeSubmission().text]).toEqual(["", ""]);
});

test("j and k at the edges walk through history, like the arrows", () => {
  const { prompt, press } = setUpVim({ entries: ["first", "second"] });
  prompt.setText("draft");
  press("k", "k");
  expect(prompt.text()).toBe("first");
  press("j");
  expect(prompt.text()).toBe("second");
  press("down");
  expect(prompt.text()).toBe("draft");
  expect(press("j")).toEqual([true]);
});

test("an entry that vim changed is the unsent text of the next walk", () => {
  const { prompt, press } = setUpVim({ entries: ["first", "second"] });
  press("k", "k", "0", "x", "k");
  expect(prompt.text()).toBe("second");
  press("j");
  expect(prompt.text()).toBe("irst");
});

test("arrows leave the cursor on a sign in NORMAL", () => {
  const { prompt, press, seen } = setUpVim();
  prompt.setText("ab\nc");
  press("left", "right", "right", "right");
  expect(seen(40).slice(1, 3)).toEqual([
    "│ ❯ a▏b                                 │",
    "│   c                                  │",
  ]);
  press("down", "end");
  expect(seen(40)[2]).toBe("│   ▏c                                  │");
});

test("keys of the app pass in NORMAL, and a submit keeps the mode", () => {
  const { prompt, press } = setUpVim();
  expect(press("enter", "tab", "ctrl+c", "f1", "pageUp")).toEqual(Array(5).fill(false));
  press("i", "a");
  prompt.takeSubmission();
  expect(prompt.vimMode()).toBe("insert");
  press("b");
  expect(prompt.text()).toBe("b");
});

test("the list opens in INSERT only, and Escape closes it first", async () => {
  const { prompt, type, press } = setUpVim({ complete: completeFrom([{ value: "model", label: "/model" }], []) });
  prompt.setText("/m");
  await settled();
  expect(prompt.isPopupOpen()).toBe(false);
  press("A");
  await settled();
  expect([prompt.vimMode(), prompt.isPopupOpen()]).toEqual(["insert", true]);
  type("o");
  await settled();
  expect([press("escape"), prompt.vimMode(), prompt.isPopupOpen()]).toEqual([[true], "insert", false]);
  expect([press("escape"), prompt.vimMode()]).toEqual([[true], "normal"]);
});

test("switched off, every letter is text again", () => {
  const { prompt, type, seen } = setUpVim();
  prompt.setVim(false);
  type("dd");
  expect([prompt.vimMode(), prompt.text(), seen(40).at(-1)]).toEqual([undefined, "dd", `╰${"─".repeat(38)}╯`]);
  const without = setUpPrompt();
  without.prompt.setVim(true);
  expect(without.prompt.vimMode()).toBe(undefined);
});
