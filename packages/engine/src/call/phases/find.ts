/** Finds the tool that a call names. */
import { failed } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";
import { cutOffText } from "../text/call-input.ts";

export function find({ pool, engine }: Pick<CallServices, "pool" | "engine">): Phase {
  return {
    takes: "open",
    pass(call) {
      const { block } = call;
      if (block.incomplete) return failed(call, cutOffText);
      const tool = pool.find(block.tool);
      if (tool !== undefined) return { ...call, tool };
      return failed(call, engine.redact(pool.describeMissing(block.tool)));
    },
  };
}
