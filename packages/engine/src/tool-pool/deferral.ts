/** Which tools stay out of requests until the model searches for them, and whether that is worth it. */
import type { Model, Tool, ToolSourceKind } from "@kedge/protocol";

/** `windowPercent`: only once the schemas that are left out would take that share of the model's window. */
export type ToolSearchMode = "always" | "off" | { readonly windowPercent: number };

/** A rough count, because no vendor is asked for a better one before the first request. */
const charactersPerToken = 2.5;

type Deferral = {
  readonly mode: ToolSearchMode;
  readonly deferrable: readonly Tool[];
  /** All tools, with those that can be left out. */
  readonly count: number;
  /** Unknown before the first step. */
  readonly model: Model | undefined;
};

/** What a server brings is left out unless it says otherwise; what is named for a session is part of its requests. */
export function isDeferrable(tool: Tool, kind: ToolSourceKind, { isNamed }: { readonly isNamed: boolean }): boolean {
  if (tool.alwaysLoad || isNamed) return false;
  return kind === "mcp" || tool.searchHint !== undefined;
}

export function isWorthDeferring({ mode, deferrable, count, model }: Deferral): boolean {
  if (mode === "always" || exceedsLimit(count, model)) return true;
  if (mode === "off") return false;
  if (model === undefined) return true;
  const tokensMax = Math.floor((model.contextTokens * mode.windowPercent) / 100);
  return charactersOf(deferrable) >= Math.floor(tokensMax * charactersPerToken);
}

/** Whether a request with this many tools would be refused. */
export function exceedsLimit(count: number, model: Model | undefined): boolean {
  return model?.toolsMax !== undefined && count > model.toolsMax;
}

function charactersOf(tools: readonly Tool[]): number {
  let sum = 0;
  for (const { name, description, inputSchema } of tools) {
    sum += name.length + description.length + JSON.stringify(inputSchema).length;
  }
  return sum;
}
