/** Messages and parts: the view that clients, exports and searches have of a session. Folded from facts, never stored as truth. */
import type { Cost, Media, StopReason, Usage } from "./content.ts";
import type { CompactionTrigger, FileChange, Retry } from "./facts.ts";
import type { Failure } from "./failure.ts";
import type { JsonObject } from "./json.ts";

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
      /** Put in by kedge. */
      readonly isSynthetic?: true;
      /** Shown, but not sent to the model. */
      readonly isIgnored?: true;
    }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "tool"; readonly callId: string; readonly tool: string; readonly state: ToolPartState }
  | { readonly type: "file"; readonly media: Media }
  | {
      readonly type: "compaction";
      readonly trigger: CompactionTrigger;
      readonly shortSummary: string;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly firstKeptId?: string;
      readonly boundary: JsonObject;
    }
  | { readonly type: "subtask"; readonly prompt: string; readonly description: string; readonly agent: string }
  | { readonly type: "snapshot"; readonly tree: string }
  | { readonly type: "patch"; readonly before: string; readonly files: readonly FileChange[] }
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

export type PartType = PartBody["type"];

/** Parts of a message are in the order of their ids. */
export type PartView = PartBody & { readonly id: string; readonly messageId: string; readonly time: number };

export type MessageView = {
  readonly id: string;
  readonly sessionId: string;
  readonly role: "user" | "assistant";
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
