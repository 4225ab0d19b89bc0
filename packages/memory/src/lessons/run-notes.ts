/** What of a run a lesson is made of: its task, its tools, how its steps ended and why. Never what a tool gave. */
import type { RunReason, RunResult, SessionState, TreeItem } from "@kedge/protocol";

export type EndedRun = {
  readonly task: string;
  readonly toolNames: readonly string[];
  readonly steps: number;
  readonly failedSteps: number;
  readonly errors: readonly string[];
  readonly reason: RunReason;
  /** The model answered nothing at all. */
  readonly isEmpty: boolean;
};

const taskCharactersMax = 4_000;

/**
 * `state` is that of the session right before the end of the run is recorded. It is read only then, so that a run costs
 * nothing on its way, and one that another process began is known as well.
 */
export function notesOfRun(
  state: Pick<SessionState, "tree" | "leaf" | "step">,
  ended: RunResult & { readonly runId: string },
): EndedRun {
  const { reason, failure, turns, emptyAnswer } = ended;
  const tools = new Set<string>();
  const failed = new Set<string>();
  let answers = 0;
  let task = "";
  for (const item of backToPrompt(state)) {
    if (item.type === "prompt") task = item.text.slice(0, taskCharactersMax);
    if (item.type === "answer") {
      answers += 1;
      for (const block of item.content) if (block.type === "tool-call") tools.add(block.tool);
    }
    const step = item.type === "released" ? item.step : item.type === "results" ? item : undefined;
    if (step?.results.some(({ outcome }) => outcome === "failed" || outcome === "refused")) failed.add(step.stepId);
  }
  // A run that was recovered has no count of its own.
  const isStarted = state.step?.runId === ended.runId;
  const steps = isStarted ? Math.max(turns, answers, 1) : 0;
  return {
    task,
    toolNames: [...tools].reverse(),
    steps,
    failedSteps: failed.size + Math.max(0, steps - answers),
    errors: failure === undefined ? [] : [failure.message],
    reason,
    isEmpty: emptyAnswer === true,
  };
}

/** From the newest entry to the prompt that began the run. */
function* backToPrompt({ tree, leaf }: Pick<SessionState, "tree" | "leaf">): Generator<TreeItem> {
  for (let entry = tree.get(leaf ?? ""); entry !== undefined; entry = tree.get(entry.parent ?? "")) {
    yield entry.item;
    if (entry.item.type === "prompt" && entry.item.form === "prompt") return;
  }
}
