/** What a run does about an answer that failed, broke off, was cut off or said nothing, instead of giving up. */
import type { Failure, FailureCode, Model, Models, ReasoningWish } from "@kedge/protocol";
import { createCancellation } from "../call/executor.ts";
import type { ContextCare } from "../compaction/context-care.ts";
import { checkpointReminder, emptyAnswerReminder, resumeReminder } from "../prompt-texts.ts";
import { type Answer, cutOff, fullWindow } from "../step/step.ts";
import { goOn, type LoopState, type Next, type Run } from "./loop-state.ts";

/**
 * What an answer may be long at first: most are short, and a limit that is set aside for them counts against rates.
 * Where a model thinks, that comes out of the same limit, so the larger one holds from the start.
 */
const outputTokensDefault = 8_000;
const outputTokensEscalated = 64_000;
const resumesMax = 3;
const pausesMax = 5;
const emptyAnswersMax = 2;
const checkpointRemindersMax = 3;
/** Broken answers in a row after which another model is taken, where there is one; without one, the run ends. */
const brokenStreamsBeforeFallback = 2;
const brokenStreamsMax = 4;

/** An outage is what the fallback is for. Wrong keys, refusals and our own mistakes follow to every model. */
const outages: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "repeated_overload",
  "server_overload",
  "server_error",
  "connection_error",
  "stale_connection",
  "api_timeout",
]);

const mediaFailures: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "image_too_large",
  "pdf_too_large",
  "pdf_protected",
  "too_many_media",
  "request_too_large",
]);

/** `affordable` is what model and budget allow. */
export function outputLimit(
  { tried, using }: LoopState,
  { options }: Run,
  affordable: number,
): { readonly tokensMax: number; readonly mayEscalate: boolean } {
  const isLarge = tried.escalated || thinks(using.model, options.reasoning);
  const tokensMax = Math.min(affordable, isLarge ? outputTokensEscalated : outputTokensDefault);
  return { tokensMax, mayEscalate: !isLarge && tokensMax < affordable };
}

function thinks({ capabilities }: Model, { effort, tokensMax }: ReasoningWish = {}): boolean {
  const canThink = capabilities !== undefined && capabilities.reasoning !== "none";
  return canThink && effort !== "off" && tokensMax !== 0;
}

export type FailedAnswer = {
  readonly answer: Answer;
  readonly models: Models;
  readonly care: ContextCare;
  /** True when the conversation holds pictures or documents. */
  readonly hasMedia: boolean;
  /** Tells the user what could not be done about it. */
  readonly notice: (text: string) => void;
};

export async function recoverFromFailure(run: Run, state: LoopState, failed: FailedAnswer): Promise<Next> {
  const { answer } = failed;
  const { tried } = state;
  // The calls of the failed answer were cancelled, and with them everything that listens to this.
  const cancellation = createCancellation(run.signal);
  const failure = answer.failure ?? unexplained;
  if (failure === cutOff) {
    return goOn(state, "output_escalate", { cancellation, tried: { ...tried, escalated: true } });
  }
  if (failure.code === "budget_exceeded") {
    return { state: { ...state, cancellation }, end: { reason: "error_max_budget", budget: "usd", failure } };
  }
  if (failure === fullWindow) return failed.care.afterFullWindow(run, { ...state, cancellation }, failure);
  if (failure.code === "prompt_too_long") return failed.care.afterOverflow(run, { ...state, cancellation }, failure);
  if (mediaFailures.has(failure.code) && failed.hasMedia && !tried.mediaRemoved) {
    const change = { cancellation, withoutMedia: true, tried: { ...tried, mediaRemoved: true } } as const;
    return goOn(state, "media_strip", change);
  }
  const broke = failure.retryable && answer.content.length > 0;
  const brokenStreams = broke ? tried.brokenStreams + 1 : 0;
  const changed: LoopState = { ...state, cancellation, tried: { ...tried, brokenStreams } };
  const isOutage = broke ? brokenStreams >= brokenStreamsBeforeFallback : outages.has(failure.code);
  if (isOutage) {
    const next = await fallBack(run, changed, { failure, models: failed.models, notice: failed.notice });
    if (next !== undefined) return next;
  }
  if (broke && brokenStreams < brokenStreamsMax) return goOn(changed, "stream_restart");
  return { state: changed, end: { reason: "error_during_execution", failure } };
}

type Outage = {
  readonly failure: Failure;
  readonly models: Models;
  readonly notice: (text: string) => void;
};

/** At most once per run; the next run starts with the configured model again. */
async function fallBack(run: Run, state: LoopState, { failure, models, notice }: Outage): Promise<Next | undefined> {
  const { fallbackModel } = run.options;
  const from = state.using.model.ref;
  if (fallbackModel === undefined || state.tried.fellBack || fallbackModel === from) return undefined;
  const found = await models.find(fallbackModel);
  if (!found.ok) {
    notice(`The fallback model is unavailable: ${found.failure.message}`);
    return undefined;
  }
  notice(`${from} is unavailable (${failure.code}). Continuing this run with ${found.model.ref}.`);
  return goOn(state, "model_fallback", {
    using: found,
    system: run.system(found.model),
    fallback: { from, reason: failure.code },
    tried: { ...state.tried, fellBack: true, brokenStreams: 0 },
  });
}

/** For an answer that ended well and asked for no tool; undefined when nothing is wrong with it. */
export function recoverFromAnswer(
  state: LoopState,
  answer: Answer,
  { repeatsEmpty }: { readonly repeatsEmpty: boolean },
): Next | undefined {
  const { tried } = state;
  switch (answer.stopReason) {
    case "output-limit":
      if (tried.resumes >= resumesMax) return { state, end: { reason: "error_during_execution", failure: cutOff } };
      return goOn(state, "output_resume", {
        reminders: [resumeReminder()],
        tried: { ...tried, resumes: tried.resumes + 1 },
      });
    case "paused":
      if (tried.pauses >= pausesMax) return undefined;
      return goOn(state, "server_pause", { tried: { ...tried, pauses: tried.pauses + 1 } });
    case "refused":
      return state.text === "" ? { state, end: { reason: "error_during_execution", failure: refusal } } : undefined;
    default:
      return state.text.trim() === "" ? afterEmptyAnswer(state, repeatsEmpty ? emptyAnswersMax : 1) : undefined;
  }
}

function afterEmptyAnswer(state: LoopState, answersMax: number): Next {
  const emptyAnswers = state.tried.emptyAnswers + 1;
  if (emptyAnswers >= answersMax) return { state, end: { reason: "completed", emptyAnswer: true } };
  return goOn(state, "unexpected_stop", {
    reminders: [emptyAnswerReminder()],
    tried: { ...state.tried, emptyAnswers },
  });
}

/** For a model that would stop with an open checkpoint; undefined when it was told often enough. */
export function remindOfCheckpoint(state: LoopState, goal: string): Next | undefined {
  const checkpointReminders = state.tried.checkpointReminders + 1;
  if (checkpointReminders > checkpointRemindersMax) return undefined;
  return goOn(state, "checkpoint_open", {
    reminders: [checkpointReminder(goal)],
    tried: { ...state.tried, checkpointReminders },
  });
}

const refusal: Failure = {
  code: "policy_refusal",
  message: "The model declined to answer.",
  recovery: "Rephrase the request.",
  retryable: false,
};

const unexplained: Failure = { code: "unknown", message: "The model call failed.", retryable: false };
