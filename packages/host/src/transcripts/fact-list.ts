/** The facts of an imported session as they are collected: folded along the way, and closed at the end. */
import { applyRecord, emptySession, type Fact, noUsage, runWithoutSteps, type SessionState } from "@kedge/protocol";
import type { ImportParts } from "./import-types.ts";

export type FactList = {
  add(fact: Fact, time: number): void;
  /** What the facts so far add up to. */
  readonly state: SessionState;
  /** Ends everything that is still open: nothing of an imported session may start to run by itself. */
  close(time: number): void;
  readonly facts: readonly Fact[];
  readonly times: readonly number[];
};

const notFinished = "Not finished in the original session.";
const free = { usage: noUsage, cost: { usd: 0, estimated: false } } as const;

/** Begins with the session itself, in the mode that asks. */
export function createFactList(
  parts: ImportParts,
  source: { readonly sessionId: string; readonly time: number },
): FactList {
  const facts: Fact[] = [];
  const times: number[] = [];
  const state = emptySession(source.sessionId);

  function add(fact: Fact, time: number): void {
    facts.push(fact);
    times.push(time);
    applyRecord(state, { sessionId: source.sessionId, seq: facts.length, time, fact, prev: "", hash: "" });
  }

  function close(time: number): void {
    for (const { promptId } of [...state.queue]) add({ type: "prompt.withdrawn", promptId }, time);
    const { step, runId } = state;
    if (step !== undefined && !step.answered) {
      const content = step.progress;
      const ended = { stepId: step.stepId, outcome: "interrupted", content, durationMs: 0 } as const;
      add({ type: "step.ended", ...ended, ...free }, time);
    }
    for (const { callId, stepId, tool, result } of [...state.calls.values()]) {
      if (result !== undefined) continue;
      const ended = { callId, stepId, tool, outcome: "interrupted", output: notFinished, phases: {} } as const;
      add({ type: "tool.ended", ...ended }, time);
    }
    if (runId !== undefined) add({ type: "run.ended", runId, ...runWithoutSteps("aborted", "") }, time);
  }

  const { directory, projectId, model, kedgeVersion, boot } = parts;
  const origin = { kind: "import", sessionId: source.sessionId } as const;
  add(
    { type: "session.created", directory, projectId, model, mode: "default", kedgeVersion, boot, origin },
    source.time,
  );
  return { add, state, close, facts, times };
}

/** What was imported, in numbers. */
export function countFacts(facts: readonly Fact[]): {
  readonly prompts: number;
  readonly answers: number;
  readonly calls: number;
} {
  const count = (isMeant: (fact: Fact) => boolean) => facts.filter(isMeant).length;
  return {
    prompts: count(({ type }) => type === "prompt.admitted"),
    answers: count((fact) => fact.type === "step.ended" && fact.content.length > 0),
    calls: count((fact) => fact.type === "tool.ended" && fact.parentCallId === undefined),
  };
}
