/** Tools that no request carried yet, and what a call of one is told when its input is wrong. */
import type { Tool } from "@kedge/protocol";

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

export function isUndiscovered({ name, searchHint }: Tool, { foundTools }: Found): boolean {
  return searchHint !== undefined && !foundTools.has(name);
}
