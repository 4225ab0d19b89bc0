/** What the facts of a session add up to. Changed by the fold alone. */
import { type AssistantBlock, type Cost, type Media, noUsage, type Usage } from "./content.ts";
import type { Delivery, FactOf, FileChange, PressureLevel, Restore, ToolOutcome } from "./facts.ts";
import type { PermissionMode, PermissionRequest, PermissionRule } from "./permission.ts";
import type { Question, Todo } from "./tool.ts";

export type QueuedPrompt = {
  readonly promptId: string;
  readonly runId: string;
  readonly delivery: Delivery;
  readonly text: string;
  readonly attachments?: readonly Media[];
};

export type CallResult = {
  readonly callId: string;
  readonly tool: string;
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly media?: readonly Media[];
};

/** What the conversation consists of, in the order the model sees it. */
export type ConversationItem =
  | {
      readonly type: "prompt";
      readonly promptId: string;
      readonly text: string;
      readonly attachments?: readonly Media[];
      readonly form: "prompt" | "steer";
    }
  | { readonly type: "reminder"; readonly text: string }
  | {
      readonly type: "answer";
      readonly stepId: string;
      readonly model: string;
      readonly content: readonly AssistantBlock[];
    }
  | { readonly type: "results"; readonly stepId: string; readonly results: readonly CallResult[] }
  /** Stands for everything between a checkpoint and the return to it. */
  | { readonly type: "report"; readonly report: string; readonly files: readonly FileChange[] };

export type CallState = {
  readonly callId: string;
  readonly stepId: string;
  readonly tool: string;
  readonly inputText: string;
  readonly started: boolean;
  readonly snapshot?: string;
  readonly result?: CallResult;
};

/** A step whose answer or whose calls are not all finished. */
export type OpenStep = {
  readonly stepId: string;
  readonly runId: string;
  readonly model: string;
  /** True once the model's answer is stored. */
  readonly answered: boolean;
  /** Text that was stored while the answer streamed. */
  readonly progress: readonly AssistantBlock[];
};

/** The place that the model marked and has not come back to. */
export type OpenCheckpoint = {
  readonly goal: string;
  readonly callId: string;
  readonly stepId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Number of conversation items up to the place; absent until the results of its step are there. */
  readonly itemsKept?: number;
  /** What the calls of later steps changed. */
  readonly files: readonly FileChange[];
};

/** Work that `session.undo` can take back: everything from one prompt to the next. */
export type UndoPoint = {
  readonly promptId: string;
  readonly text: string;
  /** Number of conversation items before the prompt. */
  readonly itemsBefore: number;
  /** Those items, where the conversation has gone back to an earlier checkpoint since and no longer holds them. */
  readonly itemsThen?: readonly ConversationItem[];
  /** The checkpoint that was open then. */
  readonly checkpoint?: OpenCheckpoint;
  readonly changes: readonly { readonly before: string; readonly files: readonly FileChange[] }[];
  /** Tree before a call whose effects were never recorded, because the process died. */
  readonly unfinished?: string;
};

/** What `session.redo` needs to take an undo back. */
export type Revert = {
  readonly promptId: string;
  readonly snapshot: string;
  readonly files: readonly FileChange[];
  /** All of the conversation before the undo. */
  readonly items: readonly ConversationItem[];
  readonly undoPoints: readonly UndoPoint[];
  readonly checkpoint?: OpenCheckpoint;
};

/** Owned and changed by `applyRecord` alone; everybody else only reads it. */
export type SessionState = {
  sessionId: string;
  lastSeq: number;
  directory: string;
  projectId: string;
  model: string;
  mode: PermissionMode;
  title: string;
  boot: string;
  /** Grows only at its end, except after a revert or a rewind, when it becomes a new array. */
  items: ConversationItem[];
  queue: QueuedPrompt[];
  /** The run that has begun and not ended. */
  runId: string | undefined;
  step: OpenStep | undefined;
  calls: Map<string, CallState>;
  permissionRequests: Map<string, PermissionRequest>;
  grants: PermissionRule[];
  questions: Map<string, readonly Question[]>;
  todos: readonly Todo[];
  /** Model calls since the list was last changed. */
  stepsSinceTodos: number;
  /** Tools that the model has found by searching, and that requests carry from then on. */
  foundTools: Set<string>;
  /** The mode to return to when planning ends. */
  modeBeforePlan: PermissionMode;
  usage: Usage;
  cost: Cost;
  turns: number;
  lastRun: FactOf<"run.ended"> | undefined;
  checkpoint: OpenCheckpoint | undefined;
  /** Of the run under way; every run begins calm. */
  pressure: PressureLevel;
  undoPoints: UndoPoint[];
  reverts: Revert[];
  /** Set while the last fact is a revert or its opposite, whose file changes a crash may have cut short. */
  unsettledRestores: readonly Restore[];
};

export function emptySession(sessionId: string): SessionState {
  return {
    sessionId,
    lastSeq: 0,
    directory: "",
    projectId: "",
    model: "",
    mode: "default",
    title: "",
    boot: "",
    items: [],
    queue: [],
    runId: undefined,
    step: undefined,
    calls: new Map(),
    permissionRequests: new Map(),
    grants: [],
    questions: new Map(),
    todos: [],
    stepsSinceTodos: 0,
    foundTools: new Set(),
    modeBeforePlan: "default",
    usage: noUsage,
    cost: { usd: 0, estimated: false },
    turns: 0,
    lastRun: undefined,
    checkpoint: undefined,
    pressure: "calm",
    undoPoints: [],
    reverts: [],
    unsettledRestores: [],
  };
}
