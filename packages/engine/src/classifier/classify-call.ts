/** Asks a small model whether a call is plainly what the user wanted, from the user's own words and the call alone. */
import {
  addUsage,
  type Cost,
  isJsonObject,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type Models,
  noUsage,
  type Provider,
  type Usage,
} from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { type ClassifiedCall, describeCall } from "./describe-call.ts";
import { findUnfit } from "./unfit-call.ts";

/** What a user wrote about calls that may pass and calls that may not; never from a project. */
export type ClassifierRules = {
  readonly allow: readonly string[];
  readonly softDeny: readonly string[];
  readonly environment: readonly string[];
};

export type Classification = {
  /** Everything but a sure yes is a question. */
  readonly verdict: "allow" | "ask";
  readonly why: string;
  /** The model could not be asked or gave no answer of the wanted form. */
  readonly isFailure: boolean;
  readonly model: string;
  readonly latencyMs: number;
  readonly usage: Usage;
  readonly cost: Cost;
};

export type ClassifierParts = {
  readonly models: Models;
  /** `provider/model`, or with `beside` any name for a model. */
  readonly model: string;
  /** The model of the session. */
  readonly beside?: string;
  readonly rules: ClassifierRules;
  readonly monotonicMs: () => number;
  readonly newRequestId: () => string;
  readonly redact: (text: string) => string;
  /** How long an answer may take; ten seconds without it. */
  readonly timeoutMs?: number;
};

/** Checked by the test of this module. */
const defaultRules = JSON.parse(textBeside(import.meta.url, "./default-rules.json")) as ClassifierRules;
const question = textBeside(import.meta.url, "./question.md");

const timeoutMsDefault = 10_000;
const answerTokensMax = 300;
/** What a person reads of the model's reason. */
const whyCharactersMax = 200;

export async function classifyCall(
  call: ClassifiedCall,
  parts: ClassifierParts,
  signal: AbortSignal,
): Promise<Classification> {
  const startedAt = parts.monotonicMs();
  const found = await parts.models.find(parts.model, parts.beside);
  let usage = noUsage;
  const result = (verdict: "allow" | "ask", why: string, isFailure: boolean): Classification => ({
    verdict,
    why,
    isFailure,
    model: found.ok ? found.model.ref : parts.model,
    latencyMs: Math.round(parts.monotonicMs() - startedAt),
    usage,
    cost: found.ok ? parts.models.cost(found.model, usage) : { usd: 0, estimated: false },
  });
  if (!found.ok) return result("ask", found.failure.message, true);
  const text = describeCall(call, parts.redact);
  if (text === undefined) return result("ask", "the call is too long to classify", false);
  const unfit = findUnfit(call);
  if (unfit !== undefined) return result("ask", unfit, false);
  const answer = await askModel(found, requestFor(found.model, text, parts), {
    signal,
    timeoutMs: parts.timeoutMs ?? timeoutMsDefault,
    onUsage: (counted) => {
      usage = addUsage(usage, counted);
    },
  });
  if (!answer.ok) return result("ask", answer.problem, true);
  const read = readVerdict(answer.text);
  if (read === undefined) return result("ask", "the classifier returned no valid answer", true);
  const why = parts.redact(read.why.replaceAll(/\s+/g, " ")).slice(0, whyCharactersMax);
  return result(read.verdict, why, false);
}

function requestFor(model: Model, text: string, { rules, newRequestId }: ClassifierParts): ModelRequest {
  const lines = (own: readonly string[], ours: readonly string[]) => {
    const all = [...own, ...ours];
    return all.length === 0 ? "- nothing" : all.map((line) => `- ${line}`).join("\n");
  };
  const system = fillSlots(question, {
    allowed: lines(rules.allow, defaultRules.allow),
    softDenied: lines(rules.softDeny, defaultRules.softDeny),
    environment: lines(rules.environment, defaultRules.environment),
  });
  const requestId = newRequestId();
  return {
    model: { ...model, temperature: 0 },
    source: "background",
    conversationId: requestId,
    system,
    tools: [],
    messages: [{ role: "user", text }],
    reasoning: { effort: "off", tokensMax: 0 },
    outputTokensMax: answerTokensMax,
    requestId,
  };
}

type ModelAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

type Asking = {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onUsage: (usage: Usage) => void;
};

/** Comes back in time even if the provider does not. */
async function askModel(
  { provider }: { readonly provider: Provider },
  request: ModelRequest,
  { signal, timeoutMs, onUsage }: Asking,
): Promise<ModelAnswer> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, deadline]);
  const answer = await Promise.race([readAnswer(provider.stream(request, either), onUsage), stopped(either)]);
  if (answer.ok) return answer;
  if (signal.aborted) return { ok: false, problem: "the request was canceled" };
  return deadline.aborted ? { ok: false, problem: `no answer within ${timeoutMs / 1000} s` } : answer;
}

async function readAnswer(events: AsyncIterable<ModelEvent>, onUsage: Asking["onUsage"]): Promise<ModelAnswer> {
  let text = "";
  for await (const event of events) {
    if (event.type === "text-delta") text += event.text;
    else if (event.type === "end") onUsage(event.usage);
    else if (event.type === "failed") return { ok: false, problem: event.failure.message };
  }
  return { ok: true, text };
}

function stopped(signal: AbortSignal): Promise<ModelAnswer> {
  const late: ModelAnswer = { ok: false, problem: "the request was canceled" };
  if (signal.aborted) return Promise.resolve(late);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(late), { once: true }));
}

/** Only a whole and sure yes counts as one; words around the object could be anybody's, so there may be none. */
function readVerdict(text: string): { readonly verdict: "allow" | "ask"; readonly why: string } | undefined {
  const json = text.trim().replace(/^```(?:json)?\n([^`]*)\n```$/, "$1");
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { matches, confidence, verdict, matchedDescription = "no line decided" } = value;
  if (typeof matches !== "boolean" || typeof matchedDescription !== "string") return undefined;
  if (confidence !== "high" && confidence !== "low") return undefined;
  if (verdict !== "allow" && verdict !== "ask") return undefined;
  const isSure = verdict === "allow" && confidence === "high" && matches;
  return { verdict: isSure ? "allow" : "ask", why: matchedDescription };
}
