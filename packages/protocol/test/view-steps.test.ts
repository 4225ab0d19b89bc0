/** What the facts of a step and its calls change in the view. */

import { expect, test } from "vitest";
import { type Fact, type PartView, runWithoutSteps, type ViewChange } from "../src/index.ts";
import {
  answering,
  call,
  cost,
  created,
  lastRows,
  partChange,
  prompt,
  sessionId,
  stepEnded,
  stepStarted,
  toolEnded,
  toolStarted,
  usage,
} from "./view-changes.ts";

const answer = {
  id: "msg_2",
  sessionId,
  role: "assistant",
  treeParent: "msg_1",
  parentId: "msg_1",
  model: "mock/one",
  createdAt: 1020,
} as const;

function at(order: number, time: number): Pick<PartView, "id" | "messageId" | "time"> {
  return { id: `prt_2.${String(order).padStart(5, "0")}`, messageId: "msg_2", time };
}

function toolPart(order: number, time: number, state: Extract<PartView, { type: "tool" }>["state"]): ViewChange {
  return partChange({ type: "tool", callId: "call_1", tool: "bash", state, ...at(order, time) });
}

const ended = runWithoutSteps("aborted", "");
const withCall: readonly Fact[] = [...answering, stepEnded("stp_2", [call("call_1")])];

test("a step that starts gives its prompt a place and begins an answer", () => {
  expect(lastRows(...answering)).toEqual([
    {
      kind: "message",
      message: { id: "msg_1", sessionId, role: "user", createdAt: 1010, model: "mock/one" },
    },
    { kind: "message", message: answer },
    partChange({ type: "step-start", ...at(0, 1020) }),
  ]);
});

test("reminders hang at the message that is answered", () => {
  const first = [...answering, stepEnded("stp_2", [{ type: "text", text: "Yes." }])];
  expect(lastRows(...first, stepStarted("stp_3", "run_1", { reminders: ["Mind."] }))).toEqual([
    partChange({ type: "text", text: "Mind.", isSynthetic: true, id: "prt_1.00001", messageId: "msg_1", time: 1040 }),
    {
      kind: "message",
      message: { ...answer, id: "msg_3", treeParent: "msg_2", createdAt: 1040 },
    },
    partChange({ type: "step-start", id: "prt_3.00000", messageId: "msg_3", time: 1040 }),
  ]);
});

test("progress shows the text so far", () => {
  const first: Fact = { type: "step.progressed", stepId: "stp_2", appended: [{ type: "text", text: "He" }] };
  const second: Fact = {
    type: "step.progressed",
    stepId: "stp_2",
    appended: [{ type: "text", text: "llo" }, call("call_1")],
  };
  expect(lastRows(...answering, first)).toEqual([partChange({ type: "text", text: "He", ...at(1, 1030) })]);
  expect(lastRows(...answering, first, second)).toEqual([
    partChange({ type: "text", text: "Hello", ...at(1, 1030) }),
    toolPart(2, 1040, { status: "pending", raw: "{}" }),
  ]);
});

test("the end of a step shows the whole answer, its retries and what it cost", () => {
  const retry = { attempt: 1, code: "server_overload", delayMs: 5 } as const;
  const content = [
    { type: "reasoning", text: "Hm.", signature: "signed" },
    { type: "reasoning", text: "", signature: "hidden" },
    { type: "vendor", kind: "search", json: "{}" },
    { type: "text", text: "Yes." },
    call("call_1"),
  ] as const;
  expect(lastRows(...answering, stepEnded("stp_2", content, { stopReason: "tool-calls", retries: [retry] }))).toEqual([
    partChange({ type: "reasoning", text: "Hm.", ...at(1, 1030) }),
    partChange({ type: "text", text: "Yes.", ...at(2, 1030) }),
    toolPart(3, 1030, { status: "pending", raw: "{}" }),
    partChange({ type: "retry", retry, ...at(4, 1030) }),
    partChange({ type: "step-finish", reason: "tool-calls", usage, cost, ...at(99_999, 1030) }),
    { kind: "message", message: { ...answer, completedAt: 1030, stopReason: "tool-calls", usage, cost } },
  ]);
});

test("a block of a newer kedge is left out of the view", () => {
  // A cast on purpose: a newer version may write blocks that this one has no word for.
  const content = [
    { type: "hologram", light: 1 },
    { type: "text", text: "Yes." },
  ] as unknown as [];
  expect(lastRows(...answering, stepEnded("stp_2", content))[0]).toEqual(
    partChange({ type: "text", text: "Yes.", ...at(1, 1030) }),
  );
});

test("a call that starts before the answer is stored moves to its place with the answer", () => {
  const early = [...answering, toolStarted("stp_2", "call_1"), toolEnded("stp_2", "call_1", "completed")];
  const completed = { status: "completed", input: "{}", output: "out", startedAt: 1030, endedAt: 1040 } as const;
  expect(lastRows(...early)).toEqual([toolPart(1, 1030, completed)]);
  expect(
    lastRows(...early, stepEnded("stp_2", [{ type: "text", text: "First." }, call("call_1")])).slice(0, 2),
  ).toEqual([partChange({ type: "text", text: "First.", ...at(1, 1050) }), toolPart(2, 1030, completed)]);
});

test("what an answer lost since it was shown is removed", () => {
  const shown: Fact = {
    type: "step.progressed",
    stepId: "stp_2",
    appended: [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Yes." },
    ],
  };
  expect(lastRows(...answering, shown, stepEnded("stp_2", [{ type: "reasoning", text: "Hm." }])).slice(0, 1)).toEqual([
    { kind: "part-removed", messageId: "msg_2", partId: "prt_2.00002" },
  ]);
});

test("a call runs and completes", () => {
  const started = toolStarted("stp_2", "call_1", { inputText: '{"a":1}' });
  expect(lastRows(...withCall, started)).toEqual([
    toolPart(1, 1030, { status: "running", input: '{"a":1}', startedAt: 1040 }),
  ]);
  const media = [{ name: "a.png", mediaType: "image/png", base64: "AA" }];
  const end = toolEnded("stp_2", "call_1", "completed", { title: "Ran", metadata: { code: 0 }, media });
  expect(lastRows(...withCall, started, end)).toEqual([
    toolPart(1, 1030, {
      status: "completed",
      input: '{"a":1}',
      output: "out",
      title: "Ran",
      metadata: { code: 0 },
      attachments: media,
      startedAt: 1040,
      endedAt: 1050,
    }),
  ]);
});

test.each(["failed", "refused", "interrupted"] as const)("a call that is %s is an error", (outcome) => {
  expect(lastRows(...withCall, toolEnded("stp_2", "call_1", outcome))).toEqual([
    toolPart(1, 1030, { status: "error", input: "{}", error: "out", endedAt: 1040 }),
  ]);
});

test("changes of a call that do not exist are refused", () => {
  const done = [...withCall, toolStarted("stp_2", "call_1"), toolEnded("stp_2", "call_1", "completed")];
  const isOver = "call_1 of stp_2 is not an open call and stays unchanged";
  expect(lastRows(...withCall, toolEnded("stp_2", "call_1", "completed"))).toEqual([
    { kind: "refused", seq: 5, why: "call_1 cannot be completed after pending" },
  ]);
  expect(lastRows(...done, toolEnded("stp_2", "call_1", "failed"))).toEqual([{ kind: "refused", seq: 7, why: isOver }]);
  expect(lastRows(...done, toolStarted("stp_2", "call_1"))).toEqual([{ kind: "refused", seq: 7, why: isOver }]);
});

test("a call inside a call is a part of the same message and names the outer one", () => {
  const running = [...withCall, toolStarted("stp_2", "call_1"), toolStarted("stp_2", "call_1_1")];
  const inner = { type: "tool", callId: "call_1_1", tool: "bash", ...at(2, 1050) } as const;
  expect(lastRows(...running)).toEqual([
    partChange({ ...inner, state: { status: "running", input: "{}", startedAt: 1050 } }),
  ]);
  expect(lastRows(...running, toolEnded("stp_2", "call_1_1", "failed", { parentCallId: "call_1" }))).toEqual([
    partChange({
      ...inner,
      parentCallId: "call_1",
      state: { status: "error", input: "{}", error: "out", startedAt: 1050, endedAt: 1060 },
    }),
  ]);
});

test("a run that ends aborts the calls and the answer it left open", () => {
  const aborted = { status: "error", input: "{}", error: "Tool execution aborted" } as const;
  expect(lastRows(...withCall, { type: "run.ended", runId: "run_1", ...ended })).toEqual([
    toolPart(1, 1030, { ...aborted, endedAt: 1040 }),
  ]);
  const early = [...answering, toolStarted("stp_2", "call_1")];
  expect(lastRows(...early, { type: "run.ended", runId: "run_1", ...ended })).toEqual([
    toolPart(1, 1030, { ...aborted, startedAt: 1030, endedAt: 1040 }),
    {
      kind: "message",
      message: {
        ...answer,
        completedAt: 1040,
        failure: { code: "aborted", message: "The run ended before the answer was complete.", retryable: false },
      },
    },
  ]);
  expect(lastRows(...early, { type: "run.ended", runId: "run_9", ...ended })).toEqual([]);
});

test("a failed step keeps its failure, and the next one hangs where it hung", () => {
  const failure = { code: "server_error", message: "It broke.", retryable: true } as const;
  const failed = [...answering, stepEnded("stp_2", [call("call_1")], { outcome: "failed", failure })];
  expect(lastRows(...failed).at(-1)).toEqual({
    kind: "message",
    message: { ...answer, completedAt: 1030, usage, cost, failure },
  });
  expect(lastRows(...failed, stepStarted("stp_3", "run_1")).slice(0, 2)).toEqual([
    toolPart(1, 1030, { status: "error", input: "{}", error: "Tool execution aborted", endedAt: 1040 }),
    { kind: "message", message: { ...answer, id: "msg_3", createdAt: 1040 } },
  ]);
});

test("trees of the workspace are those before and after the step", () => {
  const snapshot = toolStarted("stp_2", "call_1", { snapshot: "tree 1" });
  const changed: Fact = {
    type: "files.changed",
    stepId: "stp_2",
    before: "tree 1",
    after: "tree 2",
    files: [{ path: "a.txt", status: "added" }],
    uncovered: ["huge.bin"],
  };
  const finish = { type: "step-finish", usage, cost, ...at(99_999, 1030) } as const;
  expect(lastRows(...withCall, snapshot).slice(0, 2)).toEqual([
    partChange({ type: "step-start", snapshot: "tree 1", ...at(0, 1020) }),
    partChange({ ...finish, snapshot: "tree 1" }),
  ]);
  expect(lastRows(...withCall, snapshot, changed)).toEqual([
    partChange({ type: "patch", before: "tree 1", files: changed.files, uncovered: ["huge.bin"], ...at(2, 1050) }),
    partChange({ ...finish, snapshot: "tree 2" }),
  ]);
  expect(lastRows(...withCall, snapshot, changed, stepStarted("stp_3", "run_1")).at(-1)).toEqual(
    partChange({ type: "step-start", snapshot: "tree 2", id: "prt_3.00000", messageId: "msg_3", time: 1060 }),
  );
});

test("a cleared output is marked, and only a completed one", () => {
  const done = [...withCall, toolStarted("stp_2", "call_1"), toolEnded("stp_2", "call_1", "completed")];
  const results = [
    { stepId: "stp_2", callId: "call_1", text: "[cleared]" },
    { stepId: "stp_2", callId: "call_2", text: "[cleared]" },
  ];
  expect(lastRows(...done, { type: "context.cleared", reason: "size", results, tokensFreed: 9 })).toEqual([
    { kind: "output-cleared", messageId: "msg_2", partId: "prt_2.00001", compactedAt: 1060 },
    { kind: "refused", seq: 7, why: "call_2 of stp_2 has no completed output to clear" },
  ]);
});

test("the output of a failed call is not cleared", () => {
  const failed = [...withCall, toolEnded("stp_2", "call_1", "failed")];
  const results = [{ stepId: "stp_2", callId: "call_1", text: "[cleared]" }];
  expect(lastRows(...failed, { type: "context.cleared", reason: "size", results, tokensFreed: 9 })).toEqual([
    { kind: "refused", seq: 6, why: "call_1 of stp_2 has no completed output to clear" },
  ]);
});

test("files that a step without an answer changed come behind its start", () => {
  const files = [{ path: "a.txt", status: "added" }] as const;
  const changed: Fact = { type: "files.changed", stepId: "stp_2", before: "a", after: "b", files, uncovered: [] };
  expect(lastRows(...answering, { type: "run.ended", runId: "run_1", ...ended }, changed)).toEqual([
    partChange({ type: "patch", before: "a", files, ...at(1, 1040) }),
  ]);
});

test("facts of a step that is not open are refused", () => {
  const why = "stp_9 is not the open step; its answer stays unchanged";
  expect(lastRows(...answering, { type: "step.progressed", stepId: "stp_9", appended: [] })).toEqual([
    { kind: "refused", seq: 4, why },
  ]);
  expect(lastRows(...answering, stepEnded("stp_9", []))).toEqual([{ kind: "refused", seq: 4, why }]);
  const files: Fact = { type: "files.changed", stepId: "stp_9", before: "a", after: "b", files: [], uncovered: [] };
  expect(lastRows(...answering, files)).toEqual([
    { kind: "refused", seq: 4, why: "stp_9 is not a known step; its changes are not shown" },
  ]);
  const unknown = stepStarted("stp_3", "run_1", {
    prompts: [{ promptId: "prm_9", form: "prompt" }],
    reminders: ["Mind."],
  });
  expect(lastRows(created, prompt("prm_1", "run_1"), unknown).slice(0, 2)).toEqual([
    { kind: "refused", seq: 3, why: "prm_9 is not a queued prompt and cannot enter the conversation" },
    { kind: "refused", seq: 3, why: "a reminder has no message of the user to hang at" },
  ]);
});
