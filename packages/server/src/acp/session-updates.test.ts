/** Proves what an editor sees when signals are lost, come late, or are followed by nothing. */
import type { ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk";
import {
  type AssistantBlock,
  type Event,
  type Fact,
  type FactOf,
  noUsage,
  runWithoutSteps,
  type Signal,
} from "@kedge/protocol";
import { expect, test } from "vitest";
import { createSessionUpdates } from "./session-updates.ts";

function translated(...happened: (Fact | Signal)[]): readonly SessionUpdate[] {
  const updates = createSessionUpdates({ cwd: "/work", capabilities: {}, onNotice: () => {} });
  return happened.flatMap((each, index) => updates.of(eventOf(each, index + 1)));
}

function eventOf(happened: Fact | Signal, seq: number): Event {
  if ("sessionId" in happened && happened.type.match(/\.(?:delta|progress)$/))
    // Only signals have such names.
    return { kind: "signal", signal: happened as Signal };
  const record = { sessionId: "ses_1", seq, time: 0, fact: happened as Fact };
  // The parts of a record that prove its place in the chain are of no interest here.
  return { kind: "fact", record: record as unknown as Extract<Event, { kind: "fact" }>["record"] };
}

const delta = (text: string): Signal => ({ type: "text.delta", sessionId: "ses_1", stepId: "stp_1", text });
const stepEnded = (content: readonly AssistantBlock[]): Fact => ({
  type: "step.ended",
  stepId: "stp_1",
  outcome: "answered",
  content,
  usage: noUsage,
  cost: { usd: 0, estimated: false },
  durationMs: 1,
});
const chunk = (text: string) => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
  messageId: "msg_1",
});

test("what lost signals would have said comes with the finished answer, once", () => {
  const whole = stepEnded([{ type: "text", text: "Hello, world." }]);
  expect(translated(whole)).toEqual([chunk("Hello, world.")]);
  expect(translated(delta("Hello,"), whole)).toEqual([chunk("Hello,"), chunk(" world.")]);
  expect(translated(delta("Hello,"), delta(" world."), whole)).toEqual([chunk("Hello,"), chunk(" world.")]);
  expect(translated(delta("Something else"), whole)).toEqual([chunk("Something else")]);
});

test("an answer of dots is not shown", () => {
  expect(translated(delta(" ."), delta(".."), stepEnded([{ type: "text", text: " ..." }]))).toEqual([]);
});

test("a call that was announced and never ran is failed when the run ends", () => {
  const announced: Signal = {
    type: "tool.input.delta",
    sessionId: "ses_1",
    stepId: "stp_1",
    callId: "call_1",
    tool: "write",
    text: '{"filePath":',
  };
  const over: Fact = { type: "run.ended", runId: "run_1", ...runWithoutSteps("aborted", "") };
  expect(translated(announced, announced, over, over)).toEqual([
    {
      sessionUpdate: "tool_call",
      toolCallId: "call_1",
      title: "write",
      name: "write",
      kind: "edit",
      status: "pending",
    },
    { sessionUpdate: "tool_call_update", toolCallId: "call_1", status: "failed" },
  ]);
});

test("progress shows the end of what was written, and an input that is no JSON is shown as text", () => {
  const started: Fact = {
    type: "tool.started",
    callId: "call_1",
    stepId: "stp_1",
    tool: "bash",
    inputText: "{broken",
    readOnly: false,
  };
  const progress: Signal = {
    type: "tool.progress",
    sessionId: "ses_1",
    callId: "call_1",
    count: 1,
    text: `lost${"x".repeat(8_192)}`,
    stream: "stdout",
  };
  expect(translated(started, progress)).toEqual([
    {
      sessionUpdate: "tool_call",
      toolCallId: "call_1",
      name: "bash",
      kind: "execute",
      title: "bash",
      locations: [],
      rawInput: { text: "{broken" },
      status: "pending",
    },
    { sessionUpdate: "tool_call_update", toolCallId: "call_1", status: "in_progress" },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "call_1",
      content: [{ type: "content", content: { type: "text", text: `\`\`\`\n${"x".repeat(8_192)}\n\`\`\`` } }],
    },
  ]);
});

test("a summary is told to editors that know of summaries", () => {
  const compacted: FactOf<"context.compacted"> = {
    type: "context.compacted",
    compactionId: "cmp_1",
    trigger: "manual",
    strategy: "summary",
    summary: "All of it.",
    shortSummary: "It.",
    restored: [],
    files: { read: [], modified: [] },
    itemsReplaced: 3,
    tokensBefore: 100,
    tokensAfter: 10,
    boundary: {},
    usage: noUsage,
    cost: { usd: 0, estimated: false },
  };
  const told: string[] = [];
  const of = (capabilities: ClientCapabilities, fact = compacted) =>
    createSessionUpdates({ cwd: "/work", capabilities, onNotice: (text) => told.push(text) }).of(eventOf(fact, 1));
  expect(of({})).toEqual([]);
  expect(told).toEqual([]);
  expect(of({}, { ...compacted, trigger: "threshold" })).toEqual([]);
  expect(told).toEqual(["Conversation compacted from 100 to 10 tokens."]);
  expect(of({ session: { compaction: {} } })).toEqual([
    {
      sessionUpdate: "compaction_update",
      compactionId: "cmp_1",
      status: "completed",
      summary: [{ type: "text", text: "It." }],
    },
  ]);
});
