/** Facts: everything that is stored, numbered and replayable. State is a fold over these and nothing else. */
import type { AssistantBlock, Cost, Media, QuerySource, StopReason, Usage, VendorHistory } from "../content.ts";
import type { CacheBreak } from "../contracts/model.ts";
import type { Question, Todo } from "../contracts/tool.ts";
import type { Failure, FailureCode } from "../failure.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type {
  PermissionDecision,
  PermissionMode,
  PermissionReply,
  PermissionRequest,
  PermissionRule,
} from "../permission.ts";
import type { RunOptions } from "../rows/words.ts";
import type { AgentFact } from "./agent-facts.ts";
import type {
  ClearedResult,
  ClearReason,
  CompactionStrategy,
  CompactionTrigger,
  Delivery,
  Denial,
  FileChange,
  LoadedBlock,
  PhaseTimings,
  PictureArchive,
  PressureContribution,
  PressureLevel,
  RecordKind,
  Restore,
  Retry,
  RunResult,
  SentBlock,
  SessionBudget,
  SessionOrigin,
  Subtask,
  ToolOutcome,
  TouchedFiles,
  WritingStyle,
} from "./fact-words.ts";
import type { Reproduction } from "./reproduction.ts";

/** Noun, dot, past participle. A new member needs a decision record, a case in the fold and a session test. */
export type Fact =
  | {
      readonly type: "session.created";
      readonly directory: string;
      readonly projectId: string;
      readonly model: string;
      readonly mode: PermissionMode;
      readonly kedgeVersion: string;
      readonly boot: string;
      readonly origin?: SessionOrigin;
      /** Of git, when the session began; absent outside of a repository and between branches. */
      readonly branch?: string;
      /** What all runs of the session may use together; absent where there is no limit. */
      readonly budget?: SessionBudget;
    }
  | {
      readonly type: "session.updated";
      readonly title?: string;
      /** Who gave the title. */
      readonly titleSource?: "model" | "user";
      readonly isArchived?: boolean;
      /** The work in the form of a pull request, and the entry up to which it tells of it. */
      readonly summary?: string;
      readonly summaryLeaf?: string;
      /** What a model was paid for it. */
      readonly usage?: Usage;
      readonly cost?: Cost;
    }
  /** The last fact: nothing but the bare chain is left. */
  | { readonly type: "session.deleted"; readonly by: string }
  /** In the journal of a project: a session was deleted, and its chain ends with this record. */
  | { readonly type: "chain.closed"; readonly sessionId: string; readonly lastSeq: number; readonly hash: string }
  /** Records were lost or damaged, and what could be read goes on from here. */
  | { readonly type: "journal.recovered"; readonly what: string }
  /** A process took the session up again; grants of earlier boots no longer count. */
  | { readonly type: "session.resumed"; readonly boot: string; readonly mode: PermissionMode }
  | { readonly type: "model.changed"; readonly model: string }
  | { readonly type: "mode.changed"; readonly mode: PermissionMode }
  /** How the model is to write from here on; absent for nothing in particular. */
  | { readonly type: "style.changed"; readonly style?: WritingStyle; readonly brevity?: WritingStyle }
  | {
      readonly type: "prompt.admitted";
      readonly promptId: string;
      readonly runId: string;
      readonly delivery: Delivery;
      readonly text: string;
      /** Who wrote it, where it was a guest of a shared session. */
      readonly from?: string;
      readonly attachments?: readonly Media[];
      /** Agents that work before the model is asked; it sees their results. */
      readonly subtasks?: readonly Subtask[];
      /** Limits and wishes of the run that begins with it; absent when it has none, or joins a run that has its own. */
      readonly options?: RunOptions;
    }
  /** With `by` it was not the user who changed it: what the user wrote stays shown. */
  | { readonly type: "prompt.revised"; readonly promptId: string; readonly text: string; readonly by?: string }
  /** With `by` it was refused, and the end of its run says why. */
  | { readonly type: "prompt.withdrawn"; readonly promptId: string; readonly by?: string }
  | { readonly type: "command.ran"; readonly command: string; readonly text: string; readonly data?: Json }
  | {
      readonly type: "step.started";
      readonly stepId: string;
      readonly runId: string;
      readonly turn: number;
      readonly source: QuerySource;
      readonly model: string;
      readonly requestId: string;
      /** Admitted prompts that enter the model's view with this step, in order. */
      readonly prompts: readonly { readonly promptId: string; readonly form: "prompt" | "steer" }[];
      /** Text of kedge itself that enters the model's view with this step. */
      readonly reminders: readonly string[];
      /** How many of the reminders, from the first, stand before the prompts; absent when none does. */
      readonly remindersBefore?: number;
      /** Which reminders, by their index, are versions of named blocks; absent when none is. */
      readonly sent?: readonly (SentBlock & { readonly reminder: number })[];
      /** Tools that joined the session since the step before: from here on they end the list of every request. */
      readonly addedTools?: readonly string[];
      /** Present when the run left its model for another one; `context`: for one with a larger window. */
      readonly fallback?: { readonly from: string; readonly reason: FailureCode | "context" };
      /** From here on the model sees names in the place of attachments, because the vendor rejected one. */
      readonly withoutMedia?: true;
    }
  | { readonly type: "step.progressed"; readonly stepId: string; readonly appended: readonly AssistantBlock[] }
  | {
      readonly type: "step.ended";
      readonly stepId: string;
      readonly outcome: "answered" | "failed" | "interrupted";
      readonly content: readonly AssistantBlock[];
      readonly usage: Usage;
      readonly cost: Cost;
      readonly stopReason?: StopReason;
      readonly providerRequestId?: string;
      readonly failure?: Failure;
      readonly retries?: readonly Retry[];
      readonly cacheBreak?: CacheBreak;
      readonly durationMs: number;
    }
  | {
      readonly type: "tool.started";
      readonly callId: string;
      readonly stepId: string;
      readonly tool: string;
      readonly inputText: string;
      readonly readOnly: boolean;
      /** Absent only where the content of the record was removed. */
      readonly decision?: PermissionDecision;
      /** Tree of the workspace before the call, when the call may change files and a snapshot could be taken. */
      readonly snapshot?: string;
    }
  | {
      readonly type: "tool.ended";
      readonly callId: string;
      readonly stepId: string;
      readonly tool: string;
      readonly outcome: ToolOutcome;
      readonly output: string;
      readonly title?: string;
      readonly metadata?: JsonObject;
      readonly media?: readonly Media[];
      /** The call that made this one, for calls inside a call: the model sees only that one's result. */
      readonly parentCallId?: string;
      readonly phases: PhaseTimings;
      /** Present when the call was refused. */
      readonly decision?: PermissionDecision;
    }
  /** Work that goes on after its call. `pid` and `startedAt` tell later whether it still runs. */
  | {
      readonly type: "job.started";
      readonly jobId: string;
      readonly callId: string;
      readonly command: string;
      readonly pid?: number;
      readonly startedAt?: string;
    }
  | { readonly type: "job.ended"; readonly jobId: string; readonly status: string }
  | AgentFact
  | { readonly type: "todos.replaced"; readonly todos: readonly Todo[] }
  | {
      readonly type: "question.asked";
      readonly requestId: string;
      readonly callId: string;
      readonly questions: readonly Question[];
    }
  /** Without answers: nobody answered, and the run was stopped. */
  | { readonly type: "question.answered"; readonly requestId: string; readonly answers: readonly string[] }
  | ({ readonly type: "permission.asked"; readonly stepId: string } & PermissionRequest)
  | {
      readonly type: "permission.answered";
      readonly requestId: string;
      readonly callId: string;
      readonly reply: PermissionReply;
      /**
       * `sibling`: the user's answer to another question settled this one as well. `timeout`: nobody answered in time,
       * or nobody was there who could.
       */
      readonly source: "user" | "classifier" | "interrupt" | "sibling" | "timeout";
      readonly boot: string;
      /** Rules granted until this boot ends. */
      readonly grants: readonly PermissionRule[];
      readonly message?: string;
      /** What the person wrote in the place of the model's input. */
      readonly updatedInputText?: string;
    }
  /** A person changed what is granted until this boot ends; the whole list. */
  | { readonly type: "grants.replaced"; readonly grants: readonly PermissionRule[]; readonly boot: string }
  /** The files that the calls of one step changed, between two trees. */
  | {
      readonly type: "files.changed";
      readonly stepId: string;
      readonly before: string;
      readonly after: string;
      readonly files: readonly FileChange[];
      /** Files too large to be covered, named so that no gap looks like success. */
      readonly uncovered: readonly string[];
      /** Refs and stash entries of the user's repository that changed. */
      readonly refs?: readonly string[];
    }
  /** The level of the run under way is another one; `contributions` are what made it so, oldest first. */
  | {
      readonly type: "pressure.changed";
      readonly level: PressureLevel;
      readonly score: number;
      readonly contributions: readonly PressureContribution[];
    }
  /** The model marked a place to come back to: after the results of this step. */
  | {
      readonly type: "checkpoint.opened";
      readonly stepId: string;
      readonly callId: string;
      readonly goal: string;
    }
  /** The user no longer wants the model to come back to the open one. */
  | { readonly type: "checkpoint.discarded" }
  /**
   * The conversation went back to the open checkpoint and goes on with a report. What the user said since then stays,
   * and files stay as they are.
   */
  | {
      readonly type: "conversation.rewound";
      readonly stepId: string;
      readonly report: string;
      /** What the calls since the checkpoint changed. */
      readonly files: readonly FileChange[];
    }
  /** The model no longer sees these results whole; the record still has them. */
  | {
      readonly type: "context.cleared";
      readonly reason: ClearReason;
      readonly results: readonly ClearedResult[];
      readonly tokensFreed: number;
      /** What stands behind the first result of all that were cleared together, and is sent to the vendor again. */
      readonly resentTokens?: number;
    }
  /** A summary stands for the older part of the conversation from here on. Nothing is deleted. */
  | {
      readonly type: "context.compacted";
      readonly compactionId: string;
      readonly trigger: CompactionTrigger;
      readonly strategy: CompactionStrategy;
      readonly summary: string;
      /** One line for a list. */
      readonly shortSummary: string;
      readonly restored: readonly string[];
      readonly frames?: readonly Media[];
      /** What of a history in pictures is not printed yet, and how many pictures of it were given up. */
      readonly archive?: PictureArchive;
      /** The same part as the vendor shortened it, for models that read it. */
      readonly vendorHistory?: VendorHistory;
      readonly firstKeptId?: string;
      readonly files: TouchedFiles;
      readonly itemsReplaced: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** What held at this moment and must go on to hold: mode, todos, found tools, jobs, plan, pressure. */
      readonly boundary: JsonObject;
      readonly model?: string;
      readonly usage: Usage;
      readonly cost: Cost;
    }
  | {
      readonly type: "compaction.failed";
      readonly trigger: CompactionTrigger;
      readonly failure: Failure;
      readonly usage: Usage;
      readonly cost: Cost;
    }
  /** Another place of the tree is where the conversation goes on; without a leaf, before its first word. */
  | { readonly type: "leaf.moved"; readonly leafId?: string }
  /** Without a label the old one is taken away. */
  | { readonly type: "entry.labelled"; readonly entryId: string; readonly label?: string }
  /** A text of record enters the conversation at the leaf. */
  | {
      readonly type: "message.added";
      readonly messageId: string;
      readonly kind: RecordKind;
      readonly text: string;
      /** The leaf of the branch that it sums up. */
      readonly fromLeafId?: string;
      /** Who wrote it in the place of a model. */
      readonly by?: string;
      readonly files?: TouchedFiles;
      readonly usage?: Usage;
      readonly cost?: Cost;
    }
  /** A person took these entries out of the model's sight; the record keeps them. */
  | { readonly type: "message.removed"; readonly messageId: string; readonly entryIds: readonly string[] }
  /** The files were put back to what they were before this prompt; the conversation continues from before it. */
  | {
      readonly type: "session.reverted";
      readonly promptId: string;
      /** The conversation stays where it is. */
      readonly only?: "files";
      /** Tree of the workspace just before the revert, for redo. */
      readonly snapshot: string;
      /** What is put back from where; a crash in the middle is finished from this. */
      readonly restores: readonly Restore[];
      readonly files: readonly FileChange[];
    }
  | {
      readonly type: "session.unreverted";
      readonly promptId: string;
      readonly only?: "files";
      readonly restores: readonly Restore[];
      readonly files: readonly FileChange[];
    }
  | ({ readonly type: "run.ended"; readonly runId: string } & RunResult)
  /** A topic was saved for this session; one whose path begins with `inbox/` waits for the user. */
  /** Instructions that the model sees from the next step on: ahead of the conversation, or because of a file it touched. */
  | { readonly type: "instructions.loaded"; readonly blocks: readonly LoadedBlock[] }
  /** What kedge saw when it ran the reproduction of a bug; the latest one of an id counts. */
  | ({ readonly type: "reproduction.judged" } & Reproduction)
  | { readonly type: "memory.written"; readonly path: string; readonly origin: string }
  | { readonly type: "memory.quarantined"; readonly path: string; readonly why: string }
  /** Topics were looked for, for the prompt of the run under way; the selected ones are shown with the next step. */
  | {
      readonly type: "memory.recalled";
      readonly candidates: number;
      readonly selected: readonly string[];
      readonly bytes: number;
      readonly durationMs: number;
      readonly by: "model" | "keywords";
      readonly usage?: Usage;
      readonly cost?: Cost;
    }
  /** The conversation was searched for what is worth remembering. */
  | {
      readonly type: "memory.extracted";
      /** The item up to which nothing is searched again; absent where the search was not completed. */
      readonly upTo?: string;
      /** `skipped`: the agent saved by itself. */
      readonly outcome: "searched" | "skipped" | "failed";
      readonly paths: readonly string[];
      /** Calls that were refused. */
      readonly denials: readonly Denial[];
      readonly usage: Usage;
      readonly cost: Cost;
      /** How much of the last request was read from the cache; absent where the provider tells of none. */
      readonly cacheShare?: number;
      /** What differed, where the share is small; `provider` where nothing did. */
      readonly cacheMiss?: string;
    }
  /** Topics were merged and tidied up. */
  | {
      readonly type: "memory.consolidated";
      readonly trigger: "asked" | "due";
      readonly outcome: "changed" | "unchanged" | "failed";
      readonly paths: readonly string[];
      readonly denials: readonly Denial[];
      readonly durationMs: number;
      readonly usage: Usage;
      readonly cost: Cost;
      /** How much of the last request was read from the cache; absent where the provider tells of none. */
      readonly cacheShare?: number;
      /** What differed, where the share is small; `provider` where nothing did. */
      readonly cacheMiss?: string;
    }
  /** What the run that ended right before it is remembered by; the lesson is stored already. */
  | {
      readonly type: "memory.lesson_extracted";
      readonly id: string;
      readonly outcome: "succeeded" | "failed";
      readonly lesson: string;
    }
  | {
      readonly type: "content.removed";
      readonly digests: readonly string[];
      readonly reason: string;
      readonly by: string;
    };

export type FactType = Fact["type"];

export type FactOf<Type extends FactType> = Extract<Fact, { type: Type }>;

/** What is recorded for a session beside its work, by whoever knows it: the engine only stores it. */
export type SideFact = Extract<Fact, { readonly type: `${"memory" | "agent" | "mail" | "reproduction"}.${string}` }>;
