/** What a call of a tool that no request carried yet is told when its input is wrong. */
import type { Tool } from "@kedge/protocol";
import type { ToolPool } from "../tool-pool/tool-pool.ts";

export type SchemaHint = (tool: Tool, report: string) => string;

/** Adds to the report on a wrong input that the model never saw the schema; once per tool and run. */
export function createSchemaHint({ isUndiscovered }: Pick<ToolPool, "isUndiscovered">): SchemaHint {
  const hinted = new Set<string>();
  return (tool, report) => {
    if (!isUndiscovered(tool) || hinted.has(tool.name)) return report;
    hinted.add(tool.name);
    return `${report}\nThe schema of ${tool.name} was never sent. Call tool_search with the query select:${tool.name} first.`;
  };
}
