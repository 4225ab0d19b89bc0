/** Starts the clock of a call. */
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";
import { startTimings } from "../timings.ts";

export function begin({ engine }: Pick<CallServices, "engine">): Phase {
  return { takes: "open", pass: (call) => ({ ...call, timings: startTimings(engine.clock) }) };
}
