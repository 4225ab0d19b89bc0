/** What is done to keep a conversation within its window before the next step: what is cleared, and whether that is enough. */
import type { Model, SessionState } from "@kedge/protocol";
import { afterClearing } from "./after-clearing.ts";
import { createCarriedCount } from "./carried-count.ts";
import { type Cleared, planMicrocompact, planPrune, planUneventful } from "./clear-results.ts";
import { type ContextSize, type ContextTokens, createContextSize, tokensOfQueue } from "./context-size.ts";
import { padTokens } from "./estimate-tokens.ts";
import { createResultIndex, type ResultIndex } from "./result-index.ts";
import type { CompactionSettings } from "./settings.ts";
import { type Thresholds, thresholdsFor } from "./thresholds.ts";

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

/** One per session. Takes a few microseconds when nothing is due, however long the conversation is. */
export interface Upkeep {
  readonly size: ContextSize;
  /** Ask right before each request. */
  plan(input: UpkeepInput): UpkeepPlan;
  /** Whether a plan would clear anything. Ask while a request is under way: the next plan is then quick, or needless. */
  isClearable(input: UpkeepInput): boolean;
}

/** Unless it was asked to, no vendor keeps anything longer. */
const cacheMsDefault = 60 * 60 * 1_000;

export function createUpkeep(): Upkeep {
  const size = createContextSize();
  const carried = createCarriedCount();
  const indexOf = createResultIndex();

  function look(input: UpkeepInput) {
    const { state, model, settings, fixedTokens, thresholdPercent: percent } = input;
    const counted = carried.apply(state, model.ref, size.contextTokens(state, { model: model.ref, fixedTokens }));
    const thresholds = thresholdsFor(model, settings, percent === undefined ? {} : { percent });
    // What was rejected fills the window at least.
    const tokens = input.isRejected ? Math.max(counted.tokens, model.contextTokens) : counted.tokens;
    const whole = indexOf(state);
    const left = countLeft({ ...counted, tokens }, whole, tokensOfQueue(state));
    const isTooLarge = (index: ResultIndex) => left(index) >= thresholds.compactAt;
    const planned = settings.enabled ? planClears(input, whole, isTooLarge) : { clears: [], index: whole };
    return { counted, thresholds, left, ...planned };
  }

  return {
    size,
    isClearable: (input) => look(input).clears.length > 0,
    plan(input) {
      const { state, model, settings, fixedTokens } = input;
      const { counted, thresholds, left, clears, index } = look(input);
      const tokensAfter = left(index);
      if (clears.length > 0 && counted.isMeasured) {
        const estimated = padTokens(index.tokens + tokensOfQueue(state)) + fixedTokens;
        carried.keep(state, { model: model.ref, tokens: tokensAfter, estimated });
      }
      return { clears, size: counted, tokensAfter, thresholds, verdict: judge(tokensAfter, thresholds, settings) };
    },
  };
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
  { state, settings, nowMs, cacheMs = cacheMsDefault }: UpkeepInput,
  whole: ResultIndex,
  isTooLarge: (index: ResultIndex) => boolean,
): PlannedClears {
  const isCacheExpired = isExpired(state, nowMs - cacheMs);
  const { dropUseless, supersedeReads } = settings;
  // Between the steps of a run there is an open step; a new run begins without one.
  const uneventful = { dropUseless, supersedeReads, isCacheExpired, isTurnOver: state.step === undefined };
  const clears: Cleared[] = [];
  let index = whole;
  takeUneventful();
  if (isCacheExpired || isTooLarge(index)) {
    take([planMicrocompact(index.results, isCacheExpired ? "cache-expired" : "size")]);
    if (isTooLarge(index)) take([planPrune(index)]);
    takeUneventful();
  }
  return { clears, index };

  function take(planned: readonly (Cleared | undefined)[]): boolean {
    const found = planned.filter((fact) => fact !== undefined);
    if (found.length === 0) return false;
    clears.push(...found);
    index = afterClearing(
      index,
      found.flatMap(({ results }) => results),
    );
    return true;
  }

  /** What goes brings what stood before it nearer to the end, where it can go for little as well. */
  function takeUneventful(): void {
    while (take(planUneventful(index, uneventful)));
  }
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
