/** Reads the input of a call, and with it whether the call only reads and may run beside others. */
import type { JsonObject, Tool } from "@kedge/protocol";
import { reportOf } from "../attempt.ts";
import { failed } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";
import { parseArguments } from "../text/call-input.ts";
import { createSchemaHint } from "../undiscovered-tool.ts";

export function parse({ engine, journal }: Pick<CallServices, "engine" | "journal">): Phase {
  const schemaHint = createSchemaHint(journal.state);
  return {
    takes: "open",
    pass(call) {
      const { tool, block } = call;
      const read = parseArguments(block.inputText);
      if (!read.ok) return failed(call, engine.redact(read.report));
      try {
        const parsed = tool.parse(read.value);
        if (!parsed.ok) return failed(call, engine.redact(whyUnfit(tool, read.value, schemaHint(tool, parsed.report))));
        const { input } = parsed;
        const readOnly = tool.readOnly(input);
        return { ...call, json: read.value, input, readOnly, concurrencySafe: isSafe(tool, input) };
      } catch (error) {
        return failed(call, reportOf(error, engine.redact));
      }
    },
  };
}

/** Where nothing of what a tool requires arrived, it may just as well have been lost. */
function whyUnfit({ inputSchema }: Tool, input: JsonObject, report: string): string {
  const isLost = Object.keys(input).length === 0 && (inputSchema.required ?? []).length > 0;
  return isLost
    ? `The call arrived without its arguments, so nothing ran. Send it again with them.\n${report}`
    : report;
}

/** A tool that cannot tell counts as not safe. */
function isSafe(tool: Tool, input: unknown): boolean {
  try {
    return tool.concurrencySafe(input);
  } catch {
    return false;
  }
}
