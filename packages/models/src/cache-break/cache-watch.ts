/** Notices when a vendor's cache was lost between two calls of a conversation, and says why and what it cost. */
import {
  type CacheBreak,
  type Cost,
  type Message,
  type Model,
  type ModelRequest,
  noUsage,
  type Usage,
} from "@kedge/protocol";
import { diffPrompts } from "./prompt-diff.ts";
import { type CallExtra, differenceOf, type PromptState, promptState } from "./prompt-state.ts";

/** Both must be passed: caches are counted in blocks, and small changes of the count mean nothing. */
const tokensLostMin = 2_000;
const keptShareMax = 0.95;

/** Conversations remembered; the one unused for longest is forgotten. */
const trackedMax = 10;

const minuteMs = 60_000;
const shortTtlMs = 5 * minuteMs;
const longTtlMs = 60 * minuteMs;
const longTtl = "1h";

export type CacheWatchOptions = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly redact: (text: string) => string;
  readonly cost: (model: Model, usage: Usage) => Cost;
  /** Stores the difference of two prompts under a file name and returns its path; undefined when it could not. */
  readonly writeDiff?: (name: string, text: string) => Promise<string | undefined>;
};

export interface CacheWatch {
  /** Called when a request leaves. Undefined for calls that are not watched. Constant work. */
  before(request: ModelRequest, extra: CallExtra): WatchedCall | undefined;
}

export interface WatchedCall {
  /** Called with what the vendor counted; never called for a failed call, which then changes nothing. */
  after(usage: Usage): Promise<CacheBreak> | undefined;
}

/** The last call that the vendor counted. The conversation is held weakly: a closed session must not stay for it. */
type Baseline = {
  readonly state: PromptState;
  readonly messages: WeakRef<readonly Message[]>;
  readonly startedAt: number;
  readonly cacheRead: number;
};

export function createCacheWatch(options: CacheWatchOptions): CacheWatch {
  const baselines = new Map<string, Baseline>();
  return {
    before(request, extra) {
      const { source, conversationId, messages } = request;
      // Calls in the background are short-lived and share no prefix with each other.
      if (source === "background") return undefined;
      const key = `${source} ${conversationId}`;
      const state = promptState(request, extra);
      const startedAt = options.now();
      const known = baselines.get(key);
      const sameConversation = known?.messages.deref() === messages;
      const previous = sameConversation && known?.state.model.ref === request.model.ref ? known : undefined;
      return {
        after(usage) {
          const held = sameConversation && known !== undefined ? known.messages : new WeakRef(messages);
          baselines.delete(key);
          baselines.set(key, { state, messages: held, startedAt, cacheRead: usage.cacheRead });
          if (baselines.size > trackedMax) forgetOldest(baselines);
          if (previous === undefined || !isBreak(previous.cacheRead, usage.cacheRead)) return undefined;
          return explain(options, previous, { state, startedAt, usage, name: diffName(request) });
        },
      };
    },
  };
}

/** A map lists its keys in the order they were set. */
function forgetOldest(baselines: Map<string, Baseline>): void {
  for (const key of baselines.keys()) {
    baselines.delete(key);
    return;
  }
}

function isBreak(before: number, after: number): boolean {
  return before - after > tokensLostMin && after < before * keptShareMax;
}

type CountedCall = {
  readonly state: PromptState;
  readonly startedAt: number;
  readonly usage: Usage;
  readonly name: string;
};

async function explain(options: CacheWatchOptions, previous: Baseline, call: CountedCall): Promise<CacheBreak> {
  const { state, startedAt, usage } = call;
  const tokensLost = previous.cacheRead - usage.cacheRead;
  const difference = differenceOf(previous.state, state);
  const cause = difference ?? causeOfLoss(startedAt - previous.startedAt, state.ttl);
  const diffFile = difference === undefined ? undefined : await storeDiff(options, previous.state, call);
  const usd = extraUsd(options.cost, state.model, usage, tokensLost);
  return { cause, tokensLost, usd, ...(diffFile !== undefined && { diffFile }) };
}

/** From start to start: vendors count the lifetime from when a prefix was last read, not from the end of the answer. */
function causeOfLoss(idleMs: number, ttl: string | undefined): string {
  if (idleMs > longTtlMs) return "no call for over an hour; the provider's cache expired";
  if (idleMs > shortTtlMs && ttl !== longTtl) return "no call for over 5 minutes; the provider's cache expired";
  return "the provider dropped its cache";
}

async function storeDiff(
  { writeDiff, redact }: CacheWatchOptions,
  before: PromptState,
  { state, name }: CountedCall,
): Promise<string | undefined> {
  if (writeDiff === undefined) return undefined;
  const text = await diffPrompts(before, state, redact);
  return text === "" ? undefined : writeDiff(name, text);
}

function diffName({ conversationId, requestId }: ModelRequest): string {
  return `cache-break-${conversationId}-${requestId}.diff`.replaceAll(/[^\w.-]/g, "_");
}

/** What the lost tokens cost as input above what they would have cost from the cache, at the prices of a call this large. */
function extraUsd(
  cost: CacheWatchOptions["cost"],
  model: Model,
  { input, cacheRead, cacheWrite }: Usage,
  tokensLost: number,
): number {
  const size = Math.max(input + cacheRead + cacheWrite, tokensLost);
  const uncached = cost(model, { ...noUsage, input: size }).usd;
  return uncached - cost(model, { ...noUsage, input: size - tokensLost, cacheRead: tokensLost }).usd;
}
