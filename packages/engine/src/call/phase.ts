/** What a phase of a call is, and how a call passes a list of them. */
import type { Call } from "./call.ts";

/**
 * Gets the call as known so far and gives it further on; one that sets `end` ends it. Gives a promise only where there
 * is something to wait for, and marks in the timings of the call what took time.
 */
export type Phase = {
  readonly takes: "open" | "ended";
  pass(call: Call): Call | Promise<Call>;
};

/** No await where there is nothing to wait for: a plain read then shares its transaction with the answer it follows. */
export function passPhases(phases: readonly Phase[], call: Call, from = 0): Call | Promise<Call> {
  let reached = call;
  for (let index = from; index < phases.length; index += 1) {
    const phase = phases[index] as Phase;
    if ((phase.takes === "ended") !== (reached.end !== undefined)) continue;
    const passed = phase.pass(reached);
    if (passed instanceof Promise) return passed.then((next) => passPhases(phases, next, index + 1));
    reached = passed;
  }
  return reached;
}
