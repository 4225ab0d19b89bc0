/** Has the session's own model sum up from the bytes of its last request, which its vendor still has in its cache. */
import {
  type Answer,
  type Message,
  type Model,
  type ModelRequest,
  noUsage,
  type RequestPrefix,
  type SessionState,
} from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { EngineParts } from "../parts.ts";
import { prompt } from "../prompt-texts.ts";
import { createServerTools } from "../run/vendor-search.ts";
import type { Spending } from "./compaction-parts.ts";
import { askForSummary, type Summarised, type SummariserParts, summaryTokensMax } from "./summarise.ts";
import { wishesText } from "./texts.ts";

const request = prompt(textBeside(import.meta.url, "../prompts/compaction-fork.md"));

/** What the request for a summary adds, and what a count may be off by. */
const marginTokens = 4_000;

export type ForkedSummary = {
  readonly engine: Pick<EngineParts, "prefix" | "rules" | "compaction" | "models" | "newRequestId">;
  readonly state: Readonly<SessionState>;
  readonly prefix: () => Promise<Answer<RequestPrefix>>;
  readonly model: Model;
  /** Of everything that is in the next request now. */
  readonly tokensBefore: number;
  readonly instructions?: string;
  readonly context?: readonly string[];
  readonly isUnderPressure: boolean;
};

/** Undefined where the text of the conversation is sent instead: nothing would be read from a cache, or nothing came of it. */
export async function summariseFork(
  wish: ForkedSummary,
  parts: SummariserParts,
  signal: AbortSignal,
): Promise<(Summarised & { readonly ok: true }) | { readonly ok: false; readonly spent: Spending } | undefined> {
  const { engine, model, state } = wish;
  const tokensMax = Math.min(summaryTokensMax, model.outputTokensMax, parts.outputTokensMax);
  const hasCache = state.usage.cacheRead + state.usage.cacheWrite > 0;
  const fits = wish.tokensBefore + tokensMax + marginTokens <= model.contextTokens;
  const isOther = parts.candidates[0] !== model.ref || parts.remoteSummary !== undefined;
  if (!hasCache || !fits || isOther || engine.prefix !== undefined) return undefined;
  const prefix = await wish.prefix();
  const found = prefix.ok ? await engine.models.find(prefix.value.model) : prefix;
  if (!prefix.ok || !found.ok || found.model.ref !== model.ref || signal.aborted) return undefined;
  const answer = await askForSummary(
    found.provider,
    requestFrom(prefix.value, { ...wish, model: found.model }, tokensMax),
    { ...parts, hasNext: true },
    signal,
  );
  const cost = engine.models.cost(found.model, answer.usage ?? noUsage);
  const spent: Spending = { usage: answer.usage, cost, model: found.model.ref };
  return answer.ok ? { ok: true, text: answer.text, ...spent } : { ok: false, spent };
}

function requestFrom(
  { model: _, messages, ...prefix }: RequestPrefix,
  wish: ForkedSummary,
  outputTokensMax: number,
): ModelRequest {
  const { engine, model } = wish;
  const serverTools = createServerTools(engine)(model);
  const asked: Message = { role: "user", text: [request, ...wishesText(wish)].join("\n\n") };
  return {
    ...prefix,
    model,
    source: "compaction",
    messages: [...messages, asked],
    ...(serverTools !== undefined && { serverTools }),
    outputTokensMax,
    requestId: engine.newRequestId(),
  };
}
