/** Messages and parts: the view that clients, exports and searches have of a session. Folded from facts, never stored as truth. */
import type { Cost, Media, StopReason, Usage } from "./content.ts";
import type { Todo } from "./contracts/tool.ts";
import type { CompactionTrigger, Delivery, FileChange, Retry, SessionOrigin } from "./facts/fact-words.ts";
import type { Failure } from "./failure.ts";
import type { JsonObject } from "./json/json.ts";
import type { PermissionMode } from "./permission.ts";

/** What a tool call is at the moment. Only the changes of `toolTransitions` exist. */
export type ToolPartState =
  | { readonly status: "pending"; readonly raw: string }
  | { readonly status: "running"; readonly input: string; readonly startedAt: number }
  | {
      readonly status: "completed";
      readonly input: string;
      readonly output: string;
      readonly title?: string;
      readonly metadata?: JsonObject;
      readonly attachments?: readonly Media[];
      readonly startedAt?: number;
      readonly endedAt: number;
      /** When the model stopped seeing the output. */
      readonly compactedAt?: number;
    }
  | {
      readonly status: "error";
      readonly input: string;
      readonly error: string;
      readonly metadata?: JsonObject;
      readonly startedAt?: number;
      readonly endedAt: number;
    };

export type PartBody =
  | {
      readonly type: "text";
      readonly text: string;
      /** The guest of a shared session who wrote it. */
      readonly from?: string;
      /** Put in by kedge. */
      readonly isSynthetic?: true;
      /** Who put it in the place of what the user wrote. */
      readonly revisedBy?: string;
      /** Shown, but not sent to the model. */
      readonly isIgnored?: true;
    }
  | { readonly type: "reasoning"; readonly text: string }
  | {
      readonly type: "tool";
      readonly callId: string;
      readonly tool: string;
      readonly state: ToolPartState;
      /** The call that made this one; the model sees only that one's result. Known once this one has ended. */
      readonly parentCallId?: string;
    }
  | { readonly type: "file"; readonly media: Media }
  | {
      readonly type: "compaction";
      readonly trigger: CompactionTrigger;
      readonly shortSummary: string;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly itemsReplaced: number;
      /** The first message that the model still sees whole. */
      readonly firstKeptId?: string;
      readonly boundary: JsonObject;
    }
  | { readonly type: "subtask"; readonly prompt: string; readonly description: string; readonly agent: string }
  | { readonly type: "snapshot"; readonly tree: string }
  | {
      readonly type: "patch";
      readonly before: string;
      readonly files: readonly FileChange[];
      /** Files too large to be covered. */
      readonly uncovered?: readonly string[];
    }
  | { readonly type: "agent"; readonly name: string }
  | { readonly type: "retry"; readonly retry: Retry }
  | { readonly type: "step-start"; readonly snapshot?: string }
  | {
      readonly type: "step-finish";
      readonly reason?: StopReason;
      readonly snapshot?: string;
      readonly usage: Usage;
      readonly cost: Cost;
    };

/** Parts of a message are in the order of their ids. */
export type PartView = PartBody & { readonly id: string; readonly messageId: string; readonly time: number };

export type MessageView = {
  readonly id: string;
  readonly sessionId: string;
  readonly role: "user" | "assistant";
  /** A prompt that the model has not seen yet: it has no place in the tree. */
  readonly isQueued?: true;
  /** Of a queued prompt, while another run is on: whether that run takes it in at its next step or it waits for the end. */
  readonly delivery?: Delivery;
  /** The message before it in the tree; absent at the root. */
  readonly treeParent?: string;
  /** The user message that an assistant message answers. */
  readonly parentId?: string;
  readonly model?: string;
  /** Stands for older messages. */
  readonly isSummary?: true;
  readonly createdAt: number;
  readonly completedAt?: number;
  readonly stopReason?: StopReason;
  readonly usage?: Usage;
  readonly cost?: Cost;
  readonly failure?: Failure;
  readonly parts: readonly PartView[];
};

/** A message without its parts, which are rows of their own. */
export type MessageRow = Omit<MessageView, "parts">;

/** What a session is as a whole. Ids are those of messages. */
export type SessionView = {
  readonly id: string;
  readonly projectId: string;
  readonly directory: string;
  readonly title: string;
  readonly model: string;
  readonly mode: PermissionMode;
  /** How briefly the model is to write; absent where nobody asked for it. */
  readonly brevity?: string;
  readonly origin?: SessionOrigin;
  /** Where the conversation goes on; absent before its first word. */
  readonly leafId?: string;
  readonly isRunning: boolean;
  readonly isArchived: boolean;
  readonly isDeleted?: true;
  /** The last undo that can still be taken back: everything from this message on is undone, or only its files. */
  readonly revert?: {
    readonly messageId: string;
    readonly only?: "files";
    readonly snapshot: string;
    readonly files: readonly FileChange[];
  };
  readonly todos: readonly Todo[];
  readonly labels: readonly { readonly messageId: string; readonly label: string }[];
  readonly usage: Usage;
  readonly cost: Cost;
  readonly createdAt: number;
  /** When anything in here last changed. */
  readonly updatedAt: number;
};

/** What one fact changes in the rows of the view. `session`, `message` and `part` put the whole row under its id. */
export type ViewChange =
  | { readonly kind: "session"; readonly session: SessionView }
  | { readonly kind: "message"; readonly message: MessageRow }
  | { readonly kind: "part"; readonly sessionId: string; readonly part: PartView }
  /** With all its parts: the prompt was withdrawn. */
  | { readonly kind: "message-removed"; readonly messageId: string }
  /** What was shown while the answer streamed is not in the finished one. */
  | { readonly kind: "part-removed"; readonly messageId: string; readonly partId: string }
  /** Sets `compactedAt` of a completed call; everything else of the part stays. */
  | {
      readonly kind: "output-cleared";
      readonly messageId: string;
      readonly partId: string;
      readonly compactedAt: number;
    }
  /**
   * Content of earlier records was removed. Rows that were made from them before that must be rebuilt, from the
   * records as they read now; rows made after it are right already.
   */
  | { readonly kind: "content-removed"; readonly digests: readonly string[] }
  /** The fact asked for a change that does not exist, and the rows stayed as they are. To be logged. */
  | { readonly kind: "refused"; readonly seq: number; readonly why: string };
