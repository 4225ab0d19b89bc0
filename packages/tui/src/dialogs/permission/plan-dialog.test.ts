/** Approval of a plan: how it is shown, and what each answer sends. */
import type { PermissionRequest } from "@kedge/protocol";
import { expect, test } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { foreignControls, insideOf, press, screenOf, type } from "../../../test/press.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import { isPlanApproval, type PlanAnswer } from "./plan-answers.ts";
import { createPlanDialog, type MarkdownText } from "./plan-dialog.ts";

const theme = bareTheme();

const request: PermissionRequest = {
  requestId: "per_1",
  callId: "call_1",
  tool: "plan_exit",
  permission: "plan",
  patterns: ["exit .kedge/plans/cache.md"],
  always: [],
  reason: "no rule allows plan of exit .kedge/plans/cache.md",
  preview: "# Cache\n\n1. Add a map 漢字.\n2. Test it.\n",
};

/** As simple as a Markdown view can be. */
function createMarkdown(): MarkdownText {
  let lines: readonly string[] = [];
  return {
    setText(text) {
      lines = text.trimEnd().split("\n");
    },
    end() {},
    render: () => lines,
  };
}

function open(given: PermissionRequest = request) {
  const answers: PlanAnswer[] = [];
  let clock = 0;
  const dialog = createPlanDialog({
    request: given,
    theme: () => theme,
    createMarkdown,
    now: () => clock,
    lastKeyAt: () => Number.NEGATIVE_INFINITY,
    redraw: () => {},
    onAnswer: (answer) => answers.push(answer),
  });
  // In sight long enough for keys to count.
  dialog.render(76, 22);
  clock = 1_000;
  return { dialog, answers };
}

const { preview: _, ...unread } = request;

test("a plan with its answers", () => {
  expect(screenOf(open().dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Plan ───────────────────────────────────────────────────────────────────────╮
    │ .kedge/plans/cache.md                                                        │
    │                                                                              │
    │ # Cache                                                                      │
    │                                                                              │
    │ 1. Add a map 漢字.                                                           │
    │ 2. Test it.                                                                  │
    │                                                                              │
    │ ❯ y  Accept and return to the previous mode                                  │
    │   a  Accept and allow all edits (accept-edits mode)                          │
    │   e  Edit plan                                                               │
    │   n  Reject                                                                  │
    │   m  Reject with feedback                                                    │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
});

test("a long plan scrolls at 60 columns", () => {
  const preview = Array.from({ length: 50 }, (_value, index) => `${index + 1}. Step`).join("\n");
  const { dialog } = open({ ...request, preview, evidence: ["the plan was changed 2 minutes ago"] });
  dialog.render(56, 14);
  press(dialog, "end");
  expect(screenOf(dialog, { width: 60, height: 16 })).toMatchInlineSnapshot(`
    "
    ╭─ Plan ───────────────────────────────────────────────────╮
    │ 44. Step                                                 │
    │ 45. Step                                                 │
    │ 46. Step                                                 │
    │ 47. Step                                                 │
    │ 48. Step                                                 │
    │ 49. Step                                                 │
    │ 50. Step                                                 │
    │ lines 47-53 of 53, page keys scroll                      │
    │                                                          │
    │ ❯ y  Accept and return to the previous mode              │
    │   a  Accept and allow all edits (accept-edits mode)      │
    │   e  Edit plan                                           │
    │   n  Reject                                              │
    │   m  Reject with feedback                                │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("a plan that could not be read says so, and is rejected by default", () => {
  const { dialog, answers } = open(unread);
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Plan ───────────────────────────────────────────────────╮
    │ The plan could not be displayed. Read                    │
    │   .kedge/plans/cache.md before accepting it.             │
    │                                                          │
    │ ❯ n  Reject                                              │
    │   m  Reject with feedback                                │
    │   y  Accept and return to the previous mode              │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  press(dialog, "enter");
  expect(answers).toEqual([{ reply: "reject" }]);
});

test.each([
  ["y", { reply: "once" }],
  ["enter", { reply: "once" }],
  ["n", { reply: "reject" }],
  ["escape", { reply: "reject" }],
])("%s answers at once, and only once", (key, expected) => {
  const { dialog, answers } = open();
  press(dialog, key);
  press(dialog, "y");
  expect(answers).toEqual([expected]);
});

test("editing without being asked is selected by its letter and confirmed by Enter", () => {
  const { dialog, answers } = open();
  press(dialog, "a");
  expect(answers).toEqual([]);
  expect(insideOf(dialog).slice(-7)).toEqual([
    "  y  Accept and return to the previous mode",
    "❯ a  Accept and allow all edits (accept-edits mode)",
    "  e  Edit plan",
    "  n  Reject",
    "  m  Reject with feedback",
    "",
    "Press Enter to confirm.",
  ]);
  press(dialog, "enter");
  expect(answers).toEqual([{ reply: "once", mode: "accept-edits" }]);
});

test("a rejection with words is the feedback", () => {
  const { dialog, answers } = open();
  press(dialog, "m");
  type(dialog, "tests first");
  expect(insideOf(dialog)).toContain("What should change in the plan?");
  press(dialog, "enter");
  expect(answers).toEqual([{ reply: "reject", message: "tests first" }]);
});

test("an edited plan goes back whole; an unchanged one leads back to the answers", () => {
  const { dialog, answers } = open();
  press(dialog, "e");
  press(dialog, "enter");
  expect(insideOf(dialog)).toContain("❯ y  Accept and return to the previous mode");
  press(dialog, "e");
  type(dialog, "3. Measure.");
  press(dialog, "enter");
  expect(answers).toEqual([
    {
      reply: "reject",
      message: `I edited the plan. Write this text to .kedge/plans/cache.md unchanged and present it again:\n\n${request.preview}3. Measure.`,
    },
  ]);
});

test("only the end of planning is an approval of a plan", () => {
  expect([request, { ...request, tool: "plan_enter" }, { ...request, permission: "bash" }].map(isPlanApproval)).toEqual(
    [true, false, false],
  );
});

test("hostile plans and paths are harmless", () => {
  const evil = "\u001b[2Jx\u202e\u0007";
  const { dialog } = open({ ...request, patterns: [`exit ${evil}`], preview: evil, evidence: [evil] });
  const lines = dialog.render(60, 30);
  expect(lines.flatMap(foreignControls)).toEqual([]);
  for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(60);
});

test("the plan of an agent has its name, and offers nothing that changes the mode of the session", () => {
  const agent = { agentId: "ses_2", agent: "general", parentId: "ses_1", name: "ann" };
  const screen = screenOf(open({ ...request, agent }).dialog);
  expect(screen).toContain("Plan: ann (general agent)");
  expect(screen).not.toContain("accept-edits");
});
