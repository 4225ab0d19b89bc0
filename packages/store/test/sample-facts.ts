/** Facts of every shape that a store must give back unchanged, and the randomness of random tests. */
import { type Fact, type FactOf, noUsage } from "@kedge/protocol";

export const created: FactOf<"session.created"> = {
  type: "session.created",
  directory: "/project",
  projectId: "project-1",
  model: "mock/small",
  mode: "default",
  kedgeVersion: "0.1.0",
  boot: "boot-1",
};

export function createdWith(fields: Partial<FactOf<"session.created">>): Fact {
  return { ...created, ...fields };
}

export function prompt(text: string, promptId = "prm_1"): Fact {
  return { type: "prompt.admitted", promptId, runId: "run_1", delivery: "follow-up", text };
}

/** With content, with empty content, with no content, with awkward characters. */
export const sampleFacts: readonly Fact[] = [
  created,
  prompt("Fix the bug\nin the parser"),
  {
    type: "step.started",
    stepId: "stp_1",
    runId: "run_1",
    turn: 1,
    source: "main",
    model: "mock/small",
    requestId: "req_1",
    prompts: [{ promptId: "prm_1", form: "prompt" }],
    reminders: [],
  },
  {
    type: "step.ended",
    stepId: "stp_1",
    outcome: "answered",
    content: [
      { type: "text", text: 'naïve 🌊 \u0000 \ud800 \u2028 "quoted"' },
      { type: "tool-call", callId: "call_1", tool: "read", inputText: '{"filePath": "a.ts" }' },
    ],
    usage: { ...noUsage, input: 12, output: 3 },
    cost: { usd: 0.000123, estimated: true },
    stopReason: "tool-calls",
    durationMs: 12.5,
  },
  {
    type: "tool.ended",
    callId: "call_1",
    stepId: "stp_1",
    tool: "read",
    outcome: "completed",
    output: "",
    title: "a.ts",
    metadata: { zebra: 1, apple: [null, { b: 1, a: 2 }] },
    phases: { run: 0.25 },
  },
  { type: "command.ran", command: "stats", text: "", data: 7 },
  { type: "mode.changed", mode: "plan" },
];
