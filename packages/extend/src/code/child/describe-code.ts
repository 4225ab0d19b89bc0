/** What kedge is told of a file: its tools with their schemas, its hooks, and what could not be used. */
import type { Json, JsonObject } from "@kedge/protocol";
import type { FoundCode } from "./collect-exports.ts";
import { readConfig } from "./read-config.ts";

export async function describeCode({ tools, hooks, notes }: FoundCode): Promise<JsonObject> {
  const config = await readConfig(hooks.get("config") ?? []);
  return {
    commands: config.commands,
    tools: [...tools.values()].map(({ name, definition, schema }) => {
      const flags = Object.fromEntries(
        ["readOnly", "concurrencySafe", "hidden", "deferrable", "interruptible", "strict"].map((flag) => [
          flag,
          definition[flag] === true,
        ]),
      );
      const { label, timeoutMs, description = "" } = definition;
      return {
        name,
        description: String(description),
        // JSON, as `readToolSchema` made it.
        parameters: schema.parameters as JsonObject,
        ...flags,
        ...(typeof label === "string" && { label }),
        ...(typeof timeoutMs === "number" && { timeoutMs }),
        rendersCall: typeof definition["renderCall"] === "function",
        rendersResult: typeof definition["renderResult"] === "function",
        describesApproval: typeof definition["formatApprovalDetails"] === "function",
        listens: typeof definition["onSession"] === "function",
      } satisfies { readonly [name: string]: Json };
    }),
    hooks: [...hooks.keys()],
    notes: [...notes, ...config.notes],
  };
}
