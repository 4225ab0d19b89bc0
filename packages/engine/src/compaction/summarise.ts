/** Has a conversation summed up: asks one model after another, and leaves out the oldest part where all is too long. */
import {
  addUsage,
  type Cost,
  type Failure,
  type Model,
  type ModelRequest,
  type Models,
  noUsage,
  type Provider,
  type Usage,
} from "@kedge/protocol";
import type { RemoteSummary, Spending } from "./compaction-parts.ts";
import { leftOutNote, type SummaryWish, summaryRequest } from "./texts.ts";

export const summaryTokensMax = 20_000;
const shortenedMax = 3;
const shortenedShare = 5;
/** A model that wants to be left alone for longer is passed over, where there is another. */
const retryDelayMsMax = 30_000;

export type SummariserParts = {
  readonly models: Models;
  /** What whoever sums up is told. */
  readonly system: string;
  /** `provider/model`, the wanted one first. */
  readonly candidates: readonly string[];
  readonly remoteSummary?: RemoteSummary;
  readonly newRequestId: () => string;
  readonly redact: (text: string) => string;
  /** What a budget leaves for the answer. */
  readonly outputTokensMax: number;
  readonly notice: (text: string) => void;
};

export type Summarised =
  | ({ readonly ok: true; readonly text: string } & Spending)
  | ({ readonly ok: false; readonly failure: Failure } & Spending);

export async function summarise(wish: SummaryWish, parts: SummariserParts, signal: AbortSignal): Promise<Summarised> {
  const remote = await summariseRemotely(wish, parts, signal);
  if (remote !== undefined) return remote;
  let spent: Spending = { usage: noUsage, cost: { usd: 0, estimated: false } };
  let failure: Failure = noCandidate;
  for (const [index, ref] of parts.candidates.entries()) {
    if (signal.aborted) break;
    const found = await parts.models.find(ref, parts.candidates.at(-1));
    if (!found.ok) {
      failure = found.failure;
      continue;
    }
    const hasNext = index + 1 < parts.candidates.length;
    const tried = await tryModel(found, wish, { ...parts, hasNext }, signal);
    spent = { ...added(spent, tried), model: found.model.ref };
    if (tried.ok) return { ...spent, ok: true, text: tried.text };
    failure = tried.failure;
  }
  return { ok: false, failure, ...spent };
}

type InUse = { readonly model: Model; readonly provider: Provider };

type Trial = SummariserParts & { readonly hasNext: boolean };

async function tryModel(
  { model, provider }: InUse,
  wish: SummaryWish,
  parts: Trial,
  signal: AbortSignal,
): Promise<Summarised> {
  let spent: Spending = { usage: noUsage, cost: { usd: 0, estimated: false } };
  let groups = wish.groups;
  for (let shortened = 0; ; shortened += 1) {
    const answer = await askForSummary(provider, requestFor(model, { ...wish, groups }, parts), parts, signal);
    spent = added(spent, { usage: answer.usage, cost: parts.models.cost(model, answer.usage) });
    const left = wish.groups.length - groups.length;
    if (answer.ok)
      return { ...spent, ok: true, text: left === 0 ? answer.text : `${answer.text}\n\n${leftOutNote(left)}` };
    const canShorten = shortened < shortenedMax && groups.length > 1;
    if (answer.failure.code !== "prompt_too_long" || !canShorten)
      return { ...spent, ok: false, failure: answer.failure };
    groups = groups.slice(Math.ceil(groups.length / shortenedShare));
  }
}

function requestFor(
  model: Model,
  wish: SummaryWish,
  { newRequestId, outputTokensMax, system }: SummariserParts,
): ModelRequest {
  const requestId = newRequestId();
  return {
    model,
    source: "compaction",
    conversationId: requestId,
    system,
    tools: [],
    messages: [{ role: "user", text: summaryRequest(wish) }],
    reasoning: { effort: "off", tokensMax: 0 },
    outputTokensMax: Math.min(summaryTokensMax, model.outputTokensMax, outputTokensMax),
    requestId,
  };
}

type Asked =
  | { readonly ok: true; readonly text: string; readonly usage: Usage }
  | { readonly ok: false; readonly failure: Failure; readonly usage: Usage };

export async function askForSummary(
  provider: Provider,
  request: ModelRequest,
  parts: Trial,
  signal: AbortSignal,
): Promise<Asked> {
  const stop = new AbortController();
  let text = "";
  let impatient: Failure | undefined;
  for await (const event of provider.stream(request, AbortSignal.any([signal, stop.signal]))) {
    if (event.type === "text-delta") text += event.text;
    else if (event.type === "retrying" && parts.hasNext && event.delayMs > retryDelayMsMax) {
      impatient = event.failure;
      stop.abort();
    } else if (event.type === "failed") {
      const failure = impatient ?? event.failure;
      return { ok: false, failure: { ...failure, message: parts.redact(failure.message) }, usage: noUsage };
    } else if (event.type === "end") {
      const { usage, stopReason } = event;
      if (stopReason !== "end")
        return { ok: false, failure: stopReason === "output-limit" ? cutOffSummary : noSummary, usage };
      return text.trim() === "" ? { ok: false, failure: noSummary, usage } : { ok: true, text: text.trim(), usage };
    }
  }
  throw new Error("a provider ended its stream without `end` or `failed`");
}

/** Undefined when there is no such place, or nothing came of it. */
async function summariseRemotely(
  wish: SummaryWish,
  { remoteSummary, redact, notice, system }: SummariserParts,
  signal: AbortSignal,
): Promise<Summarised | undefined> {
  if (remoteSummary === undefined) return undefined;
  const answer = await remoteSummary({ systemPrompt: system, prompt: redact(summaryRequest(wish)) }, signal);
  const nothingSpent: Spending = { usage: noUsage, cost: { usd: 0, estimated: false } };
  if (answer.ok && answer.summary.trim() !== "") return { ok: true, text: answer.summary.trim(), ...nothingSpent };
  const why = answer.ok ? "The response was empty." : redact(answer.failure.message);
  if (!signal.aborted) notice(`Remote compaction failed: ${why} Using a model instead.`);
  return undefined;
}

export function added(left: Spending, right: Spending): Spending {
  const cost: Cost = {
    usd: left.cost.usd + right.cost.usd,
    estimated: left.cost.estimated || right.cost.estimated,
  };
  const model = right.model ?? left.model;
  return { usage: addUsage(left.usage, right.usage), cost, ...(model !== undefined && { model }) };
}

const noCandidate: Failure = {
  code: "no_model",
  message: "No model is available to write the summary.",
  retryable: false,
};

const noSummary: Failure = {
  code: "malformed_response",
  message: "The model returned no summary.",
  recovery: "Retry with /compact, or switch models with /model.",
  retryable: true,
};

const cutOffSummary: Failure = {
  code: "max_output_tokens",
  message: "The summary was truncated by the model's output limit.",
  recovery: "Retry with /compact, or switch models with /model.",
  retryable: true,
};
