/** What a run remembers from step to step. Replaced at the end of every iteration, never changed. */
import type {
  FactOf,
  Failure,
  Model,
  Provider,
  QueuedPrompt,
  RunOptions,
  RunReason,
  ServerTool,
  StopReason,
  ToolSchema,
  Transition,
  Usage,
} from "@kedge/protocol";
import { type Cancellation, createCancellation } from "../call/executor.ts";
import type { SystemTexts } from "../context/context-builder.ts";
import { nothingSpent, type Spent } from "./budget.ts";
import type { StructuredOutput } from "./structured-output.ts";

export type ModelInUse = { readonly model: Model; readonly provider: Provider };

export type Run = {
  readonly runId: string;
  /** The session's model, with which the run begins. */
  readonly configured: ModelInUse;
  readonly options: RunOptions;
  /** A prompt that no run of this process was begun for. */
  readonly isLeftOver: (prompt: QueuedPrompt) => boolean;
  readonly system: (model: Model) => SystemTexts;
  /** Takes in tools that came or went since the step before; what the step tells of them. */
  readonly addedTools: (model: Model) => readonly string[];
  /** What the request of a step carries; the same array until a tool joins. */
  readonly tools: (model: Model) => readonly ToolSchema[];
  /** Tools that run at the vendor, where it has them and rules allow them without a question. */
  readonly serverTools: (model: Model) => readonly ServerTool[] | undefined;
  readonly structured: StructuredOutput | undefined;
  readonly signal: AbortSignal;
};

/** Which recoveries were used up, and which are under way. */
export type Tried = {
  /** The larger output limit was asked for; once per run. */
  readonly escalated: boolean;
  /** How often in a row a cut-off answer was resumed. */
  readonly resumes: number;
  /** How often in a row the vendor paused. */
  readonly pauses: number;
  /** How many answers in a row broke off after something of them was seen. */
  readonly brokenStreams: number;
  readonly emptyAnswers: number;
  /** How often in a row the model announced work and did not do it. */
  readonly announcements: number;
  readonly fellBack: boolean;
  readonly mediaRemoved: boolean;
  /** How often the model was reminded of its open checkpoint. */
  readonly checkpointReminders: number;
  /** How often the run was made to continue when the model was done. */
  readonly continuations: number;
  /** What was done about a conversation that the vendor found too long, since the last answer. */
  readonly overflow: "none" | "pruned" | "compacted";
  /** The conversation was shortened because an answer had no room, since the last one that had. */
  readonly filledWindow: boolean;
  /** A model with a larger window took over; once per run. */
  readonly promoted: boolean;
};

/** A list that a run adds to with every step: copied each time, a thousand steps would copy half a million entries. */
type Passed = { readonly transition: Transition; readonly before: Passed | undefined };

export type LoopState = {
  readonly spent: Spent;
  readonly usageByModel: { readonly [modelRef: string]: Usage };
  /** Why each step was followed by another, the last one first. */
  readonly passed: Passed | undefined;
  readonly structuredRetries: number;
  readonly using: ModelInUse;
  readonly system: SystemTexts;
  readonly cancellation: Cancellation;
  readonly tried: Tried;
  /** What the start of the next step tells. */
  readonly reminders: readonly string[];
  readonly fallback?: NonNullable<FactOf<"step.started">["fallback"]>;
  readonly withoutMedia?: true;
  readonly text: string;
  readonly stopReason?: StopReason;
  /** What the vendor counted with the last answer, 0 if it counted nothing; absent before the first. */
  readonly contextTokens?: number;
  /** Resolves when everything of the last step is stored. */
  readonly stored: () => Promise<unknown>;
  /** What could be done about the size of the conversation before the next step was done. */
  readonly isLookedAfter: boolean;
};

export type End = {
  readonly reason: RunReason;
  readonly failure?: Failure;
  readonly budget?: "usd" | "tokens";
  readonly emptyAnswer?: true;
};

export type Next = { readonly state: LoopState; readonly end?: End };

export function firstState(run: Run): LoopState {
  return {
    spent: nothingSpent,
    usageByModel: {},
    passed: undefined,
    structuredRetries: 0,
    using: run.configured,
    system: run.system(run.configured.model),
    cancellation: createCancellation(run.signal),
    tried: {
      escalated: false,
      resumes: 0,
      pauses: 0,
      brokenStreams: 0,
      emptyAnswers: 0,
      announcements: 0,
      fellBack: false,
      mediaRemoved: false,
      checkpointReminders: 0,
      continuations: 0,
      overflow: "none",
      filledWindow: false,
      promoted: false,
    },
    reminders: [],
    text: "",
    stored: () => Promise.resolve(),
    isLookedAfter: false,
  };
}

export function goOn(state: LoopState, transition: Transition, change: Partial<LoopState> = {}): Next {
  return { state: { ...state, ...change, passed: { transition, before: state.passed } } };
}

/** Why the last step was followed by another, whatever was done about the conversation's size in between. */
export function lastTransition({ passed }: LoopState): Transition | undefined {
  let last = passed;
  while (last?.transition === "context_compacted" || last?.transition === "context_promoted") last = last.before;
  return last?.transition;
}

/** Of the whole run, in order. */
export function transitionsOf({ passed }: LoopState): readonly Transition[] {
  const transitions: Transition[] = [];
  for (let last = passed; last !== undefined; last = last.before) transitions.push(last.transition);
  return transitions.reverse();
}

/** Without what held for one request. The same state where there is nothing of it, which is nearly always. */
export function withoutOnce(state: LoopState): LoopState {
  if (state.fallback === undefined && state.withoutMedia === undefined) return state;
  const { fallback: _, withoutMedia: __, ...kept } = state;
  return kept;
}

export function withTried(state: LoopState, change: Partial<LoopState["tried"]>): LoopState {
  return { ...state, tried: { ...state.tried, ...change } };
}

/** An answer that came ends a row of those that did not. */
export function soundState(state: LoopState): LoopState {
  const { brokenStreams, overflow, filledWindow } = state.tried;
  if (brokenStreams === 0 && overflow === "none" && !filledWindow) return state;
  return withTried(state, { brokenStreams: 0, overflow: "none", filledWindow: false });
}

/** An answer that stands by itself ends a row of resumed, paused or empty ones. */
export function settledState(state: LoopState): LoopState {
  const { resumes, pauses, emptyAnswers, announcements } = state.tried;
  if (resumes + pauses + emptyAnswers + announcements === 0) return state;
  return withTried(state, { resumes: 0, pauses: 0, emptyAnswers: 0, announcements: 0 });
}
