/** What of a run a lesson is made of: its task, its tools, how its steps ended and why. Never what a tool gave. */
import type { Fact, RunReason, RunResult } from "@kedge/protocol";

export type RunNotes = {
  readonly task: string;
  readonly toolNames: readonly string[];
  readonly steps: number;
  readonly failedSteps: number;
  readonly errors: readonly string[];
};

export type EndedRun = RunNotes & {
  readonly reason: RunReason;
  /** The model answered nothing at all. */
  readonly isEmpty: boolean;
};

type Open = {
  runId: string;
  task: string;
  tools: Set<string>;
  steps: Set<string>;
  failed: Set<string>;
  errors: string[];
};

export type RunWatch = {
  note(sessionId: string, facts: readonly Fact[]): void;
  /** The run that is over now; undefined when nothing is known of it. */
  end(sessionId: string, ended: RunResult & { readonly runId: string }): EndedRun | undefined;
};

const errorsMax = 3;
const taskCharactersMax = 4_000;

/** One for all sessions; keeps nothing of a run that is over. */
export function createRunWatch(): RunWatch {
  const runs = new Map<string, Open>();
  const open = (sessionId: string, runId: string): Open => {
    const known = runs.get(sessionId);
    if (known?.runId === runId) return known;
    const fresh: Open = { runId, task: "", tools: new Set(), steps: new Set(), failed: new Set(), errors: [] };
    runs.set(sessionId, fresh);
    return fresh;
  };
  return {
    note(sessionId, facts) {
      for (const fact of facts) {
        if (fact.type === "prompt.admitted") {
          // What is said into a run that is under way belongs to it.
          const run = runs.get(sessionId);
          if (run === undefined || run.steps.size === 0) takeTask(open(sessionId, fact.runId), fact.text);
        } else if (fact.type === "step.started" && fact.source === "main") {
          open(sessionId, fact.runId).steps.add(fact.stepId);
        } else if (fact.type === "run.ended") runs.delete(sessionId);
        else noteWork(runs.get(sessionId), fact);
      }
    },
    end: (sessionId, ended) => endOf(runs.get(sessionId), ended),
  };
}

function takeTask(run: Open, text: string): void {
  run.task = run.task === "" ? text.slice(0, taskCharactersMax) : run.task;
}

function noteWork(run: Open | undefined, fact: Fact): void {
  if (run === undefined) return;
  if (fact.type === "tool.started") run.tools.add(fact.tool);
  if (fact.type === "tool.ended" && (fact.outcome === "failed" || fact.outcome === "refused"))
    run.failed.add(fact.stepId);
  if (fact.type !== "step.ended" || fact.outcome === "answered" || !run.steps.has(fact.stepId)) return;
  run.failed.add(fact.stepId);
  if (fact.failure !== undefined && run.errors.length < errorsMax) run.errors.push(fact.failure.message);
}

function endOf(run: Open | undefined, fact: RunResult & { readonly runId: string }): EndedRun | undefined {
  if (run === undefined || run.runId !== fact.runId) return undefined;
  const { task, tools, steps, failed, errors } = run;
  const message = fact.failure?.message;
  const all = message === undefined || errors.includes(message) ? errors : [...errors, message];
  return {
    task,
    toolNames: [...tools],
    steps: steps.size,
    failedSteps: failed.size,
    errors: all.slice(0, errorsMax),
    reason: fact.reason,
    isEmpty: fact.emptyAnswer === true,
  };
}
