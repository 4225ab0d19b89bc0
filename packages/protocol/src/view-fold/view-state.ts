/** What the view fold remembers between two facts: the tree, the newest step and a little of every message, no texts. */
import type { AssistantBlock } from "../content.ts";
import { emptySession, type SessionState } from "../facts/session-state.ts";
import type { MessageRow, PartView, SessionView } from "../view.ts";

export type ToolPart = Extract<PartView, { type: "tool" }>;

/** What later facts need of a message. */
export type MessageEntry = {
  /** The user message that it answers, or the message itself when it is one of the user. */
  readonly userMessageId: string | undefined;
  /** The order of the next part that hangs on behind the others. */
  nextOrder: number;
  /** The parts of completed calls, whose outputs may still be cleared. */
  readonly completed: { readonly callId: string; readonly partId: string }[];
};

/** The newest step. */
export type ViewedStep = {
  readonly stepId: string;
  readonly runId: string;
  message: MessageRow;
  isAnswered: boolean;
  /** What is stored of the answer while it streams; empty once all of it is there. */
  content: readonly AssistantBlock[];
  /** The parts made of it so far, in order; empty once the answer is there. */
  shown: readonly PartView[];
  /** By call id: those that have not ended, and until the answer is there also the others, whose place may change. */
  readonly calls: Map<string, ToolPart>;
  readonly endedCalls: Set<string>;
  start: Extract<PartView, { type: "step-start" }>;
  finish: Extract<PartView, { type: "step-finish" }> | undefined;
  /** A tree was taken for a call of this step. */
  hasTree: boolean;
};

/** Owned and changed by `applyToView` alone. Plain data: it survives a structured clone. */
export type ViewState = {
  readonly sessionId: string;
  /** The session's own fold over facts without their texts, so that both always agree on the tree. */
  readonly skeleton: SessionState;
  session: SessionView | undefined;
  /** When each prompt that waits for its step was admitted. */
  readonly queued: Map<string, number>;
  /** By message id. */
  readonly entries: Map<string, MessageEntry>;
  step: ViewedStep | undefined;
  /** The last tree of the workspace that is known. */
  tree: string | undefined;
};

export function emptyView(sessionId: string): ViewState {
  return {
    sessionId,
    skeleton: emptySession(sessionId),
    session: undefined,
    queued: new Map(),
    entries: new Map(),
    step: undefined,
    tree: undefined,
  };
}
