/** How long the stretches of a call took, in the order in which they were passed. */
import type { PhaseTimings } from "@kedge/protocol";
import type { Clock } from "../parts.ts";

export interface Timings {
  readonly marks: PhaseTimings;
  /** Everything since the last mark was this stretch. */
  mark(stretch: string): void;
}

/** For a call that never began. */
export const untimed: Timings = { marks: {}, mark: () => undefined };

export function startTimings({ monotonicMs }: Clock): Timings {
  const marks: { [stretch: string]: number } = {};
  let since = monotonicMs();
  return {
    marks,
    mark(stretch) {
      const now = monotonicMs();
      marks[stretch] = Math.round((now - since) * 1000) / 1000;
      since = now;
    },
  };
}
