/** Asks a small model whether a call is plainly what the user wanted, from the user's own words and the call alone. */
import {
  addUsage,
  type Cost,
  isJsonObject,
  type Model,
  type ModelRequest,
  type Models,
  noUsage,
  type Provider,
  type Usage,
} from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";

/** What a user wrote about calls that may pass and calls that may not; never from a project. */
export type ClassifierRules = {
  readonly allow: readonly string[];
  readonly softDeny: readonly string[];
  readonly environment: readonly string[];
};

export type ClassifiedCall = {
  readonly tool: string;
  /** What the call would do, as the tool states it to those who permit it. */
  readonly needs: readonly string[];
  readonly cwd: string;
  /** The user's own words of this run. Neither answers of the model nor results belong here. */
  readonly userTexts: readonly string[];
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
  /** `provider/model`. */
  readonly model: string;
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
/** More could not be judged by a small model; what is longer is a question. */
const callCharactersMax = 6_000;
const userCharactersMax = 4_000;

export async function classifyCall(
  call: ClassifiedCall,
  parts: ClassifierParts,
  signal: AbortSignal,
): Promise<Classification> {
  const startedAt = parts.monotonicMs();
  const found = await parts.models.find(parts.model);
  let usage = noUsage;
  const result = (verdict: "allow" | "ask", why: string, isFailure: boolean): Classification => ({
    verdict,
    why,
    isFailure,
    model: parts.model,
    latencyMs: Math.round(parts.monotonicMs() - startedAt),
    usage,
    cost: found.ok ? parts.models.cost(found.model, usage) : { usd: 0, estimated: false },
  });
  if (!found.ok) return result("ask", found.failure.message, true);
  const text = describeCall(call, parts.redact);
  if (text.length > callCharactersMax + userCharactersMax)
    return result("ask", "the call is too long to be judged", false);
  const answer = await askModel(found, requestFor(found.model, text, parts), {
    signal,
    timeoutMs: parts.timeoutMs ?? timeoutMsDefault,
    onUsage: (counted) => {
      usage = addUsage(usage, counted);
    },
  });
  if (!answer.ok) return result("ask", answer.problem, true);
  const verdict = readVerdict(answer.text);
  return verdict === undefined
    ? result("ask", "the classifier gave no answer of the wanted form", true)
    : result(verdict.verdict, verdict.why, false);
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

/** Marks that the data itself could contain are taken out of it. */
function describeCall({ tool, needs, cwd, userTexts }: ClassifiedCall, redact: (text: string) => string): string {
  const data = (text: string) => redact(text).replaceAll(/\b(BEGIN|END)\b/g, (word) => word.toLowerCase());
  const said = data(userTexts.join("\n---\n")).slice(-userCharactersMax);
  return [
    "BEGIN what the user said",
    said,
    "END what the user said",
    `BEGIN the call of ${data(tool)} in ${data(cwd)}`,
    data(needs.join("\n")),
    "END the call",
  ].join("\n");
}

type ModelAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

async function askModel(
  { provider }: { readonly provider: Provider },
  request: ModelRequest,
  how: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly onUsage: (usage: Usage) => void },
): Promise<ModelAnswer> {
  const signal = AbortSignal.any([how.signal, AbortSignal.timeout(how.timeoutMs)]);
  let text = "";
  for await (const event of provider.stream(request, signal)) {
    if (event.type === "text-delta") text += event.text;
    else if (event.type === "end") how.onUsage(event.usage);
    else if (event.type === "failed") return { ok: false, problem: event.failure.message };
  }
  return { ok: true, text };
}

/** Only a whole and sure yes counts as one. */
function readVerdict(text: string): { readonly verdict: "allow" | "ask"; readonly why: string } | undefined {
  const json = /\{[^{}]*\}/.exec(text)?.[0];
  if (json === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { matches, confidence, verdict, matchedDescription } = value;
  if (verdict !== "allow" && verdict !== "ask") return undefined;
  const why = typeof matchedDescription === "string" ? matchedDescription : "no line decided";
  const isSure = verdict === "allow" && confidence === "high" && matches === true;
  return { verdict: isSure ? "allow" : "ask", why };
}
