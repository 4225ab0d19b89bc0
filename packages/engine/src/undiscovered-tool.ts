/** What happens to a call of a tool that no request carried: it runs if it can, and is told how to learn its input if not. */
import type { JsonObject, Tool } from "@kedge/protocol";

type Found = { readonly foundTools: ReadonlySet<string> };

export type SchemaHint = (tool: Tool, report: string) => string;

/** Adds to the report on a wrong input that the model never saw the schema; once per tool and run. */
export function createSchemaHint(state: Found): SchemaHint {
  const hinted = new Set<string>();
  return (tool, report) => {
    if (!isUndiscovered(tool, state) || hinted.has(tool.name)) return report;
    hinted.add(tool.name);
    return `${report}\nThe schema of ${tool.name} was never sent. Call tool_search with the query select:${tool.name} first.`;
  };
}

/** A tool that ran is known from then on, as if the model had searched for it. */
export function markDiscovered(tool: Tool, state: Found, metadata: JsonObject | undefined): JsonObject | undefined {
  return isUndiscovered(tool, state) ? { ...metadata, foundTools: [tool.name] } : metadata;
}

function isUndiscovered({ name, searchHint }: Tool, { foundTools }: Found): boolean {
  return searchHint !== undefined && !foundTools.has(name);
}
