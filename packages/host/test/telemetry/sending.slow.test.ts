/** Proves that notes are sent while kedge runs, and that a defect of telemetry ends telemetry alone. */
import type { Event, Fact } from "@kedge/protocol";
import { runWithoutSteps } from "@kedge/protocol";
import { recordsOf } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { createTelemetry } from "../../src/telemetry/create-telemetry.ts";
import { type CollectorDouble, startCollector } from "./collector-site.ts";
import { readTraces } from "./read-otlp.ts";

let collector: CollectorDouble | undefined;

afterEach(async () => {
  await collector?.close();
  collector = undefined;
});

type Listener = (sessionId: string, event: Event) => void;

function openTelemetry(endpoint: string, toolNames: () => readonly string[] = () => []) {
  const notices: string[] = [];
  const listeners = new Set<Listener>();
  const telemetry = createTelemetry({
    // Shorter than a file may say, so that nobody waits.
    settings: { enabled: true, endpoint, headers: {}, intervalSeconds: 0.05 },
    environment: {},
    kedgeVersion: "0",
    onNotice: (sentence) => notices.push(sentence),
  });
  const subscribeAll = (listener: Listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  telemetry.follow({ subscribeAll }, toolNames);
  const publish = (facts: readonly Fact[]) => {
    for (const record of recordsOf(facts))
      for (const told of listeners) told(record.sessionId, { kind: "fact", record });
  };
  return { telemetry, notices, publish, listeners };
}

const run = (runId: string): readonly Fact[] => [
  { type: "prompt.admitted", promptId: "prm", runId, delivery: "steer", text: "go" },
  { type: "run.ended", runId, ...runWithoutSteps("completed", "Done.") },
];

const unknownCall: Fact = {
  type: "tool.ended",
  callId: "c",
  stepId: "s",
  tool: "read",
  outcome: "failed",
  output: "",
  phases: {},
};

test("what ended is sent at the next interval, again and again, without a close", async () => {
  collector = await startCollector();
  const { sent, url } = collector;
  const { telemetry, publish, notices } = openTelemetry(url);
  publish(run("r1"));
  await expect.poll(() => readTraces(sent).length).toBe(1);
  publish(run("r2"));
  await expect.poll(() => readTraces(sent).length).toBe(2);
  await telemetry.close();
  expect(notices).toEqual([]);
});

test("after the close nothing is listened to", async () => {
  collector = await startCollector();
  const { telemetry, publish, listeners } = openTelemetry(collector.url);
  publish(run("r1"));
  await telemetry.close();
  expect(listeners.size).toBe(0);
  const { length } = collector.sent;
  await telemetry.close();
  expect(collector.sent).toHaveLength(length);
});

test("a defect ends telemetry with one notice and never reaches the publisher", async () => {
  collector = await startCollector();
  const { telemetry, publish, notices } = openTelemetry(collector.url, () => {
    throw new Error("The list of tools is broken");
  });
  publish([unknownCall, unknownCall, ...run("r1")]);
  await telemetry.close();
  expect(notices).toEqual([
    "Telemetry stopped after an error: The list of tools is broken. kedge continues without it.",
  ]);
  expect(collector.sent).toEqual([]);
});
