/** Which tree of the workspace stood on the disk at each step, as far as the record tells. */
import type { RecordedStep, Segment } from "./recorded-session.ts";

type Known = { readonly index: number; readonly runIndex: number; readonly tree: string };

/**
 * By the id of the step. A step whose calls changed files names its tree. Others lie between two such places: within
 * one run the nearest one counts, as long as both sides do not contradict each other; across runs, where the user may
 * have worked as well, only equal sides count.
 */
export function planTrees(segments: readonly Segment[]): ReadonlyMap<string, string> {
  const steps: { readonly step: RecordedStep; readonly runIndex: number }[] = [];
  let runIndex = 0;
  for (const { moves } of segments) {
    for (const move of moves) {
      if (move.kind !== "run") continue;
      runIndex += 1;
      for (const step of move.run.steps) steps.push({ step, runIndex });
    }
  }
  const plan = new Map<string, string>();
  for (const [index, { step, runIndex: own }] of steps.entries()) {
    const { stepId } = step.started;
    const begun = treeBefore(step);
    const before = lastKnown(steps, index);
    const after = nextKnown(steps, index);
    const tree = begun ?? between(own, before, after);
    if (tree !== undefined) plan.set(stepId, tree);
  }
  return plan;
}

type Steps = readonly { readonly step: RecordedStep; readonly runIndex: number }[];

/** Taken before the first call of the step that could change anything. */
function treeBefore({ calls, changes }: RecordedStep): string | undefined {
  for (const { started } of calls.values()) if (started?.fact.snapshot !== undefined) return started.fact.snapshot;
  return changes?.before;
}

function lastKnown(steps: Steps, index: number): Known | undefined {
  for (let at = index - 1; at >= 0; at -= 1) {
    const found = steps[at];
    const tree = found && (found.step.changes?.after ?? treeBefore(found.step));
    if (found !== undefined && tree !== undefined) return { index: at, runIndex: found.runIndex, tree };
    // Something changed files here, and nobody knows which.
    if (found !== undefined && [...found.step.calls.values()].some(({ started }) => started?.fact.readOnly === false))
      return undefined;
  }
  return undefined;
}

function nextKnown(steps: Steps, index: number): Known | undefined {
  for (let at = index + 1; at < steps.length; at += 1) {
    const found = steps[at];
    const tree = found && treeBefore(found.step);
    if (found !== undefined && tree !== undefined) return { index: at, runIndex: found.runIndex, tree };
    if (found !== undefined && [...found.step.calls.values()].some(({ started }) => started?.fact.readOnly === false))
      return undefined;
  }
  return undefined;
}

function between(own: number, before: Known | undefined, after: Known | undefined): string | undefined {
  if (before !== undefined && after !== undefined && before.tree === after.tree) return before.tree;
  const isBefore = before?.runIndex === own;
  const isAfter = after?.runIndex === own;
  if (isBefore && isAfter) return undefined;
  if (isBefore) return before.tree;
  return isAfter ? after.tree : undefined;
}
