/** A call of a tool that is missing waits for servers that still connect, and is read again. */
import type { Call } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";

export function findLate({ pool }: Pick<CallServices, "pool">, read: (call: Call) => Call): Phase {
  return {
    takes: "ended",
    pass(call) {
      const { tool, block, origin } = call;
      const isFound = () => pool.find(block.tool) !== undefined;
      // The tool of a call is nameless until it is found.
      const waiting = tool.name === "" && !block.incomplete ? pool.awaitPending(origin.signal, isFound) : undefined;
      if (waiting === undefined) return call;
      return waiting.then(() => {
        const { end: _, ...open } = call;
        return read(open);
      });
    },
  };
}
