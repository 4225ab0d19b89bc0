/** What facts change in the row of the session, and which ones change nothing at all. */

import { recordsOf } from "@kedge/testing";
import { expect, test } from "vitest";
import { applyToView, emptyView, type Fact, noUsage, runWithoutSteps, type SessionView } from "../src/index.ts";
import { answering, call, cost, created, lastChanges, prompt, sessionId, stepEnded, usage } from "./view-changes.ts";

const fresh: SessionView = {
  id: sessionId,
  projectId: "project",
  directory: "/work",
  title: "",
  model: "mock/one",
  mode: "default",
  isRunning: false,
  isArchived: false,
  todos: [],
  labels: [],
  usage: noUsage,
  cost: { usd: 0, estimated: false },
  createdAt: 1000,
  updatedAt: 1000,
};
const begun: SessionView = { ...fresh, title: "Do it.", isRunning: true, leafId: "msg_1", updatedAt: 1030 };
const restored = { promptId: "prm_1", restores: [], files: [{ path: "a.txt", status: "added" }] } as const;
const reverted: Fact = { type: "session.reverted", snapshot: "tree", ...restored };

test("a new session has a row of its own", () => {
  const origin = { kind: "fork", sessionId: "ses_b" } as const;
  expect(lastChanges({ ...created, origin } as Fact)).toEqual([{ kind: "session", session: { ...fresh, origin } }]);
});

const title: Fact = { type: "session.updated", title: "A name", usage, cost };
const failure = { code: "server_error", message: "No.", retryable: true } as const;
test.each<[Fact, Partial<SessionView>]>([
  [title, { title: "A name", usage, cost }],
  [{ type: "session.updated", isArchived: true }, { isArchived: true }],
  [{ type: "session.deleted", by: "user" }, { isDeleted: true }],
  [{ type: "session.resumed", boot: "boot_2", mode: "plan" }, { mode: "plan" }],
  [{ type: "model.changed", model: "mock/two" }, { model: "mock/two" }],
  [{ type: "mode.changed", mode: "auto" }, { mode: "auto" }],
  [
    { type: "todos.replaced", todos: [{ content: "This", status: "pending", priority: "low" }] },
    { todos: [{ content: "This", status: "pending", priority: "low" }] },
  ],
  [{ type: "entry.labelled", entryId: "prm_1", label: "start" }, { labels: [{ messageId: "msg_1", label: "start" }] }],
  [
    { type: "compaction.failed", trigger: "manual", failure, usage, cost },
    { usage, cost },
  ],
  [{ type: "run.ended", runId: "run_9", ...runWithoutSteps("completed", "") }, {}],
])("%o changes the row of the session", (fact, change) => {
  const session = { ...begun, ...change };
  expect(lastChanges(...answering, fact)).toEqual(
    Object.keys(change).length === 0 ? [] : [{ kind: "session", session }],
  );
});

test("an undo is told until it is taken back", () => {
  const { leafId: _, ...rootless } = { ...begun, updatedAt: 1030 };
  const revert = { messageId: "msg_1", snapshot: "tree", files: restored.files };
  expect(lastChanges(...answering, reverted)).toEqual([{ kind: "session", session: { ...rootless, revert } }]);
  expect(lastChanges(...answering, reverted, { type: "session.unreverted", ...restored })).toEqual([
    { kind: "session", session: { ...begun, updatedAt: 1040 } },
  ]);
  expect(lastChanges(...answering, { type: "leaf.moved" })).toEqual([{ kind: "session", session: rootless }]);
});

test("an answer is the new leaf and costs", () => {
  expect(lastChanges(...answering, stepEnded("stp_2", [{ type: "text", text: "Yes." }])).at(-1)).toEqual({
    kind: "session",
    session: { ...begun, leafId: "msg_2", usage, cost },
  });
});

test("removed content is told, so that rows can be made anew", () => {
  expect(lastChanges(created, { type: "content.removed", digests: ["d"], reason: "scrub", by: "user" })).toEqual([
    { kind: "content-removed", digests: ["d"] },
  ]);
});

const asked = { tool: "bash", permission: "bash", patterns: [], always: [], reason: "test" };
const answer = { reply: "once", source: "user", boot: "boot_1", grants: [] } as const;
test.each<Fact>([
  { type: "command.ran", command: "/cost", text: "1 $" },
  { type: "journal.recovered", what: "a torn record" },
  { type: "job.started", jobId: "job_1", callId: "call_1", command: "sleep" },
  { type: "job.ended", jobId: "job_1", status: "done" },
  { type: "question.asked", requestId: "qst_1", callId: "call_1", questions: [] },
  { type: "question.answered", requestId: "qst_1", answers: [] },
  { type: "permission.asked", stepId: "stp_2", requestId: "per_1", callId: "call_1", ...asked },
  { type: "permission.answered", requestId: "per_1", callId: "call_1", ...answer },
  { type: "pressure.changed", level: "high", score: 9, contributions: [] },
  { type: "checkpoint.opened", stepId: "stp_2", callId: "call_1", goal: "Look." },
  { type: "checkpoint.discarded" },
])("$type changes nothing in the view", (fact) => {
  expect(lastChanges(...answering, fact)).toEqual([]);
});

test("a fact of a newer kedge changes nothing", () => {
  // A cast on purpose: a newer version may write facts that this one has no word for.
  expect(lastChanges(...answering, { type: "weather.changed", sky: "blue" } as unknown as Fact)).toEqual([]);
  const withMore = { ...stepEnded("stp_2", [call("call_1")]), ...{ mood: "new" } };
  expect(lastChanges(...answering, withMore)).toEqual(lastChanges(...answering, stepEnded("stp_2", [call("call_1")])));
});

test("an old record is skipped, and a gap is told", () => {
  const view = emptyView(sessionId);
  const [first, second, third] = recordsOf([created, prompt("prm_1", "run_1"), prompt("prm_2", "run_2")], sessionId);
  if (first === undefined || second === undefined || third === undefined) throw new Error("three facts, three records");
  applyToView(view, first);
  expect(applyToView(view, first)).toEqual([]);
  expect(() => applyToView(view, third)).toThrow("facts 2 to 2 of ses_a are missing");
  expect(applyToView(view, second)).toHaveLength(3);
});
