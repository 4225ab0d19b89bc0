/** Short words for tests of the view fold: a session that has begun, and what one more fact changes in it. */
import { recordsOf } from "@kedge/testing";
import {
  applyToView,
  emptyView,
  type Fact,
  type FactOf,
  noUsage,
  type PartBody,
  type PartView,
  type ToolOutcome,
  type ViewChange,
} from "../src/index.ts";

export const sessionId = "ses_a";
export const cost = { usd: 0.5, estimated: false };
export const usage = { ...noUsage, input: 7, output: 3 };

export const created: Fact = {
  type: "session.created",
  directory: "/work",
  projectId: "project",
  model: "mock/one",
  mode: "default",
  kedgeVersion: "0.0.0",
  boot: "boot_1",
};

/** What the last of these facts changes; it is stored at 990 ms and ten for each fact. */
export function lastChanges(...facts: readonly Fact[]): readonly ViewChange[] {
  const view = emptyView(sessionId);
  let changes: readonly ViewChange[] = [];
  for (const record of recordsOf(facts, sessionId)) changes = applyToView(view, record);
  return changes;
}

/** The same without the row of the session. */
export function lastRows(...facts: readonly Fact[]): readonly ViewChange[] {
  return lastChanges(...facts).filter(({ kind }) => kind !== "session");
}

export function partChange(part: PartBody & Pick<PartView, "id" | "messageId" | "time">): ViewChange {
  return { kind: "part", sessionId, part };
}

export function prompt(promptId: string, runId: string): Fact {
  return { type: "prompt.admitted", promptId, runId, delivery: "follow-up", text: "Do it." };
}

export function stepStarted(stepId: string, runId: string, more: Partial<FactOf<"step.started">> = {}): Fact {
  const asked = {
    turn: 1,
    source: "main",
    model: "mock/one",
    requestId: "request",
    prompts: [],
    reminders: [],
  } as const;
  return { type: "step.started", stepId, runId, ...asked, ...more };
}

export function stepEnded(
  stepId: string,
  content: FactOf<"step.ended">["content"],
  more: Partial<FactOf<"step.ended">> = {},
): Fact {
  return { type: "step.ended", stepId, outcome: "answered", content, usage, cost, durationMs: 5, ...more };
}

export function call(callId: string): FactOf<"step.ended">["content"][number] {
  return { type: "tool-call", callId, tool: "bash", inputText: "{}" };
}

export function toolStarted(stepId: string, callId: string, more: Partial<FactOf<"tool.started">> = {}): Fact {
  const decision = { behavior: "allow", source: "mode", reason: "test", rules: [] } as const;
  return { type: "tool.started", stepId, callId, tool: "bash", inputText: "{}", readOnly: true, decision, ...more };
}

export function toolEnded(
  stepId: string,
  callId: string,
  outcome: ToolOutcome,
  more: Partial<FactOf<"tool.ended">> = {},
): Fact {
  return { type: "tool.ended", stepId, callId, tool: "bash", outcome, output: "out", phases: {}, ...more };
}

/** A session whose first prompt is being answered; the next fact is stored at 1030 ms. */
export const answering: readonly Fact[] = [
  created,
  prompt("prm_1", "run_1"),
  stepStarted("stp_2", "run_1", { prompts: [{ promptId: "prm_1", form: "prompt" }] }),
];
