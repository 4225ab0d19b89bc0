/** The stack: who gets the keys, what Escape does, and who is told. */
import { expect, test } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { press, screenOf } from "../../../test/press.ts";
import type { Input } from "../../screen/input.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import type { Dialog } from "../../screen/view.ts";
import { createDialogStack } from "./dialog-stack.ts";

const theme = bareTheme();

function probe(title: string, takes: readonly string[] = []) {
  const log: string[] = [];
  const lines = [`inside of ${title}`];
  const dialog: Dialog = {
    title,
    widthWished: 40,
    render: () => lines,
    handle(input: Input) {
      log.push(input.kind === "key" ? input.key.name : `${input.kind} ${JSON.stringify(input)}`);
      return input.kind !== "key" || takes.includes(input.key.name);
    },
    closed: () => log.push("closed"),
  };
  return { dialog, log };
}

test("the newest gets the keys; Escape goes to it first and closes it when it does not want it", () => {
  const stack = createDialogStack();
  const [lower, upper] = [probe("lower"), probe("upper", ["a"])];
  let changes = 0;
  const stop = stack.onChange(() => {
    changes += 1;
  });
  expect([stack.isEmpty(), press(stack, "a")]).toEqual([true, false]);
  stack.open(lower.dialog);
  stack.open(upper.dialog);
  expect(stack.top()).toBe(upper.dialog);
  expect([press(stack, "a"), press(stack, "b"), press(stack, "escape")]).toEqual([true, false, true]);
  expect(stack.top()).toBe(lower.dialog);
  expect(press(stack, "escape")).toBe(true);
  expect([stack.isEmpty(), press(stack, "escape")]).toEqual([true, false]);
  stop();
  stack.open(lower.dialog);
  expect(upper.log).toEqual(["a", "b", "escape", "closed"]);
  expect(lower.log).toEqual(["escape", "closed"]);
  expect(changes).toBe(4);
});

test("a dialog that takes Escape stays", () => {
  const stack = createDialogStack();
  const { dialog, log } = probe("stays", ["escape"]);
  stack.open(dialog);
  expect(press(stack, "escape")).toBe(true);
  expect(stack.top()).toBe(dialog);
  expect(log).toEqual(["escape"]);
});

test("any open one can be closed, once, even when it closes itself while it is told", () => {
  const stack = createDialogStack();
  const [lower, upper] = [probe("lower"), probe("upper")];
  const closing: Dialog = {
    ...lower.dialog,
    closed() {
      lower.log.push("closed");
      stack.close(closing);
    },
  };
  stack.open(closing);
  stack.open(upper.dialog);
  stack.close(closing);
  stack.close(closing);
  expect(lower.log).toEqual(["closed"]);
  expect(stack.top()).toBe(upper.dialog);
  stack.close();
  stack.close();
  expect(upper.log).toEqual(["closed"]);
  expect(() => [stack.open(upper.dialog), stack.open(upper.dialog)]).toThrow("open already");
});

test("the mouse is told where it is inside of the frame", () => {
  const stack = createDialogStack();
  const { dialog, log } = probe("mouse");
  stack.open(dialog);
  stack.handle({ kind: "mouse", mouse: { type: "click", x: 5, y: 3 } });
  expect(log).toEqual(['mouse {"kind":"mouse","mouse":{"type":"click","x":3,"y":2}}']);
});

test("the frame has a title, fits its width, and is the same while nothing changed", () => {
  const stack = createDialogStack();
  expect(stack.render({ width: 40, height: 10, theme })).toEqual([]);
  stack.open(probe("漢字 title that is far too long for it\u001b[31m").dialog);
  const lines = stack.render({ width: 30, height: 10, theme });
  expect(lines.map(visibleWidth)).toEqual([30, 30, 30]);
  expect(stack.render({ width: 30, height: 10, theme })).toBe(lines);
  expect(screenOf(probe("Title").dialog, { width: 30, height: 10 })).toMatchInlineSnapshot(`
    "
    ╭─ Title ────────────────────╮
    │ inside of Title            │
    ╰────────────────────────────╯
    "
  `);
});

test("an inside that draws too much is cut to the frame", () => {
  const wild: Dialog = { ...probe("wild").dialog, render: () => Array.from({ length: 9 }, () => "x".repeat(99)) };
  const stack = createDialogStack();
  stack.open(wild);
  expect(stack.render({ width: 20, height: 5, theme }).map(visibleWidth)).toEqual([20, 20, 20, 20, 20]);
});
