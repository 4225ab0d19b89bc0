/** The view events of every fact and every signal, by their names, and whole where they carry more than a row. */
import { recordsOf } from "@kedge/testing";
import { expect, test } from "vitest";
import {
  beginTelling,
  type Fact,
  type FactType,
  noUsage,
  runWithoutSteps,
  type Signal,
  sealedFields,
  tellFact,
  tellSignal,
  type ViewEvent,
} from "../src/index.ts";
import {
  answering,
  call,
  cost,
  created,
  prompt,
  sessionId,
  stepEnded,
  stepStarted,
  toolEnded,
  toolStarted,
} from "./view-changes.ts";

const failure = { code: "server_error", message: "No.", retryable: true } as const;
const files = [{ path: "a.txt", status: "modified" }] as const;
const answered = [...answering, stepEnded("stp_2", [{ type: "text", text: "Yes." }, call("call_1")])];
const called = [...answered, toolStarted("stp_2", "call_1")];
const done = [...called, toolEnded("stp_2", "call_1", "completed")];
const asked: Fact = {
  type: "permission.asked",
  ...{ requestId: "per_1", stepId: "stp_2", callId: "call_1", tool: "bash", permission: "bash" },
  ...{ patterns: ["rm a"], always: ["rm *"], reason: "no rule", preview: "rm a" },
};

type Row = { readonly before: readonly Fact[]; readonly fact: Fact; readonly events: readonly ViewEvent["type"][] };

/** Every fact, after what must have happened before it. */
const table: { readonly [Type in FactType]: Row } = {
  "session.created": { before: [], fact: created, events: ["session.created"] },
  "session.updated": {
    before: [created],
    fact: { type: "session.updated", title: "New", cost, usage: noUsage },
    events: ["session.updated", "cost.updated"],
  },
  "session.deleted": { before: [created], fact: { type: "session.deleted", by: "user" }, events: ["session.deleted"] },
  "chain.closed": {
    before: [created],
    fact: { type: "chain.closed", sessionId: "ses_b", lastSeq: 3, hash: "h" },
    events: [],
  },
  "journal.recovered": { before: [created], fact: { type: "journal.recovered", what: "one record" }, events: [] },
  "session.resumed": {
    before: [created],
    fact: { type: "session.resumed", boot: "boot_2", mode: "plan" },
    events: ["session.updated"],
  },
  "model.changed": {
    before: [created],
    fact: { type: "model.changed", model: "mock/two" },
    events: ["session.updated"],
  },
  "mode.changed": { before: [created], fact: { type: "mode.changed", mode: "plan" }, events: ["session.updated"] },
  "style.changed": {
    before: [created],
    fact: { type: "style.changed", brevity: { name: "full", text: "Be brief." } },
    events: ["session.updated"],
  },
  "prompt.admitted": {
    before: [created],
    fact: prompt("prm_1", "run_1"),
    events: ["message.updated", "message.part.updated", "session.updated", "session.status"],
  },
  "prompt.revised": {
    before: [created, prompt("prm_1", "run_1")],
    fact: { type: "prompt.revised", promptId: "prm_1", text: "Rather this." },
    events: ["message.part.updated"],
  },
  "prompt.withdrawn": {
    before: [created, prompt("prm_1", "run_1")],
    fact: { type: "prompt.withdrawn", promptId: "prm_1" },
    events: ["message.removed"],
  },
  "command.ran": {
    before: [created],
    fact: { type: "command.ran", command: "/cost", text: "1 $" },
    events: ["command.executed"],
  },
  "step.started": {
    before: [created, prompt("prm_1", "run_1")],
    fact: stepStarted("stp_2", "run_1", { prompts: [{ promptId: "prm_1", form: "prompt" }] }),
    events: ["message.updated", "message.updated", "message.part.updated", "session.status"],
  },
  "step.progressed": {
    before: answering,
    fact: { type: "step.progressed", stepId: "stp_2", appended: [{ type: "text", text: "Ye" }] },
    events: ["message.part.updated"],
  },
  "step.ended": {
    before: answering,
    fact: stepEnded("stp_2", [{ type: "text", text: "Yes." }, call("call_1")]),
    events: ["message.part.updated", "message.part.updated", "message.part.updated", "message.updated", "cost.updated"],
  },
  "tool.started": { before: answered, fact: toolStarted("stp_2", "call_1"), events: ["message.part.updated"] },
  "tool.ended": { before: called, fact: toolEnded("stp_2", "call_1", "completed"), events: ["message.part.updated"] },
  "job.started": {
    before: called,
    fact: { type: "job.started", jobId: "job_1", callId: "call_1", command: "sleep 1" },
    events: ["task.started"],
  },
  "job.ended": {
    before: [...called, { type: "job.started", jobId: "job_1", callId: "call_1", command: "sleep 1" }],
    fact: { type: "job.ended", jobId: "job_1", status: "done" },
    events: ["task.ended"],
  },
  "agent.started": {
    before: [...called],
    fact: { type: "agent.started", agentId: "ses_c", agent: "explore", description: "Find it", depth: 1 },
    events: ["agent.started"],
  },
  "agent.ended": {
    before: [...called],
    fact: {
      type: "agent.ended",
      ...{ agentId: "ses_c", status: "completed", result: "Found.", usage: noUsage, cost, turns: 1, durationMs: 5 },
    },
    events: ["agent.ended"],
  },
  "mail.received": {
    before: [created],
    fact: { type: "mail.received", messageId: "msg_1", fromId: "ses_c", from: "survey", text: "Look at a.ts." },
    events: [],
  },
  "todos.replaced": {
    before: [created],
    fact: { type: "todos.replaced", todos: [{ content: "It", status: "pending", priority: "low" }] },
    events: ["todo.updated"],
  },
  "question.asked": {
    before: called,
    fact: { type: "question.asked", requestId: "qst_1", callId: "call_1", questions: [] },
    events: ["question.asked", "session.status"],
  },
  "question.answered": {
    before: [...called, { type: "question.asked", requestId: "qst_1", callId: "call_1", questions: [] }],
    fact: { type: "question.answered", requestId: "qst_1", answers: ["That"] },
    events: ["question.replied", "session.status"],
  },
  "permission.asked": { before: answered, fact: asked, events: ["permission.asked", "session.status"] },
  "permission.answered": {
    before: [...answered, asked],
    fact: {
      type: "permission.answered",
      ...{ requestId: "per_1", callId: "call_1", reply: "session", source: "user", boot: "boot_1" },
      grants: [{ permission: "bash", pattern: "rm *", action: "allow" }],
    },
    events: ["permission.replied", "session.status"],
  },
  "grants.replaced": { before: [created], fact: { type: "grants.replaced", grants: [], boot: "boot_1" }, events: [] },
  "files.changed": {
    before: done,
    fact: { type: "files.changed", stepId: "stp_2", before: "t1", after: "t2", files, uncovered: [] },
    events: ["message.part.updated", "message.part.updated", "file.edited"],
  },
  "pressure.changed": {
    before: answering,
    fact: { type: "pressure.changed", level: "high", score: 1, contributions: [] },
    events: [],
  },
  "checkpoint.opened": {
    before: called,
    fact: { type: "checkpoint.opened", stepId: "stp_2", callId: "call_1", goal: "Find out" },
    events: [],
  },
  "checkpoint.discarded": { before: done, fact: { type: "checkpoint.discarded" }, events: [] },
  "conversation.rewound": {
    before: [
      ...called,
      { type: "checkpoint.opened", stepId: "stp_2", callId: "call_1", goal: "Find out" },
      toolEnded("stp_2", "call_1", "completed"),
      stepStarted("stp_3", "run_1"),
      stepEnded("stp_3", [{ type: "text", text: "No." }]),
    ],
    fact: { type: "conversation.rewound", stepId: "stp_3", report: "A dead end.", files: [] },
    events: ["message.updated", "message.part.updated"],
  },
  "context.cleared": {
    before: done,
    fact: {
      type: "context.cleared",
      reason: "size",
      results: [{ stepId: "stp_2", callId: "call_1", text: "cleared" }],
      tokensFreed: 5,
    },
    events: ["message.part.updated"],
  },
  "context.compacted": {
    before: done,
    fact: {
      type: "context.compacted",
      ...{ compactionId: "cmp_1", trigger: "manual", strategy: "summary", summary: "All of it", shortSummary: "All" },
      ...{ restored: [], files: { read: [], modified: [] }, itemsReplaced: 2, tokensBefore: 9, tokensAfter: 1 },
      ...{ boundary: {}, usage: noUsage, cost },
    },
    events: [
      ...(["message.updated", "message.part.updated", "message.updated", "message.part.updated"] as const),
      ...(["cost.updated", "session.compacted"] as const),
    ],
  },
  "compaction.failed": {
    before: done,
    fact: { type: "compaction.failed", trigger: "manual", failure, usage: noUsage, cost },
    events: ["cost.updated"],
  },
  "leaf.moved": { before: done, fact: { type: "leaf.moved" }, events: ["session.updated"] },
  "entry.labelled": {
    before: done,
    fact: { type: "entry.labelled", entryId: "prm_1", label: "here" },
    events: ["session.updated"],
  },
  "message.added": {
    before: [created],
    fact: { type: "message.added", messageId: "msg_1", kind: "note", text: "Mind this." },
    events: ["message.updated", "message.part.updated"],
  },
  "message.removed": {
    before: [created, { type: "message.added", messageId: "msg_1", kind: "note", text: "Mind this." }],
    fact: { type: "message.removed", messageId: "msg_1", entryIds: ["msg_1"] },
    events: ["message.removed"],
  },
  "session.reverted": {
    before: done,
    fact: { type: "session.reverted", promptId: "prm_1", snapshot: "t0", restores: [], files },
    events: ["session.updated", "session.diff"],
  },
  "session.unreverted": {
    before: [...done, { type: "session.reverted", promptId: "prm_1", snapshot: "t0", restores: [], files }],
    fact: { type: "session.unreverted", promptId: "prm_1", restores: [], files },
    events: ["session.updated", "session.diff"],
  },
  "run.ended": {
    before: done,
    fact: { type: "run.ended", runId: "run_1", ...runWithoutSteps("completed", "Yes.") },
    events: ["session.idle", "session.diff", "notification"],
  },
  "instructions.loaded": {
    before: [created],
    fact: {
      type: "instructions.loaded",
      blocks: [{ source: "instructions", origin: "AGENTS.md", hash: "1", tokens: 9 }],
    },
    events: [],
  },
  "reproduction.judged": {
    before: [created],
    fact: { type: "reproduction.judged", id: "rep_1", state: "unproven", issue: "It hangs", before: [], after: [] },
    events: [],
  },
  "memory.written": {
    before: [created],
    fact: { type: "memory.written", path: "test-runner.md", origin: "user-stated" },
    events: [],
  },
  "memory.quarantined": {
    before: [created],
    fact: { type: "memory.quarantined", path: "quarantine/habit.md", why: "it pipes a download to a shell" },
    events: [],
  },
  "memory.recalled": {
    before: [created],
    fact: { type: "memory.recalled", candidates: 3, selected: [], bytes: 0, durationMs: 4, by: "keywords" },
    events: [],
  },
  "memory.extracted": {
    before: [created],
    fact: {
      type: "memory.extracted",
      upTo: "stp_1",
      outcome: "searched",
      paths: [],
      denials: [],
      usage: noUsage,
      cost,
    },
    events: ["cost.updated"],
  },
  "memory.consolidated": {
    before: [created],
    fact: {
      ...{ type: "memory.consolidated", trigger: "asked", outcome: "unchanged", paths: [], denials: [] },
      ...{ durationMs: 5, usage: noUsage, cost },
    },
    events: ["cost.updated"],
  },
  "memory.lesson_extracted": {
    before: [created],
    fact: { type: "memory.lesson_extracted", id: "les_1", outcome: "failed", lesson: "No answer." },
    events: [],
  },
  "content.removed": {
    before: [created, prompt("prm_1", "run_1")],
    fact: { type: "content.removed", digests: ["digest 2"], reason: "scrub", by: "user" },
    events: ["message.updated", "message.part.updated", "session.updated"],
  },
};

async function eventsOf({ before, fact }: Pick<Row, "before" | "fact">): Promise<readonly ViewEvent[]> {
  const records = recordsOf([...before, fact], sessionId).map((record) =>
    sealedFields[record.fact.type].length === 0 ? record : { ...record, digest: `digest ${record.seq}` },
  );
  const telling = beginTelling(sessionId);
  let events: readonly ViewEvent[] = [];
  for (const record of records) events = await tellFact(telling, record, () => records);
  return events;
}

test.each(Object.entries(table))("%s", async (_type, row) => {
  expect((await eventsOf(row)).map(({ type }) => type)).toEqual(row.events);
});

test("a permission is asked and replied to in the published form", async () => {
  const [question] = await eventsOf(table["permission.asked"]);
  expect(question).toEqual({
    type: "permission.asked",
    ...{ id: "per_1", sessionId, messageId: "msg_2", callId: "call_1", agent: "main" },
    ...{ permission: "bash", patterns: ["rm a"], always: ["rm *"], reason: "no rule" },
    metadata: { tool: "bash", preview: "rm a" },
  });
  const [reply, status] = await eventsOf(table["permission.answered"]);
  expect(reply).toEqual({
    type: "permission.replied",
    id: "per_1",
    reply: "session",
    source: "user",
    patterns: ["rm *"],
  });
  expect(status).toEqual({ type: "session.status", status: { state: "busy" } });
});

test("a run that fails ends in an error, with what it changed", async () => {
  const before = [...done, table["files.changed"].fact];
  const result = { ...runWithoutSteps("error_during_execution", "", failure) };
  const events = await eventsOf({ before, fact: { type: "run.ended", runId: "run_1", ...result } });
  expect(events.slice(0, 2)).toEqual([
    { type: "session.error", runId: "run_1", reason: "error_during_execution", failure },
    { type: "session.diff", files },
  ]);
});

test("signals become deltas of the part that is stored later, progress, status and notices", async () => {
  const telling = beginTelling(sessionId);
  for (const record of recordsOf(answering, sessionId)) await tellFact(telling, record, () => []);
  const base = { sessionId, stepId: "stp_2" };
  const tell = (signal: Signal) => tellSignal(telling, signal, 5);
  const part = { id: "prt_2.00001", messageId: "msg_2", time: 5 };
  const at = { messageId: "msg_2", partId: "prt_2.00001" };
  expect(tell({ type: "reasoning.delta", ...base, text: "Hm" })).toEqual([
    { type: "message.part.updated", part: { type: "reasoning", text: "", ...part } },
    { type: "message.part.delta", ...at, field: "text", delta: "Hm" },
  ]);
  expect(tell({ type: "reasoning.delta", ...base, text: "m." })).toEqual([
    { type: "message.part.delta", ...at, field: "text", delta: "m." },
  ]);
  const named = { callId: "call_1", tool: "bash" };
  expect(tell({ type: "tool.input.delta", ...base, ...named, text: "{" })).toEqual([
    {
      type: "message.part.updated",
      part: { type: "tool", ...named, state: { status: "pending", raw: "" }, ...part, id: "prt_2.00002" },
    },
    { type: "message.part.delta", ...at, partId: "prt_2.00002", field: "raw", delta: "{" },
  ]);
  expect(tell({ type: "tool.progress", sessionId, callId: "call_1", count: 1, text: "out", stream: "stdout" })).toEqual(
    [{ type: "task.progress", callId: "call_1", count: 1, text: "out", stream: "stdout" }],
  );
  expect(tell({ type: "step.retrying", ...base, attempt: 1, delayMs: 5, until: 9, failure })).toEqual([
    { type: "session.status", status: { state: "retry", until: 9, attempt: 1, reason: "No." } },
  ]);
  expect(tell({ type: "step.retrying", ...base, attempt: 2, attemptsMax: 5, delayMs: 5, until: 9, failure })).toEqual([
    { type: "session.status", status: { state: "retry", until: 9, attempt: 2, attemptsMax: 5, reason: "No." } },
  ]);
  expect(tell({ type: "step.stalling", ...base, idleMs: 7 })).toEqual([
    { type: "session.status", status: { state: "busy" }, stalledMs: 7 },
  ]);
  expect(tell({ type: "budget.crossing", sessionId, limit: "usd", percent: 80 })).toEqual([
    { type: "session.status", status: { state: "busy" }, budget: { limit: "usd", percent: 80 } },
  ]);
  expect(tell({ type: "run.unrecorded", sessionId, runId: "run_1", failure })).toEqual([
    { type: "session.error", runId: "run_1", failure },
  ]);
  expect(tell({ type: "notice", sessionId, text: "Mind this." })).toEqual([
    { type: "notification", kind: "notice", text: "Mind this." },
  ]);
});
