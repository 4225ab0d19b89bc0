/** Finds the tool that a call names. Only a call of a tool that is missing waits for servers that still connect. */
import { type Call, failed } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";
import { cutOffText } from "../text/call-input.ts";

export function find({ pool, engine }: Pick<CallServices, "pool" | "engine">): Phase {
  function found(call: Call): Call {
    const { tool: name } = call.block;
    const tool = pool.find(name);
    if (tool !== undefined) return { ...call, tool };
    const near = pool.nearNames(name).join(", ");
    return failed(call, engine.redact(`There is no tool named ${name}. The closest are: ${near}.`));
  }

  return {
    takes: "open",
    pass(call) {
      const { block } = call;
      if (block.incomplete) return failed(call, cutOffText);
      const tool = pool.find(block.tool);
      if (tool !== undefined) return { ...call, tool };
      const waiting = pool.awaitPending(call.origin.signal);
      return waiting === undefined ? found(call) : waiting.then(() => found(call));
    },
  };
}
