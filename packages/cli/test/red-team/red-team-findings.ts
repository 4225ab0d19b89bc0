/** How a test of the red team tells what it found. */
import type { Attempt } from "./red-team-run.ts";

/** One line for each case that acted, leaked or never got an answer. */
export function findingsOf(attempts: readonly Attempt[]): readonly string[] {
  return attempts
    .filter(({ acts, outcome }) => acts.length > 0 || outcome.startsWith("missing"))
    .map(
      ({ id, setUp, command, outcome, acts }) =>
        `${id} (${setUp}) ${JSON.stringify(command)}: ${outcome}; ${acts.join(", ")}`,
    );
}
