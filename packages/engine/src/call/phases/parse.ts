/** Reads the input of a call, and with it whether the call only reads and may run beside others. */
import type { JsonObject, Tool } from "@kedge/protocol";
import { reportOf } from "../attempt.ts";
import { failed } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";
import { parseArguments } from "../text/call-input.ts";
import { knownNames } from "../text/known-names.ts";
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
        const json = knownNames(tool, read.value);
        const lost = lostArguments(tool, json);
        if (lost !== undefined) return failed(call, engine.redact(schemaHint(tool, lost)));
        const parsed = tool.parse(json);
        if (!parsed.ok) return failed(call, engine.redact(schemaHint(tool, parsed.report)));
        const { input } = parsed;
        const readOnly = tool.readOnly(input);
        const ignored = ignoredNames(tool, json, input);
        const notes = ignored.length === 0 ? call.notes : [...call.notes, engine.redact(ignoredText(tool, ignored))];
        return { ...call, json, input, readOnly, notes, concurrencySafe: isSafe(tool, input) };
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

/** Parameters that the tool does not have. Some take other spellings of their own, so only what changes nothing was ignored. */
function ignoredNames(tool: Tool, given: JsonObject, input: unknown): readonly string[] {
  const { properties } = tool.inputSchema;
  if (properties === undefined) return [];
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length === 0) return [];
  const parsed = JSON.stringify(input);
  const isSameWithout = (names: readonly string[]) => {
    const others = Object.entries(given).filter(([name]) => !names.includes(name));
    const without = tool.parse(Object.fromEntries(others));
    return without.ok && JSON.stringify(without.input) === parsed;
  };
  return isSameWithout(unknown) ? unknown : unknown.slice(0, triedMax).filter((name) => isSameWithout([name]));
}

/** A call with more of them is beyond help. */
const triedMax = 20;
const namesMax = 5;
const nameCharactersMax = 60;

function ignoredText({ name, inputSchema }: Tool, ignored: readonly string[]): string {
  const shown = ignored.slice(0, namesMax).map((each) => JSON.stringify(each.slice(0, nameCharactersMax)));
  const more = ignored.length > namesMax ? ` and ${ignored.length - namesMax} more` : "";
  const known = Object.keys(inputSchema.properties ?? {}).join(", ");
  return `Ignored: ${shown.join(", ")}${more}. ${name} takes ${known === "" ? "no parameters" : known}.`;
}

/** A tool that cannot tell counts as not safe. */
function isSafe(tool: Tool, input: unknown): boolean {
  try {
    return tool.concurrencySafe(input);
  } catch {
    return false;
  }
}
