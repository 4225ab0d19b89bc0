/** Reads the input of a call, and with it whether the call only reads and may run beside others. */
import type { JsonObject, Tool } from "@kedge/protocol";
import { reportOf } from "../attempt.ts";
import { failed } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";
import { parseArguments } from "../text/call-input.ts";
import { createSchemaHint } from "../undiscovered-tool.ts";

export function parse({ engine, pool }: Pick<CallServices, "engine" | "pool">): Phase {
  const schemaHint = createSchemaHint(pool);
  return {
    takes: "open",
    pass(call) {
      const { tool, block } = call;
      const read = parseArguments(block.inputText);
      if (!read.ok) return failed(call, engine.redact(read.report));
      try {
        const lost = lostArguments(tool, read.value);
        if (lost !== undefined) return failed(call, engine.redact(schemaHint(tool, lost)));
        const parsed = tool.parse(read.value);
        if (!parsed.ok) return failed(call, engine.redact(schemaHint(tool, parsed.report)));
        const { input } = parsed;
        const readOnly = tool.readOnly(input);
        return { ...call, json: read.value, input, readOnly, concurrencySafe: isSafe(tool, input) };
      } catch (error) {
        return failed(call, reportOf(error, engine.redact));
      }
    },
  };
}

/** Where nothing of what a tool requires arrived, it may just as well have been lost on the way. */
function lostArguments({ inputSchema }: Tool, input: JsonObject): string | undefined {
  const { required = [] } = inputSchema;
  if (required.length === 0 || Object.keys(input).length > 0) return undefined;
  return `The call arrived without its arguments, so nothing ran. Send it again with them: ${required.join(", ")}.`;
}

/** A tool that cannot tell counts as not safe. */
function isSafe(tool: Tool, input: unknown): boolean {
  try {
    return tool.concurrencySafe(input);
  } catch {
    return false;
  }
}
