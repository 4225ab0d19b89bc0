/** Proves which two items of a stream become one, and that nothing else does. */
import type { Event, EventFrame, FactRecord, Signal } from "@kedge/protocol";
import { expect, test } from "vitest";
import { mergeDeltas } from "./merge-deltas.ts";
import type { StreamItem } from "./port-messages.ts";

const sessionId = "ses_1";

const event = (signal: Signal): Event => ({ kind: "signal", signal });
const frame = (id: string, type: string, properties: EventFrame["properties"]): EventFrame => ({
  ...{ id, type, directory: "/d", sessionId, properties },
});

const partDelta = (id: string, delta: string, other: EventFrame["properties"] = {}) =>
  frame(id, "message.part.delta", { messageId: "msg_1", partId: "prt_1", field: "text", delta, ...other });
const textDelta = (text: string, stepId = "stp_1") => event({ type: "text.delta", sessionId, stepId, text });
const inputDelta = (text: string, callId = "call_1") =>
  event({ type: "tool.input.delta", sessionId, stepId: "stp_1", callId, tool: "bash", text });
const progress = (count: number, text: string, stream: "stdout" | "stderr" = "stdout") =>
  event({ type: "tool.progress", sessionId, callId: "call_1", count, text, stream });
const taskProgress = (id: string, count: number, text: string, callId = "call_1") =>
  frame(id, "task.progress", { callId, count, text, stream: "stdout" });
const fact: FactRecord = {
  ...{ sessionId, seq: 1, time: 1, prev: "h0", hash: "h1" },
  fact: { type: "model.changed", model: "a" },
};

test.each<[string, StreamItem, StreamItem, StreamItem]>([
  ["deltas of a part, with the later id", partDelta("1-b-1", "a"), partDelta("1-b-2", "b"), partDelta("1-b-2", "ab")],
  ["texts of a step", textDelta("a"), textDelta("b"), textDelta("ab")],
  [
    "thoughts of a step",
    event({ type: "reasoning.delta", sessionId, stepId: "stp_1", text: "a" }),
    event({ type: "reasoning.delta", sessionId, stepId: "stp_1", text: "b" }),
    event({ type: "reasoning.delta", sessionId, stepId: "stp_1", text: "ab" }),
  ],
  ["inputs of a call", inputDelta("{"), inputDelta("}"), inputDelta("{}")],
  ["reports of a call, with the later count", progress(1, "a\n"), progress(2, "b\n"), progress(2, "a\nb\n")],
  ["reports in frames", taskProgress("1-b-1", 1, "a"), taskProgress("1-b-2", 2, "b"), taskProgress("1-b-2", 2, "ab")],
  [
    "frames of signals",
    frame("1-b-1", "text.delta", { stepId: "stp_1", text: "a" }),
    frame("1-b-2", "text.delta", { stepId: "stp_1", text: "b" }),
    frame("1-b-2", "text.delta", { stepId: "stp_1", text: "ab" }),
  ],
])("%s become one", (_, earlier, later, merged) => {
  expect(mergeDeltas(earlier, later)).toEqual(merged);
});

test.each<[string, StreamItem, StreamItem]>([
  ["another part", partDelta("1-b-1", "a"), partDelta("1-b-2", "b", { partId: "prt_2" })],
  ["another field", partDelta("1-b-1", "a"), partDelta("1-b-2", "b", { field: "raw" })],
  ["another message", partDelta("1-b-1", "a"), partDelta("1-b-2", "b", { messageId: "msg_2" })],
  ["another session", partDelta("1-b-1", "a"), { ...partDelta("1-b-2", "b"), sessionId: "ses_2" }],
  ["another step", textDelta("a"), textDelta("b", "stp_2")],
  ["another kind", textDelta("a"), event({ type: "reasoning.delta", sessionId, stepId: "stp_1", text: "b" })],
  ["another call", inputDelta("a"), inputDelta("b", "call_2")],
  ["another task", taskProgress("1-b-1", 1, "a"), taskProgress("1-b-2", 1, "b", "call_2")],
  ["the other stream", progress(1, "a"), progress(2, "b", "stderr")],
  ["a notice", event({ type: "notice", sessionId, text: "a" }), event({ type: "notice", sessionId, text: "b" })],
  ["a fact", { kind: "fact", record: fact }, { kind: "fact", record: fact }],
  ["a record", fact, fact],
  ["a frame of a fact", { ...partDelta("1-b-0", "a"), seq: 1 }, { ...partDelta("2-b-0", "b"), seq: 2 }],
  ["a whole part", partDelta("1-b-1", "a"), frame("1-b-2", "message.part.updated", { part: { id: "prt_1" } })],
  ["what has no text", partDelta("1-b-1", "a"), partDelta("1-b-2", "b", { delta: null })],
])("%s stays by itself", (_, earlier, later) => {
  expect(mergeDeltas(earlier, later)).toBeUndefined();
});
