/** What is done about a conversation that is too large: a larger model, a summary, or the end of the run. */
import type { CompactionStrategy, CompactionTrigger, Failure } from "@kedge/protocol";
import { goOn, type LoopState, type Next, type Run } from "../run/loop-state.ts";
import type { Thresholds } from "../window/thresholds.ts";
import { type CareBasis, type Frame, frameOf } from "./care-basis.ts";
import { chargeRun } from "./charge-run.ts";
import { compact, scaleOf } from "./compact.ts";
import type { CompactionOutcome } from "./compaction-parts.ts";
import { mayHandOver } from "./may-hand-over.ts";
import { affordableOutput, promoteRun } from "./promote-run.ts";
import { continueReminder } from "./texts.ts";

export type Due = {
  readonly frame: Frame;
  readonly thresholds: Thresholds;
  readonly tokens: number;
  /** What a budget leaves for the summary. */
  readonly outputTokensMax: number;
};

export async function shortenBeforeStep(
  basis: CareBasis,
  run: Run,
  state: LoopState,
  due: Due,
): Promise<Next | undefined> {
  const { settings } = basis;
  const { thresholds, tokens } = due;
  const isTooLong = tokens >= thresholds.overflowAt && due.frame.model.assumed !== true;
  const looked = (now: LoopState): LoopState => ({ ...now, isLookedAfter: true });
  const otherwise = (now: LoopState): Next => (isTooLong ? tooLongEnd(now) : { state: looked(now) });
  const promoted = await promoteRun(basis, run, state, tokens);
  if (promoted !== undefined) return promoted;
  if (!basis.isAutomatic()) {
    tellWhyNot(basis);
    return otherwise(state);
  }
  // The work is handed over when the run has ended.
  const isUnderWay = state.contextTokens !== undefined;
  if (settings.strategy === "handoff") {
    if (!mayHandOver(basis.engine)) basis.noticeOnce(staysHere);
    else if (isUnderWay && !isTooLong) return otherwise(state);
  }
  if (settings.strategy === "shake" && (await shake(basis)) && (await fits(basis, due))) {
    return goOn(looked(state), "context_compacted");
  }
  const trigger = "threshold";
  const outcome = await summarise(basis, { ...due, trigger }, run.signal);
  return afterSummary(basis, run, state, { outcome, trigger, otherwise });
}

/** Prunes first; a summary follows once between two answers, and then the failure stands. */
export async function shortenAfterOverflow(
  basis: CareBasis,
  run: Run,
  state: LoopState,
  failure: Failure,
): Promise<Next> {
  const surfaced = (now: LoopState): Next => tooLongEnd(now, failure);
  const { tried } = state;
  const own = frameOf(run, state);
  const counted = basis.planFor(own).size.tokens;
  const promoted = await promoteRun(basis, run, state, failure.overflow?.inputTokens ?? counted);
  if (promoted !== undefined) return promoted;
  if (tried.overflow === "compacted") return surfaced(state);
  // What was rejected does not fit, whatever the window is said to be.
  const contextTokens = Math.min(own.model.contextTokens, failure.overflow?.limitTokens ?? counted);
  const frame = { ...own, model: { ...own.model, contextTokens } };
  const plan = basis.planFor(frame, { isRejected: true });
  const tokens = await basis.clear(plan);
  const { thresholds } = plan;
  if (tried.overflow === "none" && plan.clears.length > 0 && tokens < thresholds.compactAt) {
    return goOn(state, "context_compacted", { tried: { ...tried, overflow: "pruned" } });
  }
  if (!basis.isAutomatic()) {
    tellWhyNot(basis);
    return surfaced(state);
  }
  const outputTokensMax = affordableOutput(basis.engine, run, state);
  // The gates before the next step say why.
  if (outputTokensMax === 0) return { state };
  const trigger = "overflow";
  const outcome = await summarise(basis, { trigger, frame, thresholds, tokens, outputTokensMax }, run.signal);
  const compacted: LoopState = { ...state, tried: { ...tried, overflow: "compacted" } };
  return afterSummary(basis, run, compacted, { outcome, trigger, otherwise: surfaced });
}

export async function shortenFullWindow(basis: CareBasis, run: Run, state: LoopState, failure: Failure): Promise<Next> {
  const frame = frameOf(run, state);
  const { thresholds, size } = basis.planFor(frame);
  const promoted = await promoteRun(basis, run, state, size.tokens);
  if (promoted !== undefined) return promoted;
  const outputTokensMax = affordableOutput(basis.engine, run, state);
  // The gates before the next step say why.
  if (outputTokensMax === 0) return { state };
  const trigger = "incomplete";
  const outcome = await summarise(
    basis,
    { trigger, frame, thresholds, tokens: size.tokens, outputTokensMax },
    run.signal,
  );
  const filled: LoopState = { ...state, tried: { ...state.tried, filledWindow: true } };
  const otherwise = (now: LoopState): Next => ({ state: now, end: { reason: "error_during_execution", failure } });
  return afterSummary(basis, run, filled, { outcome, trigger, otherwise });
}

export type AskedCompaction = {
  readonly trigger: Extract<CompactionTrigger, "manual" | "idle">;
  /** What the user wrote behind the command. */
  readonly instructions?: string;
};

export async function shortenWhenAsked(
  basis: CareBasis,
  frame: Frame,
  asked: AskedCompaction,
  signal: AbortSignal,
): Promise<CompactionOutcome> {
  const { thresholds, size } = basis.planFor(frame);
  const due = { frame, thresholds, tokens: size.tokens, outputTokensMax: frame.model.outputTokensMax };
  return summarise(basis, { ...due, ...asked }, signal);
}

type Wanted = Due & { readonly trigger: CompactionTrigger; readonly instructions?: string };

async function summarise(basis: CareBasis, wanted: Wanted, signal: AbortSignal): Promise<CompactionOutcome> {
  const { frame, tokens, ...options } = wanted;
  const fixedTokens = basis.fixedTokens(frame);
  const scale = scaleOf(basis.journal.state, fixedTokens);
  const strategy = strategyFor(basis, wanted);
  const sizes = { tokensBefore: tokens, fixedTokens, scale };
  const outcome = await compact(basis, { ...options, ...frame, ...sizes, strategy }, signal);
  // That it was summarised is told by its fact, and whoever asked for it hears from the answer why it was not.
  if (outcome.kind === "compacted") basis.forgetNotices();
  else if (outcome.kind === "failed" && wanted.trigger !== "manual")
    basis.notice(`Compaction failed: ${outcome.failure.message}`);
  return outcome;
}

/** Whoever says what to keep wants words. */
function strategyFor({ settings, noticeOnce }: CareBasis, { frame, instructions }: Wanted): CompactionStrategy {
  if (settings.strategy !== "snapcompact" || instructions !== undefined) return "summary";
  if (frame.model.capabilities?.images === true) return "snapcompact";
  noticeOnce(`${frame.model.ref} does not accept images. The conversation is summarized as text.`);
  return "summary";
}

type Ended = {
  readonly outcome: CompactionOutcome;
  readonly trigger: CompactionTrigger;
  /** How the run goes on where there is no summary. */
  readonly otherwise: (state: LoopState) => Next;
};

function afterSummary(basis: CareBasis, run: Run, state: LoopState, { outcome, trigger, otherwise }: Ended): Next {
  if (outcome.kind === "aborted" || run.signal.aborted) return { state, end: { reason: "aborted" } };
  if (outcome.kind === "nothing") return otherwise(state);
  const charged = chargeRun(basis.journal, run.options, state, outcome);
  if (outcome.kind === "failed") return otherwise(charged);
  const reminders = mustTellToGoOn(basis, run, trigger) ? [...state.reminders, continueReminder()] : state.reminders;
  return goOn(charged, "context_compacted", { isLookedAfter: true, reminders });
}

/** Where the user spoke last, the words speak for themselves. */
function mustTellToGoOn({ journal, settings }: CareBasis, { runId }: Run, trigger: CompactionTrigger): boolean {
  const { queue, items } = journal.state;
  const isSpokenTo = queue.some((prompt) => prompt.delivery === "steer" || prompt.runId === runId);
  const isFitting = trigger === "threshold" || trigger === "incomplete";
  return settings.autoContinue && isFitting && !isSpokenTo && items.at(-1)?.type !== "prompt";
}

async function shake(basis: CareBasis): Promise<boolean> {
  const { shakeConversation } = await import("./shake-conversation.ts");
  return (await shakeConversation(basis, "automatic")) !== undefined;
}

async function fits(basis: CareBasis, { frame, thresholds }: Due): Promise<boolean> {
  return (await basis.clear(basis.planFor(frame))) < thresholds.compactAt;
}

function tellWhyNot({ hasGivenUp, noticeOnce }: CareBasis): void {
  if (!hasGivenUp()) return;
  noticeOnce(
    "Automatic compaction is off after three failures in a row. Retry with /compact, start over with /clear, or switch models with /model.",
  );
}

function tooLongEnd(state: LoopState, failure: Failure = tooLong): Next {
  return { state, end: { reason: "error_during_execution", failure: { ...failure, recovery } } };
}

const staysHere = "A handoff needs a client that can switch sessions. The conversation is summarized instead.";

const recovery = "Run /compact, go back with /undo, or start a new session.";

const tooLong: Failure = {
  code: "prompt_too_long",
  message: "The conversation exceeds the model's context limit.",
  retryable: false,
};
