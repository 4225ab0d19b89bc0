/** What makes a conversation as large as it is, in words and numbers for a person. */
import type { CommandAnswer, ConversationItem, Tool, ToolSchema } from "@kedge/protocol";
import { estimateTokens, padTokens, tokensOfItem } from "../window/estimate-tokens.ts";
import type { CareBasis, Frame } from "./care-basis.ts";

type Described = Extract<CommandAnswer<"context.inspect">, { readonly ok: true }>["value"];

const names: { readonly [type in ConversationItem["type"]]: string } = {
  prompt: "prompts",
  answer: "answers",
  results: "tool output",
  reminder: "reminders",
  report: "checkpoint reports",
  record: "records of other branches and sessions",
  compaction: "summary",
};

/** What comes from sources is listed by source, everything else by kind. */
export function describeContext(
  { journal, context, planFor, fixedTokens }: CareBasis,
  frame: Frame,
  deferred: readonly Tool[],
): Described {
  const { size, thresholds } = planFor(frame);
  const loaded = frame.tools.filter(({ isFound }) => !isFound);
  const withoutFound = fixedTokens({ ...frame, tools: loaded });
  const parts = [
    { name: "tool definitions", tokens: withoutFound - fixedTokens({ ...frame, tools: [] }) },
    { name: "tools found by search", tokens: fixedTokens(frame) - withoutFound },
    ...sumsByType(journal.state.items),
  ];
  return {
    model: frame.model.ref,
    windowTokens: frame.model.contextTokens,
    tokens: size.tokens,
    isMeasured: size.isMeasured,
    ...thresholds,
    sources: context.entries(frame.model),
    parts: parts.filter(({ tokens }) => tokens > 0),
    tools: listTools(frame.tools, deferred),
  };
}

function listTools(sent: readonly ToolSchema[], deferred: readonly Tool[]): Described["tools"] {
  const names = new Set(sent.map(({ name }) => name));
  const leftOut = deferred.filter(({ name }) => !names.has(name));
  const tokensOf = ({ name, description, inputSchema }: Tool | ToolSchema) =>
    estimateTokens(name.length + description.length + JSON.stringify(inputSchema).length);
  return [
    ...sent.map((tool) => ({
      name: tool.name,
      state: tool.isFound ? ("found" as const) : ("loaded" as const),
      tokens: tokensOf(tool),
    })),
    ...leftOut.map((tool) => ({ name: tool.name, state: "deferred" as const, tokens: tokensOf(tool) })),
  ];
}

function sumsByType(items: readonly ConversationItem[]): Described["parts"] {
  const sums = new Map<string, number>();
  for (const item of items) {
    // It is listed with its source.
    if (item.type === "reminder" && item.sent !== undefined) continue;
    const name = names[item.type];
    sums.set(name, (sums.get(name) ?? 0) + tokensOfItem(item));
  }
  return [...sums].map(([name, tokens]) => ({ name, tokens: padTokens(tokens) }));
}
