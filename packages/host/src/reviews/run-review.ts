/** Runs a review: finders side by side, the same findings merged, a judge for each, and what is left in the time. */
import { type AgentEnd, type AgentRuns, isJsonObject, type OpenAgentPlace } from "@kedge/protocol";
import {
  type Finding,
  findingsSchema,
  type JudgedFinding,
  judgementSchema,
  mergeFindings,
  readFindings,
} from "./finding.ts";

export type Finder = { readonly lens: string; readonly agent: string; readonly prompt: string };

export type ReviewOrder = {
  readonly sessionId: string;
  readonly finders: readonly Finder[];
  /** What a judge is asked about one finding. */
  readonly filterPrompt: (finding: Finding) => string;
  readonly timeLimitMs: number;
  readonly signal?: AbortSignal;
};

export type ReviewParts = {
  readonly runs: Pick<AgentRuns, "start">;
  /** Where all of them work; the checkout of the session without it. */
  readonly place?: OpenAgentPlace;
  /** Returns what cancels it. */
  readonly startTimer: (work: () => void, delayMs: number) => () => void;
  readonly onProgress?: (sentence: string) => void;
};

export type ReviewResult = {
  readonly findings: readonly JudgedFinding[];
  readonly candidates: number;
  /** Candidates that the judges did not believe. */
  readonly dropped: number;
  /** Candidates that nobody judged in time. */
  readonly unjudged: readonly Finding[];
  /** Finders that did not finish, with the reason. */
  readonly failed: readonly { readonly lens: string; readonly why: string }[];
  readonly isPartial: boolean;
  readonly usd: number;
};

/** Of the time, for finding; the rest is for judging what was found. */
const findingShare = 0.8;

/** A judge must be this sure. */
const confidenceMin = 8;

export async function runReview(order: ReviewOrder, parts: ReviewParts): Promise<ReviewResult> {
  const finding = new AbortController();
  const judging = new AbortController();
  const expire = () => {
    finding.abort();
    judging.abort();
  };
  order.signal?.addEventListener("abort", expire, { once: true });
  const stopTimers = [
    parts.startTimer(() => finding.abort(), order.timeLimitMs * findingShare),
    parts.startTimer(expire, order.timeLimitMs),
  ];
  let usd = 0;
  const askUntil =
    ({ signal }: AbortController): Ask =>
    async (wish) => {
      if (signal.aborted) return "out of time";
      const place = parts.place === undefined ? {} : { place: parts.place };
      const own = { ...wish, ...place, isQuiet: true } as const;
      const started = await parts.runs.start(own, { sessionId: order.sessionId }, signal);
      if (!started.ok) return started.failure.message;
      const end = await started.value.ended;
      usd += end.cost.usd;
      const isDone = end.status === "completed" || end.status === "max_turns";
      return isDone ? end : (end.why ?? `it ended as ${end.status}`);
    };
  try {
    const found = await Promise.all(order.finders.map((finder) => find(finder, askUntil(finding), parts)));
    const failed = found.flatMap(({ lens, why }) => (why === undefined ? [] : [{ lens, why }]));
    const candidates = mergeFindings(found.flatMap(({ findings }) => findings));
    const judged = await Promise.all(candidates.map((candidate) => judge(candidate, order, askUntil(judging))));
    const isLate = judging.signal.aborted;
    const findings = judged.flatMap((each) => (each !== undefined && each.confidence >= confidenceMin ? [each] : []));
    const unjudged = candidates.filter((_, index) => judged[index] === undefined);
    return {
      findings: findings.toSorted(bySeverity),
      candidates: candidates.length,
      dropped: candidates.length - findings.length - unjudged.length,
      unjudged,
      failed,
      isPartial: isLate || failed.length > 0 || unjudged.length > 0,
      usd,
    };
  } finally {
    for (const stop of stopTimers) stop();
    order.signal?.removeEventListener("abort", expire);
  }
}

type Ask = (wish: Parameters<AgentRuns["start"]>[0]) => Promise<AgentEnd | string>;

type Found = { readonly lens: string; readonly findings: readonly Finding[]; readonly why?: string };

async function find({ lens, agent, prompt }: Finder, ask: Ask, { onProgress }: ReviewParts): Promise<Found> {
  const end = await ask({ agent, prompt, description: `Review: ${lens}`, outputSchema: findingsSchema });
  if (typeof end === "string") return { lens, findings: [], why: end };
  const findings = readFindings(end.structured, lens);
  onProgress?.(`Review: ${lens} is done with ${findings.length} candidate${findings.length === 1 ? "" : "s"}.`);
  return { lens, findings };
}

/** Undefined where nobody judged it. A judge does not know who found it, or why. */
async function judge(finding: Finding, { filterPrompt }: ReviewOrder, ask: Ask): Promise<JudgedFinding | undefined> {
  const { file, line } = finding;
  const description = `Judge ${file}:${line}`;
  const wish = { agent: "fp-filter", prompt: filterPrompt(finding), description, outputSchema: judgementSchema };
  const end = await ask(wish);
  if (typeof end === "string" || !isJsonObject(end.structured)) return undefined;
  const { confidence, reason } = end.structured;
  if (typeof confidence !== "number") return undefined;
  return { ...finding, confidence, reason: typeof reason === "string" ? reason : "" };
}

const ranks = { high: 0, medium: 1, low: 2 } as const;

function bySeverity(left: Finding, right: Finding): number {
  const byRank = ranks[left.severity] - ranks[right.severity];
  return byRank || left.file.localeCompare(right.file) || left.line - right.line;
}
