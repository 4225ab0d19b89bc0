/** Nothing that was typed for something else answers a dialog, whatever it asks and however it came into sight. */
import type { PermissionRequest } from "@kedge/protocol";
import { expect, test, vi } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { press } from "../../../test/press.ts";
import type { Dialog } from "../../screen/view.ts";
import { createPermissionDialog } from "../permission/permission-dialog.ts";
import { createPlanDialog } from "../permission/plan-dialog.ts";
import { createTrustDialog } from "../permission/trust-dialog.ts";
import { createQuestionDialog } from "../question/question-dialog.ts";
import { createDialogStack } from "./dialog-stack.ts";
import { type Appearance, guardEarlyKeys } from "./early-keys.ts";

const theme = bareTheme();
const hint = "wait a moment before answering";
const sentence = "please look for the bug and any 1 way, say yes\rnow apply it";

const bash: PermissionRequest = {
  ...{ requestId: "per_1", callId: "call_1", tool: "bash", permission: "bash", patterns: ["npm test"] },
  ...{ always: ["npm test *"], reason: "no rule allows it", preview: "npm test", isSavable: true },
};
const plan: PermissionRequest = { ...bash, tool: "plan_exit", permission: "plan", preview: "1. Test it." };

type Answer = (answer: unknown) => void;

const kinds: readonly (readonly [string, (appearance: Appearance, onAnswer: Answer) => Dialog])[] = [
  [
    "trust",
    (appearance, onAnswer) =>
      createTrustDialog({ ...appearance, root: "/work/app", lines: ["AGENTS.md"], isChanged: false, onAnswer }),
  ],
  [
    "permission",
    (appearance, onAnswer) =>
      createPermissionDialog({ ...appearance, request: bash, directory: "/work/app", waitingCount: 0, onAnswer }),
  ],
  [
    "irreversible",
    (appearance, onAnswer) => {
      const request: PermissionRequest = { ...bash, isIrreversible: true };
      return createPermissionDialog({ ...appearance, request, directory: "/work", waitingCount: 0, onAnswer });
    },
  ],
  [
    "plan",
    (appearance, onAnswer) => {
      const createMarkdown = () => ({ setText: () => {}, end: () => {}, render: () => [] });
      return createPlanDialog({ ...appearance, request: plan, createMarkdown, onAnswer });
    },
  ],
  [
    "question",
    (appearance, onAnswer) => {
      const questions = [{ question: "Which?", options: [{ label: "This", description: "" }] }];
      return createQuestionDialog({ ...appearance, questions, onAnswers: onAnswer, onDismiss: () => onAnswer("no") });
    },
  ],
];

/** A screen with a clock: keys are pressed at their times, and each is followed by a drawing. */
function setUp() {
  let time = 10_000;
  let keyAt = Number.NEGATIVE_INFINITY;
  const answers: unknown[] = [];
  const redraw = vi.fn();
  const stack = createDialogStack();
  const appearance: Appearance = { theme: () => theme, now: () => time, lastKeyAt: () => keyAt, redraw };
  const draw = () => stack.render({ width: 80, height: 24, theme }).join("\n");
  function key(name: string): void {
    keyAt = time;
    press(stack, name);
    draw();
  }
  return {
    ...{ appearance, answers, stack, draw, redraw, key },
    onAnswer: (answer: unknown) => void answers.push(answer),
    wait(ms: number): void {
      time += ms;
    },
    typeAt(text: string, msPerKey: number): void {
      for (const character of text) {
        time += msPerKey;
        key(character === " " ? "space" : character === "\r" ? "enter" : character);
      }
    },
  };
}

for (const [kind, create] of kinds) {
  test.each([50, 110, 130, 350])(`${kind}: a sentence typed on at %i ms per key answers nothing`, (msPerKey) => {
    const { stack, appearance, onAnswer, answers, typeAt, draw } = setUp();
    typeAt("for", msPerKey);
    stack.open(create(appearance, onAnswer));
    const before = draw();
    expect(before).toContain(hint);
    typeAt(sentence, msPerKey);
    expect([answers, draw()]).toEqual([[], before]);
  });

  test(`${kind}: so does one that begins right after it came up`, () => {
    const { stack, appearance, onAnswer, answers, typeAt, draw } = setUp();
    stack.open(create(appearance, onAnswer));
    expect(draw()).not.toContain(hint);
    typeAt(sentence, 110);
    expect(answers).toEqual([]);
    expect(draw()).toContain(hint);
  });

  test(`${kind}: a pause, and then Escape is an answer`, () => {
    const { stack, appearance, onAnswer, answers, typeAt, wait, key, draw } = setUp();
    typeAt("for", 110);
    stack.open(create(appearance, onAnswer));
    draw();
    typeAt(sentence, 110);
    wait(599);
    key("escape");
    expect(answers).toEqual([]);
    wait(600);
    expect(draw()).not.toContain(hint);
    key("escape");
    expect(answers.length).toBe(1);
  });
}

/** Permission, since a `y` answers it at once. */
function ask() {
  const world = setUp();
  const { appearance, onAnswer, stack } = world;
  const dialog = createPermissionDialog({
    ...appearance,
    ...{ request: bash, directory: "/work/app", waitingCount: 0, onAnswer },
  });
  return { ...world, dialog, open: () => stack.open(dialog) };
}

test("200 ms suffice for somebody who was not typing", () => {
  const { open, draw, wait, key, answers } = ask();
  open();
  draw();
  wait(200);
  key("y");
  expect(answers).toEqual([{ reply: "once" }]);
});

test("a key in the first 200 ms asks for the whole pause", () => {
  const { open, draw, wait, key, answers } = ask();
  open();
  draw();
  wait(199);
  key("y");
  wait(599);
  key("y");
  expect(answers).toEqual([]);
  wait(600);
  key("y");
  expect(answers).toEqual([{ reply: "once" }]);
});

test("somebody who typed just before has to pause from the drawing on", () => {
  const { open, draw, wait, key, answers } = ask();
  key("x");
  wait(599);
  open();
  draw();
  wait(599);
  expect(draw()).toContain(hint);
  wait(1);
  key("y");
  expect(answers).toEqual([{ reply: "once" }]);
});

test("the time until the first drawing does not count", () => {
  const { dialog, wait, answers } = ask();
  wait(5_000);
  expect(press(dialog, "y")).toBe(true);
  wait(5_000);
  dialog.render(76, 22);
  wait(199);
  expect(press(dialog, "y")).toBe(true);
  expect(answers).toEqual([]);
  wait(600);
  press(dialog, "y");
  expect(answers).toEqual([{ reply: "once" }]);
});

test("what was pressed right before the first drawing was typing", () => {
  const { dialog, wait, answers } = ask();
  press(dialog, "y");
  wait(500);
  dialog.render(76, 22);
  wait(599);
  press(dialog, "y");
  expect(answers).toEqual([]);
});

test("pastes and clicks are no answers either, and ask for a pause; the wheel scrolls", () => {
  const handle = vi.fn(() => true);
  const { appearance, wait } = setUp();
  const dialog = guardEarlyKeys({ title: "", widthWished: 1, render: () => [], handle }, appearance);
  const wheel = { kind: "mouse", mouse: { type: "wheel", x: 0, y: 0, wheelLines: 1 } } as const;
  dialog.render(10, 10);
  for (const input of [
    { kind: "paste", text: "y" },
    { kind: "mouse", mouse: { type: "click", x: 0, y: 0 } },
  ] as const) {
    wait(199);
    expect(dialog.handle(input)).toBe(true);
    wait(599);
    expect(press(dialog, "y")).toBe(true);
  }
  expect(handle.mock.calls).toEqual([]);
  dialog.handle(wheel);
  expect(handle.mock.calls).toEqual([[wheel]]);
  wait(600);
  press(dialog, "y");
  expect(handle).toHaveBeenCalledTimes(2);
});

test("one that was covered is guarded anew when it is uncovered, by whatever key", () => {
  const { open, stack, draw, wait, key, answers } = ask();
  open();
  draw();
  wait(1_000);
  const cover: Dialog = { title: "Cover", widthWished: 40, render: () => [], handle: () => false };
  stack.open(cover);
  draw();
  wait(1_000);
  key("escape");
  expect(draw()).toContain(hint);
  wait(599);
  key("y");
  expect(answers).toEqual([]);
  wait(600);
  key("y");
  expect(answers).toEqual([{ reply: "once" }]);
});

test("one that loses another below it goes on as it was", () => {
  const { stack, dialog, draw, wait, key, answers } = ask();
  const below: Dialog = { title: "Below", widthWished: 40, render: () => [], handle: () => false };
  stack.open(below);
  stack.open(dialog);
  draw();
  wait(200);
  stack.close(below);
  key("y");
  expect(answers).toEqual([{ reply: "once" }]);
});

test("after the screen was away it is guarded until it was drawn again", () => {
  const { open, stack, draw, wait, key, answers } = ask();
  open();
  draw();
  wait(5_000);
  stack.rearmTop();
  expect(press(stack, "y")).toBe(true);
  wait(5_000);
  draw();
  wait(199);
  key("y");
  expect(answers).toEqual([]);
  wait(600);
  key("y");
  expect(answers).toEqual([{ reply: "once" }]);
});

test("nothing to arm is no matter", () => {
  const { stack } = setUp();
  stack.rearmTop();
  stack.open({ title: "Plain", widthWished: 40, render: () => [], handle: () => true });
  stack.rearmTop();
  expect(press(stack, "y")).toBe(true);
});

test("the hint leaves by itself, and a closed dialog draws nothing", () => {
  vi.useFakeTimers();
  try {
    const { open, stack, draw, wait, key, redraw } = ask();
    open();
    draw();
    key("x");
    wait(620);
    vi.advanceTimersByTime(620);
    expect(redraw).toHaveBeenCalledOnce();
    expect(draw()).not.toContain(hint);
    stack.rearmTop();
    draw();
    key("x");
    stack.close();
    vi.advanceTimersByTime(5_000);
    expect(redraw).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test("held lines fit, and are the same while nothing changed", () => {
  const { dialog, wait } = ask();
  dialog.render(76, 22);
  press(dialog, "x");
  wait(1);
  const lines = dialog.render(76, 22);
  expect(dialog.render(76, 22)).toBe(lines);
  expect([8, 3, 2, 1].map((height) => dialog.render(20, height).length <= height)).toEqual([true, true, true, true]);
});
