import { type Client, emptySession, type PermissionRequest, type Question } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createOpenQuestions } from "./open-questions.ts";

const request: PermissionRequest = {
  requestId: "prq_1",
  callId: "call_1",
  tool: "edit",
  permission: "edit",
  patterns: ["a.txt"],
  always: [],
  reason: "no rule allows it",
};
const ask = (question: string): Question => ({
  question,
  options: [
    { label: "red", description: "" },
    { label: "blue", description: "" },
  ],
});

function setUp(given: {
  readonly permissions?: readonly PermissionRequest[];
  readonly questions?: readonly Question[];
}) {
  const sent: unknown[] = [];
  const shown: string[] = [];
  const state = emptySession("ses_1");
  for (const each of given.permissions ?? []) state.permissionRequests.set(each.requestId, each);
  if (given.questions !== undefined) state.questions.set("qst_1", given.questions);
  const client = {
    async send(command: unknown) {
      sent.push(command);
      return { ok: true, value: {} };
    },
  };
  const open = createOpenQuestions({
    // Nothing else of it is used.
    client: client as unknown as Client,
    screen: { stream() {}, lines: (text) => shown.push(text), endLine() {} },
    session: {
      ...{ id: "ses_1", state, isRunning: () => true, isAtLimit: () => false },
      ...{ awaitRun() {}, passLimit() {}, take() {}, follow() {}, async goOverTo() {}, async stop() {} },
    },
    mayApprove: true,
  });
  return { open, sent, shown };
}

test("permission comes first, and a line that is no answer leaves it open", async () => {
  const { open, sent } = setUp({ permissions: [request], questions: [ask("Colour?")] });
  await open()?.answer("perhaps");
  expect(sent).toEqual([]);
  await open()?.answer("y");
  expect(sent).toEqual([{ type: "permission.answer", sessionId: "ses_1", requestId: "prq_1", reply: "once" }]);
  expect(open()?.hint).toBe("  1-2, or your own answer: ");
});

test("answers to the model go out together, and each question is shown once", async () => {
  const { open, sent, shown } = setUp({ questions: [ask("Colour?"), ask("And the other?")] });
  open()?.show();
  open()?.show();
  await open()?.answer("2");
  expect(sent).toEqual([]);
  open()?.show();
  await open()?.answer("green");
  expect(sent).toEqual([
    { type: "question.answer", sessionId: "ses_1", requestId: "qst_1", answers: ["blue", "green"] },
  ]);
  expect(shown).toEqual(["? Colour?\n  1 red\n  2 blue\n", "? And the other?\n  1 red\n  2 blue\n"]);
  expect(open()).toBeUndefined();
});

test("where nobody is left to answer, permission is refused and a choice ends the turn", async () => {
  const { open, sent } = setUp({ permissions: [request], questions: [ask("Colour?")] });
  expect(await open()?.giveUp()).toBe(true);
  expect(await open()?.giveUp()).toBe(false);
  expect(sent).toEqual([
    { type: "permission.answer", sessionId: "ses_1", requestId: "prq_1", reply: "reject" },
    { type: "turn.interrupt", sessionId: "ses_1" },
  ]);
});
