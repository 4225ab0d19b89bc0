/** Proves what the run is told to be doing, event by event. */
import type { PartView, ToolPartState, ViewEvent } from "@kedge/protocol";
import { expect, test } from "vitest";
import { activityAfter, heldActivity, idleActivity } from "./activity.ts";
import type { Activity, OpenRequest } from "./client-state.ts";

const place = { id: "part", messageId: "message", time: 0 };
const busy: ViewEvent = { type: "session.status", status: { state: "busy" } };
const thought: ViewEvent = { type: "message.part.updated", part: { type: "reasoning", text: "", ...place } };
const words: ViewEvent = { type: "message.part.updated", part: { type: "text", text: "", ...place } };
const stepBegun: ViewEvent = { type: "message.part.updated", part: { type: "step-start", ...place } };
const idle: ViewEvent = { type: "session.idle", runId: "run", reason: "completed" };
const retry: ViewEvent = {
  type: "session.status",
  status: { state: "retry", until: 9_000, attempt: 2, attemptsMax: 5, reason: "Too many requests." },
};
const permission: ViewEvent = {
  ...{ type: "permission.asked", id: "req", sessionId: "ses", messageId: "message", callId: "call", agent: "main" },
  ...{ permission: "bash", patterns: [], always: [], metadata: {}, reason: "" },
};
const question: ViewEvent = { type: "question.asked", id: "que", callId: "call", questions: [] };

const states: { readonly [Status in ToolPartState["status"]]: ToolPartState } = {
  pending: { status: "pending", raw: "" },
  running: { status: "running", input: "{}", startedAt: 0 },
  completed: { status: "completed", input: "{}", output: "", endedAt: 0 },
  error: { status: "error", input: "{}", error: "", endedAt: 0 },
};

function call(tool: string, status: ToolPartState["status"], callId = tool): ViewEvent {
  const part: PartView = { type: "tool", callId, tool, state: states[status], ...place };
  return { type: "message.part.updated", part };
}

function delta(text: string): ViewEvent {
  return { type: "message.part.delta", messageId: "message", partId: "part", field: "text", delta: text };
}

/** Events a second apart, from one second on. */
function after(...events: readonly ViewEvent[]): Activity {
  return events.reduce(
    (activity, event, index) => activityAfter(activity, event, (index + 1) * 1_000),
    idleActivity(0),
  );
}

test.each<[string, readonly ViewEvent[], Partial<Activity>]>([
  ["a run that begins waits", [busy], { kind: "waiting" }],
  ["reasoning", [busy, thought], { kind: "thinking" }],
  ["an answer", [busy, thought, words], { kind: "responding" }],
  ["a call that is written", [busy, call("bash", "pending")], { kind: "responding" }],
  ["a call that runs", [busy, call("bash", "running")], { kind: "running", tool: "bash" }],
  ["a call that only looks", [busy, call("grep", "running")], { kind: "reading", tool: "grep" }],
  ["a call that has ended", [busy, call("bash", "running"), call("bash", "completed")], { kind: "waiting" }],
  ["a call that failed", [busy, call("bash", "running"), call("bash", "error")], { kind: "waiting" }],
  [
    "one of two calls that has ended",
    [busy, call("bash", "running"), call("read", "running"), call("read", "completed")],
    { kind: "running", tool: "bash" },
  ],
  ["the next step", [busy, words, stepBegun], { kind: "waiting" }],
  ["a snapshot while a call runs", [busy, call("bash", "running"), stepBegun], { kind: "running", tool: "bash" }],
  ["a permission", [busy, permission], { kind: "permission" }],
  ["a permission that was answered", [busy, permission, busy], { kind: "waiting" }],
  [
    "a permission that was answered beside a call that runs",
    [busy, call("bash", "running"), permission, busy],
    { kind: "running", tool: "bash" },
  ],
  ["a question", [busy, question], { kind: "question" }],
  ["a question that was answered", [busy, question, busy], { kind: "waiting" }],
  [
    "a retry",
    [busy, retry],
    { kind: "retrying", retry: { until: 9_000, attempt: 2, attemptsMax: 5, reason: "Too many requests." } },
  ],
  ["the end", [busy, words, idle], { kind: "idle" }],
  ["the end by an error", [busy, words, { type: "session.error", runId: "run" }], { kind: "idle" }],
  ["a status that says so", [busy, { type: "session.status", status: { state: "idle" } }], { kind: "idle" }],
  ["a part that comes when nothing runs", [words, delta("late")], { kind: "idle" }],
])("%s", (_, events, expected) => {
  const { kind, tool, retry: retrying } = after(...events);
  expect({ kind, ...(tool !== undefined && { tool }), ...(retrying !== undefined && { retry: retrying }) }).toEqual(
    expected,
  );
});

test("the first answer after a retry ends it, and the name of a tool goes with its call", () => {
  expect(after(busy, call("bash", "running"), call("bash", "completed"), retry, words)).toEqual({
    ...{ kind: "responding", since: 1_000, lastSignAt: 5_000, outputTokens: 0 },
  });
});

test("the run keeps its beginning, counts what comes, and notes when", () => {
  expect(after(busy, words, delta("12345678"), delta("1234"))).toEqual({
    ...{ kind: "responding", since: 1_000, lastSignAt: 4_000, outputTokens: 3 },
  });
  expect(after(busy, words, idle, busy)).toEqual({
    ...{ kind: "waiting", since: 4_000, lastSignAt: 4_000, outputTokens: 0 },
  });
});

test("a word about silence is no sign of life, output of a call is one", () => {
  const silent: ViewEvent = { type: "session.status", status: { state: "busy" }, stalledMs: 5_000 };
  expect(after(busy, words, silent, silent).lastSignAt).toBe(2_000);
  const progress: ViewEvent = { type: "task.progress", callId: "bash", count: 1, text: "x", stream: "stdout" };
  expect(after(busy, call("bash", "running"), progress).lastSignAt).toBe(3_000);
});

test("nothing that says nothing about the run makes another object", () => {
  const activity = after(busy, words);
  expect(activityAfter(activity, { type: "todo.updated", todos: [] }, 9_000)).toBe(activity);
  expect(activityAfter(activity, busy, 9_000)).toBe(activity);
  const resting = idleActivity(0);
  expect(activityAfter(resting, delta("x"), 9_000)).toBe(resting);
});

test("as long as somebody waits for the user, that is what is told", () => {
  const asked: OpenRequest = { kind: "question", requestId: "que", questions: [], since: 0 };
  const running = after(busy, call("bash", "running"));
  expect(heldActivity(running, [asked]).kind).toBe("question");
  expect(heldActivity(running, [])).toBe(running);
  const resting = idleActivity(0);
  expect(heldActivity(resting, [asked])).toBe(resting);
});
