/** View events: what clients that show messages and parts are told. Made of facts and signals, never stored. */
import type { Cost, Usage } from "../content.ts";
import type { Question, Todo } from "../contracts/tool.ts";
import type { AgentStatus, FileChange, RunReason } from "../facts/fact-words.ts";
import type { Failure } from "../failure.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { PermissionReply } from "../permission.ts";
import type { SessionStatus } from "../rows/host-words.ts";
import type { MessageRow, PartView, SessionView } from "../view.ts";
import type { FrameBody } from "../wire/event-frame.ts";
import type { SignalOf } from "../wire/signals.ts";

/** The names are part of the published interface. Rows are sent whole; a later one takes the place of an earlier one. */
export type ViewEvent =
  | { readonly type: "session.created" | "session.updated"; readonly session: SessionView }
  | { readonly type: "session.deleted" }
  | {
      readonly type: "session.compacted";
      readonly messageId: string;
      readonly shortSummary: string;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | { readonly type: "session.idle"; readonly runId: string; readonly reason: RunReason }
  | {
      readonly type: "session.error";
      readonly runId: string;
      readonly reason?: RunReason;
      readonly failure?: Failure;
    }
  | {
      readonly type: "session.status";
      readonly status: SessionStatus;
      /** How long the model has said nothing. */
      readonly stalledMs?: number;
      readonly budget?: Pick<SignalOf<"budget.crossing">, "limit" | "percent">;
    }
  /** The work continues in another session. */
  | { readonly type: "session.moved"; readonly toSessionId: string }
  /** What a run changed, or what an undo put back. */
  | { readonly type: "session.diff"; readonly files: readonly FileChange[] }
  | { readonly type: "message.updated"; readonly message: MessageRow }
  | { readonly type: "message.removed"; readonly messageId: string }
  | { readonly type: "message.part.updated"; readonly part: PartView }
  | { readonly type: "message.part.removed"; readonly messageId: string; readonly partId: string }
  | {
      readonly type: "message.part.delta";
      readonly messageId: string;
      readonly partId: string;
      /** `raw` is the input of a pending call. */
      readonly field: "text" | "raw";
      readonly delta: string;
    }
  | {
      readonly type: "permission.asked";
      readonly id: string;
      readonly sessionId: string;
      readonly messageId: string;
      readonly callId: string;
      readonly agent: string;
      readonly permission: string;
      readonly patterns: readonly string[];
      readonly always: readonly string[];
      readonly metadata: JsonObject;
      readonly reason: string;
    }
  | {
      readonly type: "permission.replied";
      readonly id: string;
      readonly reply: PermissionReply;
      readonly source: string;
      /** What is granted from now on. */
      readonly patterns?: readonly string[];
    }
  | {
      readonly type: "question.asked";
      readonly id: string;
      readonly callId: string;
      readonly questions: readonly Question[];
    }
  | { readonly type: "question.replied"; readonly id: string; readonly answers: readonly string[] }
  | { readonly type: "todo.updated"; readonly todos: readonly Todo[] }
  | { readonly type: "command.executed"; readonly command: string; readonly text: string; readonly data?: Json }
  | { readonly type: "task.started"; readonly id: string; readonly callId: string; readonly command: string }
  | {
      readonly type: "task.progress";
      readonly callId: string;
      readonly count: number;
      readonly text: string;
      readonly stream: "stdout" | "stderr";
    }
  | { readonly type: "task.ended"; readonly id: string; readonly status: string }
  | {
      readonly type: "agent.started";
      /** That of its session. */
      readonly id: string;
      readonly agent: string;
      readonly description: string;
      readonly name?: string;
      readonly callId?: string;
    }
  | {
      readonly type: "agent.ended";
      readonly id: string;
      readonly status: AgentStatus;
      readonly why?: string;
      readonly usage: Usage;
      readonly cost: Cost;
    }
  | {
      readonly type: "agent.progressed";
      readonly id: string;
      readonly turns: number;
      readonly usage: Usage;
      readonly cost: Cost;
      /** The last tool call, in a few words. */
      readonly lastAction?: string;
    }
  | { readonly type: "file.edited"; readonly path: string; readonly status: FileChange["status"] }
  | {
      readonly type: "mcp.status";
      readonly server: string;
      readonly state: string;
      /** Why it failed or is not used, without a full stop. */
      readonly reason?: string;
    }
  | {
      readonly type: "mcp.tools.changed";
      readonly server: string;
      readonly what: SignalOf<"mcp.tools.changed">["what"];
      /** Tools that describe themselves otherwise than when they were first used. */
      readonly changed: readonly string[];
    }
  | { readonly type: "lsp.updated"; readonly server: string; readonly state: string }
  | { readonly type: "cost.updated"; readonly usage: Usage; readonly cost: Cost }
  | { readonly type: "notification"; readonly kind: "run" | "notice"; readonly text: string };

export type ViewEventOf<Type extends ViewEvent["type"]> = Extract<ViewEvent, { type: Type }>;

/** Other names of the same events, for clients that were written for them. */
export const viewEventAliases: { readonly [Type in ViewEvent["type"]]?: string } = {
  "message.part.updated": "part.updated",
  "message.part.delta": "part.delta",
};

export function frameOfViewEvent(sessionId: string, { type, ...properties }: ViewEvent): FrameBody {
  // View events are plain data by their definition.
  return { type, sessionId, properties: properties as unknown as JsonObject };
}

/** The other way; the caller knows that the frame is one of the parts view. */
export function viewEventOfFrame({ type, properties }: Pick<FrameBody, "type" | "properties">): ViewEvent {
  // The other side is a kedge of the same protocol; an event of a newer one is applied by nobody.
  return { ...properties, type } as unknown as ViewEvent;
}
