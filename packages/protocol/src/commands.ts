/** Commands: noun and imperative, the only way anything is changed. These are the engine's; the host has its own. */
import type { Media } from "./content.ts";
import type { ContextEntry } from "./context-entry.ts";
import type { Delivery, FileChange } from "./fact-words.ts";
import type { Failure } from "./failure.ts";
import type { HostAnswers, HostCommand } from "./host-commands.ts";
import type { JsonObject } from "./json.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { ReasoningWish } from "./model.ts";
import type { PermissionMode, PermissionReply, PermissionRule } from "./permission.ts";

/** Limits and wishes of one run. Absent means no limit. */
export type RunOptions = {
  readonly turnsMax?: number;
  readonly budgetUsdMax?: number;
  readonly tokensMax?: number;
  /** The last step is told to sum up and gets no tools. */
  readonly stepsMax?: number;
  readonly answerSchema?: JsonSchema;
  readonly reasoning?: ReasoningWish;
  /** Taken when the session's model cannot be had, at most once per run. */
  readonly fallbackModel?: string;
};

export type SessionCommand =
  /** Without a model, the one that the configuration names; without a mode, `default`. */
  | {
      readonly type: "session.create";
      readonly mode?: PermissionMode;
      readonly model?: string;
      /** One that the client chose, `ses_` and 10 to 40 small letters and digits; refused where it was used before. */
      readonly sessionId?: string;
      /** An open session that the new one works for: interrupted and closed with it, and without other wishes like it. */
      readonly parent?: { readonly sessionId: string; readonly callId?: string };
    }
  /** Takes up a stored session: closes what a crash left open, then accepts prompts. */
  | {
      readonly type: "session.resume";
      readonly sessionId: string;
      /** Without it the session keeps its own, but for `bypass` and `auto`, which must be chosen anew. */
      readonly mode?: PermissionMode;
      readonly model?: string;
    }
  /** Gives a session free for another process. Refused while it works; nothing of it is lost. */
  | { readonly type: "session.close"; readonly sessionId: string }
  | {
      readonly type: "prompt.submit";
      readonly sessionId: string;
      readonly text: string;
      readonly attachments?: readonly Media[];
      readonly delivery: Delivery;
      readonly options: RunOptions;
      /** Refuses the prompt where another run is under way, in place of queueing it. */
      readonly onlyIfIdle?: true;
    }
  | { readonly type: "prompt.revise"; readonly sessionId: string; readonly promptId: string; readonly text: string }
  | { readonly type: "prompt.withdraw"; readonly sessionId: string; readonly promptId: string }
  /** Goes on with a run that ended before its work was done, without a new prompt. */
  | { readonly type: "run.continue"; readonly sessionId: string; readonly options: RunOptions }
  | { readonly type: "turn.interrupt"; readonly sessionId: string }
  | {
      readonly type: "permission.answer";
      readonly sessionId: string;
      readonly requestId: string;
      readonly reply: PermissionReply;
      readonly message?: string;
      /** Only with "once": the whole input to run in the place of the model's, judged anew. */
      readonly updatedInput?: JsonObject;
    }
  | {
      readonly type: "question.answer";
      readonly sessionId: string;
      readonly requestId: string;
      readonly answers: readonly string[];
    }
  | { readonly type: "mode.change"; readonly sessionId: string; readonly mode: PermissionMode }
  /** The rules that hold in this session until this kedge ends, in the place of those granted so far. */
  | { readonly type: "grants.replace"; readonly sessionId: string; readonly grants: readonly PermissionRule[] }
  /** Takes effect with the next run. */
  | { readonly type: "model.change"; readonly sessionId: string; readonly model: string }
  /** Drops the open checkpoint of the model, so that it may stop without a report. */
  | { readonly type: "checkpoint.discard"; readonly sessionId: string }
  /**
   * Takes back the newest prompt, or everything since the one named: files and conversation, or only the files. Refused
   * when somebody else changed one of the files since, unless `evenIfChanged`.
   */
  | {
      readonly type: "session.undo";
      readonly sessionId: string;
      readonly promptId?: string;
      readonly only?: "files";
      readonly evenIfChanged?: boolean;
    }
  /** Refused like an undo when somebody else changed one of the files since. */
  | { readonly type: "session.redo"; readonly sessionId: string; readonly evenIfChanged?: boolean }
  /** Like an undo to the prompt of a message, which must be named. */
  | {
      readonly type: "session.revert";
      readonly sessionId: string;
      readonly messageId: string;
      readonly only?: "files";
      readonly evenIfChanged?: boolean;
    }
  /** Takes back all undos that can still be taken back. */
  | { readonly type: "session.unrevert"; readonly sessionId: string; readonly evenIfChanged?: boolean }
  /** Has the older part of the conversation summarised; a run under way is interrupted first. */
  | { readonly type: "context.compact"; readonly sessionId: string; readonly instructions?: string }
  /** Moves long results, or with `images` all pictures and documents, out of the model's sight. */
  | { readonly type: "context.shake"; readonly sessionId: string; readonly images?: boolean }
  /** Asks how large the conversation is, and what makes it so. */
  | { readonly type: "context.inspect"; readonly sessionId: string }
  /**
   * Has a document written with which a new session goes on; a run under way is interrupted first. The answer names
   * the new session, or this one where nothing was written and the conversation was summarised instead.
   */
  | { readonly type: "session.handoff"; readonly sessionId: string; readonly focus?: string }
  /**
   * Goes on at another place of the tree: after the entry, or before it if it is a prompt, whose text is given back. An
   * entry may also be named by the message that it belongs to.
   * Without an entry before the first word. Files stay as they are. A summary of what is left behind stands at the new
   * place, where one is wished for; until it is written, nothing moves.
   */
  | {
      readonly type: "leaf.move";
      readonly sessionId: string;
      readonly entryId?: string;
      readonly summary?: BranchSummaryWish;
    }
  /** Puts a text of the user at the end of the conversation; the model reads it with the next prompt. */
  | { readonly type: "message.add"; readonly sessionId: string; readonly text: string }
  /**
   * Takes a message out of the model's sight, with the results of its calls; a prompt that waits is withdrawn. The
   * record keeps it.
   */
  | { readonly type: "message.remove"; readonly sessionId: string; readonly messageId: string }
  /** Without a label the old one is taken away. */
  | { readonly type: "entry.label"; readonly sessionId: string; readonly entryId: string; readonly label?: string }
  /** Copies the way to the entry, or to the leaf, into a session of its own. Files stay as they are. */
  | { readonly type: "session.fork"; readonly sessionId: string; readonly entryId?: string }
  | {
      readonly type: "session.update";
      readonly sessionId: string;
      readonly title?: string;
      readonly isArchived?: boolean;
    }
  /** Removes everything that was said and done in it; only the bare chain is left. */
  | { readonly type: "session.delete"; readonly sessionId: string };

/** `instructions` take the place of our own words to the model that sums up. */
export type BranchSummaryWish = "none" | "summary" | { readonly instructions: string };

export type SessionCommandType = SessionCommand["type"];

export type Command = SessionCommand | HostCommand;

export type CommandType = Command["type"];

type SessionAnswers = {
  "session.create": { readonly sessionId: string };
  "session.resume": {
    readonly sessionId: string;
    readonly interrupted: boolean;
    /** What is no longer as it was in the session, such as its model. */
    readonly notice?: string;
  };
  "session.close": Record<never, never>;
  "prompt.submit": { readonly promptId: string; readonly runId: string };
  "prompt.revise": Record<never, never>;
  "prompt.withdraw": Record<never, never>;
  "run.continue": { readonly runId: string };
  "turn.interrupt": Record<never, never>;
  "permission.answer": Record<never, never>;
  "question.answer": Record<never, never>;
  "mode.change": Record<never, never>;
  "grants.replace": Record<never, never>;
  "model.change": { readonly model: string };
  "checkpoint.discard": { readonly goal: string };
  "session.undo": UndoAnswer;
  "session.redo": { readonly files: readonly FileChange[] };
  "session.revert": UndoAnswer;
  "session.unrevert": { readonly files: readonly FileChange[] };
  "context.compact": { readonly shortSummary: string; readonly tokensBefore: number; readonly tokensAfter: number };
  "context.shake": { readonly resultCount: number; readonly tokensFreed: number };
  "context.inspect": {
    readonly model: string;
    readonly windowTokens: number;
    readonly tokens: number;
    /** True when the vendor counted most of them. */
    readonly isMeasured: boolean;
    /** From here on it is shortened, and from here on no longer sent. */
    readonly compactAt: number;
    readonly overflowAt: number;
    /** What the model sees besides the conversation. */
    readonly sources: readonly ContextEntry[];
    /** The tools and the conversation. Estimates, like those of the sources; they need not add up to what was counted. */
    readonly parts: readonly { readonly name: string; readonly tokens: number }[];
  };
  "session.handoff": { readonly sessionId: string };
  "leaf.move": { readonly leafId?: string; readonly promptText?: string };
  "message.add": { readonly messageId: string };
  "message.remove": Record<never, never>;
  "entry.label": Record<never, never>;
  "session.fork": { readonly sessionId: string };
  "session.update": Record<never, never>;
  "session.delete": Record<never, never>;
};

export type UndoAnswer = {
  readonly promptText: string;
  readonly attachments?: readonly Media[];
  readonly files: readonly FileChange[];
  /** What could not be put back, because no snapshot covered it. */
  readonly uncovered: readonly string[];
};

type Answers = SessionAnswers & HostAnswers;

export type CommandOf<Type extends CommandType> = Extract<Command, { type: Type }>;

export type CommandAnswer<Type extends CommandType> =
  | { readonly ok: true; readonly value: Answers[Type] }
  | { readonly ok: false; readonly failure: Failure };
