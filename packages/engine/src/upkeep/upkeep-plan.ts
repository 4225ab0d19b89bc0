/**
 * What is done to keep a conversation within its window before the next step: what is cleared, and whether that is enough.
 *
 * What the model was shown is changed only where the vendor's cache has expired, where the conversation has grown too
 * large, and between two runs where it pays (`worth-clearing.ts`); then in one batch.
 */
import type { Model, SessionState } from "@kedge/protocol";
import { afterClearing } from "./after-clearing.ts";
import { createCarriedCount } from "./carried-count.ts";
import { type Cleared, planMicrocompact, planPrune, planUneventful } from "./clear-results.ts";
import { type ContextSize, type ContextTokens, createContextSize, tokensOfQueue } from "./context-size.ts";
import { padTokens } from "./estimate-tokens.ts";
import { createResultIndex, type ResultIndex, startOf } from "./result-index.ts";
import type { CompactionSettings } from "./settings.ts";
import { type Thresholds, thresholdsFor } from "./thresholds.ts";
import { cachePricesOf } from "./worth-clearing.ts";

export type UpkeepInput = {
  readonly state: SessionState;
  readonly model: Model;
  readonly settings: CompactionSettings;
  /** Of the instructions and tools that the next request carries. */
  readonly fixedTokens: number;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** How long the vendor keeps what it has read; an hour without this. */
  readonly cacheMs?: number;
  /** The vendor has said that the conversation is too long, whatever we counted. */
  readonly isRejected?: boolean;
  /** In the place of the settings, for tests. */
  readonly thresholdPercent?: number;
};

/**
 * `compact`: it is to be shortened by the chosen strategy before it is sent. `overflow`: it must not be sent as it is,
 * whether or not it may be shortened unasked.
 */
export type UpkeepVerdict = "fits" | "compact" | "overflow";

export type UpkeepPlan = {
  /** To be emitted in this order. No result is in two of them. */
  readonly clears: readonly Cleared[];
  /** Before anything is cleared. After an earlier plan cleared something, it goes on from what that one expected. */
  readonly size: ContextTokens;
  /** When everything is cleared, by the same count; a new count has to wait for the next answer. */
  readonly tokensAfter: number;
  readonly thresholds: Thresholds;
  readonly verdict: UpkeepVerdict;
};

/** One per session. Takes a few microseconds inside a run while nothing is due, however long the conversation is. */
export interface Upkeep {
  readonly size: ContextSize;
  /** Ask right before each request. */
  plan(input: UpkeepInput): UpkeepPlan;
}

/** Unless it was asked to, no vendor keeps anything longer. */
const cacheMsDefault = 60 * 60 * 1_000;

export function createUpkeep(): Upkeep {
  const size = createContextSize();
  const carried = createCarriedCount();
  const indexOf = createResultIndex();

  return {
    size,
    plan(input) {
      const { state, model, settings, fixedTokens, thresholdPercent: percent } = input;
      const counted = carried.apply(state, model.ref, size.contextTokens(state, { model: model.ref, fixedTokens }));
      const thresholds = thresholdsFor(model, settings, percent === undefined ? {} : { percent });
      // What was rejected fills the window at least.
      const tokens = input.isRejected ? Math.max(counted.tokens, model.contextTokens) : counted.tokens;
      const moment = settings.enabled ? momentOf(input, tokens >= thresholds.compactAt) : "inside-run";
      if (moment === "inside-run") {
        const verdict = judge(tokens, thresholds, settings);
        return { clears: [], size: counted, tokensAfter: tokens, thresholds, verdict };
      }
      const whole = indexOf(state);
      const left = countLeft({ ...counted, tokens }, whole, tokensOfQueue(state));
      const { clears, index } = planClears(input, moment, whole, (now) => left(now) >= thresholds.compactAt);
      const tokensAfter = left(index);
      if (clears.length > 0 && counted.isMeasured) {
        const estimated = padTokens(index.tokens + tokensOfQueue(state)) + fixedTokens;
        carried.keep(state, { model: model.ref, tokens: tokensAfter, estimated });
      }
      return { clears, size: counted, tokensAfter, thresholds, verdict: judge(tokensAfter, thresholds, settings) };
    },
  };
}

/** `inside-run`: nothing may be changed. */
type Moment = "cache-expired" | "too-large" | "between-runs" | "inside-run";

function momentOf({ state, nowMs, cacheMs = cacheMsDefault }: UpkeepInput, isTooLarge: boolean): Moment {
  if (isExpired(state, nowMs - cacheMs)) return "cache-expired";
  if (isTooLarge) return "too-large";
  return isBetweenRuns(state) ? "between-runs" : "inside-run";
}

/** Between the steps of a run there is an open step; a new run begins without one. */
function isBetweenRuns({ step }: SessionState): boolean {
  return step === undefined;
}

/** Where everything was estimated, the padding of what is gone goes with it. */
function countLeft({ tokens, isMeasured }: ContextTokens, whole: ResultIndex, queued: number) {
  const estimated = padTokens(whole.tokens + queued);
  return (index: ResultIndex): number => {
    const freed = isMeasured ? Math.floor(whole.tokens - index.tokens) : estimated - padTokens(index.tokens + queued);
    return Math.max(0, tokens - freed);
  };
}

type PlannedClears = { readonly clears: readonly Cleared[]; readonly index: ResultIndex };

function planClears(
  { state, model, settings: { dropUseless, supersedeReads } }: UpkeepInput,
  moment: Exclude<Moment, "inside-run">,
  whole: ResultIndex,
  isTooLarge: (index: ResultIndex) => boolean,
): PlannedClears {
  const clears: Cleared[] = [];
  let index = whole;
  const uneventful = { dropUseless, supersedeReads, isTurnOver: isBetweenRuns(state) };
  take(planUneventful(index, moment === "between-runs" ? { ...uneventful, prices: cachePricesOf(model) } : uneventful));
  // Also where a few tokens would be enough for now: the next step would have the cache lost a second time.
  if (moment !== "between-runs") {
    take([planMicrocompact(index.results, moment === "cache-expired" ? "cache-expired" : "size")]);
  }
  if (isTooLarge(index)) take([planPrune(index)]);
  return { clears: moment === "cache-expired" ? clears : withResent(clears, whole, index), index };

  function take(planned: readonly (Cleared | undefined)[]): void {
    const found = planned.filter((fact) => fact !== undefined);
    if (found.length === 0) return;
    clears.push(...found);
    index = afterClearing(
      index,
      found.flatMap(({ results }) => results),
    );
  }
}

/** The first fact says what all of them together have sent again: everything behind the first result that goes. */
function withResent(clears: readonly Cleared[], before: ResultIndex, after: ResultIndex): readonly Cleared[] {
  const [first, ...rest] = clears;
  if (first === undefined) return clears;
  const gone = new Set(clears.flatMap(({ results }) => results.map(({ stepId, callId }) => `${stepId} ${callId}`)));
  const entry = before.results.find(({ stepId, result }) => gone.has(`${stepId} ${result.callId}`));
  const resentTokens = entry === undefined ? 0 : Math.max(0, Math.floor(after.tokens - startOf(entry)));
  return [{ ...first, resentTokens }, ...rest];
}

/** What the vendor had in its cache when it answered last is gone. */
function isExpired({ items, tree }: SessionState, beforeMs: number): boolean {
  const answer = items.findLast(({ type }) => type === "answer");
  const answered = answer === undefined ? undefined : tree.get(answer.id)?.time;
  return answered !== undefined && answered < beforeMs;
}

function judge(tokens: number, { overflowAt, compactAt }: Thresholds, settings: CompactionSettings): UpkeepVerdict {
  if (tokens >= overflowAt) return "overflow";
  return tokens >= compactAt && settings.enabled && settings.strategy !== "off" ? "compact" : "fits";
}
