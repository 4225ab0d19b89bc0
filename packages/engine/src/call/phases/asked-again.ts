/** Has a call judged and asked about again when something that its answer was for changed meanwhile. */
import { type Call, failed } from "../call.ts";
import type { Phase } from "../phase.ts";

/** Whoever was asked so often has seen that it does not hold still. */
const timesAskedAgainMax = 3;

export function askedAgain(passAgain: (call: Call) => Call | Promise<Call>): Phase {
  return {
    takes: "open",
    pass(call) {
      const { changes, timesAskedAgain } = call;
      if (changes === undefined) return call;
      if (timesAskedAgain >= timesAskedAgainMax) {
        const text = `What this call would use kept changing while the user was asked (${changes.join("; ")}), so it did not run.`;
        return failed(call, text);
      }
      const { changes: _, allowedBy: __, answered: ___, ...rest } = call;
      return passAgain({ ...rest, raised: changes, timesAskedAgain: timesAskedAgain + 1 });
    },
  };
}
