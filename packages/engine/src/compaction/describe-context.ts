/** What makes a conversation as large as it is, in words and numbers for a person. */
import type { CommandAnswer, ConversationItem } from "@kedge/protocol";
import { padTokens, tokensOfItem } from "../upkeep/estimate-tokens.ts";
import type { CareBasis, Frame } from "./care-basis.ts";

type Described = Extract<CommandAnswer<"context.inspect">, { readonly ok: true }>["value"];

const names: { readonly [type in ConversationItem["type"]]: string } = {
  prompt: "what you said",
  answer: "answers",
  results: "results of tools",
  reminder: "reminders",
  report: "reports",
  record: "records of other branches and sessions",
  compaction: "summary of the earlier part",
};

export function describeContext({ journal, planFor, fixedTokens }: CareBasis, frame: Frame): Described {
  const { size, thresholds } = planFor(frame);
  const tools = fixedTokens({ ...frame, system: { system: "" } });
  const parts = [
    { name: "instructions", tokens: fixedTokens(frame) - tools },
    { name: "descriptions of tools", tokens: tools },
    ...sumsByType(journal.state.items),
  ].filter(({ tokens }) => tokens > 0);
  return {
    model: frame.model.ref,
    windowTokens: frame.model.contextTokens,
    tokens: size.tokens,
    isMeasured: size.isMeasured,
    ...thresholds,
    parts,
  };
}

function sumsByType(items: readonly ConversationItem[]): Described["parts"] {
  const sums = new Map<string, number>();
  for (const item of items) {
    const name = names[item.type];
    sums.set(name, (sums.get(name) ?? 0) + tokensOfItem(item));
  }
  return [...sums].map(([name, tokens]) => ({ name, tokens: padTokens(tokens) }));
}
