/** Keeps a session's conversation within its window: looks before every step, and has it shortened where it must be. */
import type { CommandAnswer, Failure, Tool } from "@kedge/protocol";
import type { LoopState, Next, Run } from "../run/loop-state.ts";
import type { BranchOutcome, BranchWish } from "./branch-summary.ts";
import { type ContextCareParts, createCareBasis, type Frame, frameOf } from "./care-basis.ts";
import type { CompactionOutcome } from "./compaction-parts.ts";
import type { AskedCompaction } from "./shorten-run.ts";

/** What the results of one step can add before anybody counts them: their own limit, and some pictures. */
const uncountedTokensMax = 90_000;

/** Well below what any vendor keeps its cache for. */
const pauseMsMax = 5 * 60 * 1_000;

/** One per session. */
export interface ContextCare {
  /** Undefined when the step may be sent as it is; otherwise the run looks again, or ends. */
  beforeStep(run: Run, state: LoopState, outputTokensMax: number): Promise<Next | undefined>;
  /** The vendor found the conversation too long. */
  afterOverflow(run: Run, state: LoopState, failure: Failure): Promise<Next>;
  /** The answer was cut off because the window is full. */
  afterFullWindow(run: Run, state: LoopState, failure: Failure): Promise<Next>;
  /** True when a conversation that fills its window is shortened without being asked for. */
  isAutomatic(): boolean;
  /** Outside of a run, whatever the settings say. */
  compact(frame: Frame, asked: AskedCompaction, signal: AbortSignal): Promise<CompactionOutcome>;
  /** Moves what is long, or only pictures, out of the model's sight. */
  shake(options: { readonly images: boolean }): Promise<CommandAnswer<"context.shake">>;
  summariseBranch(wish: BranchWish, signal: AbortSignal): Promise<BranchOutcome>;
  inspect(frame: Frame, deferred: readonly Tool[]): Promise<CommandAnswer<"context.inspect">>;
  /** True when work is handed over by itself, and the conversation has grown enough for it. */
  isHandoffDue(frame: Frame): boolean;
  /** True when it is large enough to be shortened while nobody waits for anything. */
  isIdleDue(frame: Frame): boolean;
}

export function createContextCare(parts: ContextCareParts): ContextCare {
  const basis = createCareBasis(parts);
  // Loaded with the first conversation that has to be shortened; most never have to be.
  const loadWork = () => import("./shorten-run.ts");

  /** When the last request was let through; the answer to it came later. */
  let passed: { readonly model: string; readonly atMs: number } | undefined;

  /** Nearly every step of a run: nothing that came since can fill the window or have let the vendor's cache expire. */
  function isSurelyFine({ contextTokens = 0, using: { model } }: LoopState): boolean {
    if (passed?.model !== model.ref || contextTokens === 0) return false;
    if (contextTokens + uncountedTokensMax >= basis.thresholdsOf(model).compactAt) return false;
    return parts.engine.clock.now() - passed.atMs < pauseMsMax;
  }

  function letThrough({ using }: LoopState): undefined {
    passed = { model: using.model.ref, atMs: parts.engine.clock.now() };
  }

  /** The ends of the last calls may still be on their way to the journal, and what they gave is not counted yet. */
  function mayBeUncounted({ contextTokens, using }: LoopState): boolean {
    if (contextTokens === undefined) return false;
    const { compactAt } = basis.thresholdsOf(using.model);
    return contextTokens === 0 || contextTokens + uncountedTokensMax >= compactAt;
  }

  return {
    isAutomatic: basis.isAutomatic,
    async beforeStep(run, state, outputTokensMax) {
      if (state.isLookedAfter) return undefined;
      if (isSurelyFine(state)) return letThrough(state);
      if (mayBeUncounted(state)) await state.stored();
      const frame = frameOf(run, state);
      const plan = basis.planFor(frame);
      const tokens = await basis.clear(plan);
      if (tokens < plan.thresholds.compactAt) return letThrough(state);
      const { shortenBeforeStep } = await loadWork();
      return shortenBeforeStep(basis, run, state, { frame, thresholds: plan.thresholds, tokens, outputTokensMax });
    },
    async afterOverflow(run, state, failure) {
      const { shortenAfterOverflow } = await loadWork();
      return shortenAfterOverflow(basis, run, state, failure);
    },
    async afterFullWindow(run, state, failure) {
      const { shortenFullWindow } = await loadWork();
      return shortenFullWindow(basis, run, state, failure);
    },
    async compact(frame, asked, signal) {
      const { shortenWhenAsked } = await loadWork();
      return shortenWhenAsked(basis, frame, asked, signal);
    },
    async shake({ images }) {
      const { shakeConversation } = await import("./shake-conversation.ts");
      const cleared = await shakeConversation(basis, images ? "images" : "all");
      const { results = [], tokensFreed = 0 } = cleared ?? {};
      return { ok: true, value: { resultCount: results.length, tokensFreed } };
    },
    async summariseBranch(wish, signal) {
      const { summariseBranch } = await import("./branch-summary.ts");
      return summariseBranch(basis, wish, signal);
    },
    async inspect(frame, deferred) {
      const { describeContext } = await import("./describe-context.ts");
      return { ok: true, value: describeContext(basis, frame, deferred) };
    },
    isHandoffDue(frame) {
      if (basis.settings.strategy !== "handoff" || !basis.isAutomatic()) return false;
      const { tokensAfter, thresholds } = basis.planFor(frame);
      return tokensAfter >= thresholds.compactAt && tokensAfter < thresholds.overflowAt;
    },
    isIdleDue(frame) {
      const { idle } = basis.settings;
      return idle.enabled && basis.isAutomatic() && basis.planFor(frame).size.tokens > idle.thresholdTokens;
    },
  };
}
