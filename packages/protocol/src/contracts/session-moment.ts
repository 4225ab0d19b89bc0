/** The SessionMoment contract: code from outside that is asked at the turning points of a session, such as hooks. */
import type { CompactionStrategy, CompactionTrigger, SessionOrigin } from "../facts/fact-words.ts";
import type { JsonObject } from "../json/json.ts";
import type { PermissionMode, PermissionRule } from "../permission.ts";

type Answered<Answer> = Answer | undefined | Promise<Answer | undefined>;

/**
 * Moments are asked in the order given, each about what the one before left. Nothing answered means that everything
 * takes its course. What only wants to know listens to facts instead. Nothing answered here lifts a denial.
 */
export interface SessionMoment {
  /** Shown to people and the model when the moment refuses, changes or adds something. */
  readonly name: string;
  /**
   * What happens when it throws or answers something else: `refuse` refuses the prompt, the permission or the
   * compaction it was asked about; `continue` goes on as if it had nothing to say.
   */
  readonly onError: "refuse" | "continue";
  /** A session was opened, or goes on after its conversation was shortened. The first step waits for the answer. */
  sessionStarted?(session: StartedSession, signal: AbortSignal): Answered<AddedContext>;
  /** A prompt is stored and has not reached the model yet. */
  promptSubmitted?(prompt: SubmittedPrompt, signal: AbortSignal): Answered<PromptAnswer>;
  /** A person would be asked about a call, or nobody could be asked. */
  permissionAsked?(question: AskedPermission, signal: AbortSignal): Answered<MomentPermission>;
  /** All calls of an answer have ended, and the model has not seen their results yet. */
  callsEnded?(calls: EndedCalls, signal: AbortSignal): Answered<CallsAnswer>;
  /** The conversation is about to be shortened. One that no longer fits is shortened whatever is answered. */
  compacting?(compaction: StartingCompaction, signal: AbortSignal): Answered<CompactionAnswer>;
  /** The conversation is about to continue at another place of its tree. */
  leafMoving?(move: MovingLeaf, signal: AbortSignal): Answered<MoveAnswer>;
  /** The model has nothing more to do. A few times in a row the run can be made to continue. */
  runStopping?(run: StoppingRun, signal: AbortSignal): Answered<StopAnswer>;
  /** The session is closed; nothing of it runs any more. */
  sessionEnded?(session: SessionPlace, signal: AbortSignal): void | Promise<void>;
}

export type SessionPlace = {
  readonly sessionId: string;
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly model: string;
  /** Where the session came from; a `child` works for another session. */
  readonly origin?: SessionOrigin;
};

export type StartedSession = SessionPlace & { readonly source: "create" | "resume" | "compact" };

/** Each text reaches the model with the next step, fenced as data. */
export type AddedContext = { readonly context: readonly string[] };

export type SubmittedPrompt = SessionPlace & {
  readonly promptId: string;
  readonly runId: string;
  readonly text: string;
  /** The slash command that wrote the text. */
  readonly command?: { readonly name: string; readonly argument: string };
};

/** `by` names who speaks, where a moment speaks for others. */
export type PromptAnswer =
  | { readonly decision: "refuse"; readonly text: string; readonly by?: string }
  | {
      readonly decision: "pass";
      /** In the place of what the user wrote; the record keeps both. */
      readonly text?: string;
      readonly context?: readonly string[];
      readonly by?: string;
    };

export type AskedPermission = SessionPlace & {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly reason: string;
  /** What would be granted if a person allowed it for longer than once. */
  readonly grants: readonly PermissionRule[];
};

/** `allow` counts for this call only, and never where a guard, a gate, the policy or a phase wants a person. */
export type MomentPermission = { readonly decision: "allow" | "refuse"; readonly text: string };

/** How each of them ended is told to phases. */
export type EndedCalls = SessionPlace & { readonly callIds: readonly string[] };

export type CallsAnswer = {
  readonly context?: readonly string[];
  /** Ends the run after this step; a sentence for the user. */
  readonly endRun?: string;
};

export type StartingCompaction = SessionPlace & {
  readonly trigger: CompactionTrigger;
  readonly strategy: CompactionStrategy;
  readonly instructions?: string;
};

/** `data` is kept beside the summary under the name of the moment, and no model reads it. */
export type CompactionAnswer =
  | { readonly decision: "refuse"; readonly text: string }
  /** Further wishes for the summary, and texts that whoever writes it reads as data. */
  | {
      readonly decision: "pass";
      readonly instructions?: string;
      readonly context?: readonly string[];
      readonly data?: JsonObject;
    }
  /** The summary itself. One that is empty or not shorter than what it replaces does not count. */
  | {
      readonly decision: "summary";
      readonly summary: string;
      readonly shortSummary?: string;
      readonly data?: JsonObject;
    };

export type MovingLeaf = SessionPlace & {
  /** Places of the tree; undefined is before the first word. */
  readonly fromLeafId?: string;
  readonly toLeafId?: string;
  /** Whether the user wants the new place to be told of the branch that is left. */
  readonly wantsSummary: boolean;
};

export type MoveAnswer =
  | { readonly decision: "refuse"; readonly text: string }
  /** The summary of the branch that is left, instead of one by a model. */
  | { readonly decision: "summary"; readonly summary: string };

export type StoppingRun = SessionPlace & {
  readonly runId: string;
  /** The last answer. */
  readonly text: string;
  /** How often in a row the run was already made to continue. */
  readonly continuations: number;
};

/** The model reads the text, fenced as data, and works on. */
export type StopAnswer = { readonly decision: "continue"; readonly text: string; readonly by?: string };
