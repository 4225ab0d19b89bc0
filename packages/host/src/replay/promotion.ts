/** Runs that a model with a larger window took over: where they are, and what has the engine do so at the same place. */
import { type RecordedRun, type RecordedStep, stepAfter } from "./recorded-session.ts";
import type { RecordedWorld } from "./recorded-world.ts";

/** No model has a window that a recorded conversation could fill: its size is the record's business. */
export const windowTokens = Number.MAX_SAFE_INTEGER;

/** Whatever is said, it is too much for this one. */
const windowTokensMin = 1;

/** The step with which another model took over for the sake of its window, when it is the one after this. */
export function promotionAfter(run: RecordedRun, step: RecordedStep | undefined): RecordedStep | undefined {
  const next = stepAfter(run, step);
  return next?.started.fallback?.reason === "context" ? next : undefined;
}

/** Undefined where the run went on with its model, as if no other was named. */
export function promotionModel({ run, step }: RecordedWorld): string | undefined {
  return run === undefined ? undefined : promotionAfter(run, step)?.started.model;
}

/** Which sizes and settings led to a promotion is not in the record, so that the window shrinks where one follows. */
export function windowOf(world: RecordedWorld, model: string): number {
  const larger = promotionModel(world);
  return larger === undefined || larger === model ? windowTokens : windowTokensMin;
}
