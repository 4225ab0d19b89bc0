/** Which stored pieces of answers are no longer needed, because the whole answer is stored as well. */

export type StepFact = {
  readonly type: string;
  readonly stepId: string | undefined;
  readonly digest: string | undefined;
};

/**
 * Digests of the `step.progressed` facts whose step ended regularly. Facts come in order; where a step was cut off by
 * the next one or by the end of its run, the pieces are all there is of its answer.
 */
export function supersededSteps(facts: Iterable<StepFact>): ReadonlySet<string> {
  const superseded = new Set<string>();
  let open: { readonly stepId: string | undefined; readonly pieces: string[] } | undefined;
  for (const { type, stepId, digest } of facts) {
    if (type === "run.ended") open = undefined;
    else if (type === "step.started") open = { stepId, pieces: [] };
    else if (open === undefined || stepId !== open.stepId) continue;
    else if (type === "step.progressed" && digest !== undefined) open.pieces.push(digest);
    else if (type === "step.ended") {
      for (const piece of open.pieces) superseded.add(piece);
      open = undefined;
    }
  }
  return superseded;
}
