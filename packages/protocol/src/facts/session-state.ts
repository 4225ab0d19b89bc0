/** What the facts of a session add up to. Changed by the fold alone. */
import { type AssistantBlock, type Cost, type Media, noUsage, type Usage, type VendorHistory } from "../content.ts";
import type { AgentEnd } from "../contracts/agent-outcome.ts";
import type { Question, Todo } from "../contracts/tool.ts";
import type { PermissionMode, PermissionRequest, PermissionRule } from "../permission.ts";
import type {
  Delivery,
  FileChange,
  PictureArchive,
  PressureLevel,
  RecordKind,
  Restore,
  SentBlock,
  SessionBudget,
  SessionOrigin,
  Subtask,
  ToolOutcome,
  WritingStyle,
} from "./fact-words.ts";
import type { FactOf } from "./facts.ts";
import type { Reproduction } from "./reproduction.ts";

export type QueuedPrompt = {
  readonly promptId: string;
  readonly runId: string;
  readonly delivery: Delivery;
  readonly text: string;
  readonly attachments?: readonly Media[];
  readonly subtasks?: readonly Subtask[];
};

export type CallResult = {
  readonly callId: string;
  readonly tool: string;
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly media?: readonly Media[];
  /** The output is no longer shown; this text stands in its place. The whole of it is in the record. */
  readonly cleared?: string;
  /** The tool found nothing worth keeping, such as no match. */
  readonly useless?: true;
  /** The tools that it made callable, where its text says no more than that. */
  readonly foundTools?: readonly string[];
};

/** What the conversation consists of, in the order the model sees it. Ids are unique in the session. */
export type ConversationItem =
  | {
      readonly type: "prompt";
      /** The id of the prompt. */
      readonly id: string;
      readonly text: string;
      readonly attachments?: readonly Media[];
      readonly form: "prompt" | "steer";
    }
  | {
      readonly type: "reminder";
      readonly id: string;
      readonly text: string;
      /** Present when it is a version of a named block. */
      readonly sent?: SentBlock;
    }
  | {
      readonly type: "answer";
      /** The id of the step. */
      readonly id: string;
      readonly stepId: string;
      readonly model: string;
      readonly content: readonly AssistantBlock[];
    }
  | {
      readonly type: "results";
      readonly id: string;
      readonly stepId: string;
      readonly results: readonly CallResult[];
    }
  /** Stands for everything between a checkpoint and the return to it, but for what the user said meanwhile. */
  | {
      readonly type: "report";
      readonly id: string;
      readonly said: readonly PromptItem[];
      readonly report: string;
      readonly files: readonly FileChange[];
    }
  /** A text of record that is no order: what another branch or another session came to. */
  | { readonly type: "record"; readonly id: string; readonly kind: RecordKind; readonly text: string }
  /** Stands for everything before it but for the items from `firstKeptId` on, which follow it. */
  | {
      readonly type: "compaction";
      readonly id: string;
      readonly summary: string;
      /** What the model needs again, such as the present content of files. */
      readonly restored: readonly string[];
      /** The history as pictures, where the model reads them. */
      readonly frames?: readonly Media[];
      readonly archive?: PictureArchive;
      /** The history as its vendor shortened it, for models that read it. */
      readonly vendorHistory?: VendorHistory;
      readonly firstKeptId?: string;
    };

export type CompactionItem = Extract<ConversationItem, { type: "compaction" }>;

export type PromptItem = Extract<ConversationItem, { type: "prompt" }>;

/**
 * Stands in the tree for results or a summary that the model no longer sees, once their long texts are released. The
 * facts in the store still have them.
 */
export type ReleasedItem = {
  readonly type: "released";
  readonly id: string;
  /** Present when it stands for results. */
  readonly step?: {
    readonly stepId: string;
    readonly results: readonly ReleasedResult[];
  };
};

export type ReleasedResult = Pick<CallResult, "callId" | "outcome"> & {
  /** The jobs that the output named. */
  readonly jobIds: readonly string[];
};

export type TreeItem = ConversationItem | ReleasedItem;

/** One place of the session's tree. The model sees the way from the root to the leaf. */
export type TreeEntry = {
  readonly item: TreeItem;
  /** Absent at the root. */
  readonly parent?: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
};

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
  /** The last item before the place; absent until the results of its step are there. */
  readonly placeId?: string;
  /** What the calls of later steps changed. */
  readonly files: readonly FileChange[];
};

/** Measured with an answer: the tokens of everything up to and including it. */
export type ContextAnchor = { readonly itemCount: number; readonly tokens: number; readonly model: string };

/** Work that `session.undo` can take back: everything from one prompt to the next. */
export type UndoPoint = {
  readonly promptId: string;
  readonly text: string;
  readonly attachments?: readonly Media[];
  /** The leaf before the prompt; absent when it was the first. */
  readonly parent?: string;
  /** The checkpoint that was open then. */
  readonly checkpoint?: OpenCheckpoint;
  readonly changes: readonly StepChanges[];
  /** Tree before a call whose effects are not recorded yet. */
  readonly unfinished?: string;
  /** Tree before a call whose effects were never recorded, because the process died. */
  readonly cut?: string;
};

/** What the calls of one step changed between two trees. */
export type StepChanges = Pick<FactOf<"files.changed">, "before" | "after" | "files" | "uncovered" | "refs">;

/** What `session.redo` needs to take an undo back. */
export type Revert = {
  readonly promptId: string;
  /** The conversation stayed where it was, and stays there when the files come again. */
  readonly only?: "files";
  readonly snapshot: string;
  readonly files: readonly FileChange[];
  /** Where each file was taken from: as it must still be for a redo to overwrite nothing. */
  readonly restores: readonly Restore[];
  /** The leaf before the undo. */
  readonly leaf?: string;
  readonly undoPoints: readonly UndoPoint[];
  readonly checkpoint?: OpenCheckpoint;
};

/** An agent and the last time that it was started. */
export type AgentRecord = Omit<FactOf<"agent.started">, "type" | "isRevived"> & {
  /** How often it was started. */
  readonly round: number;
  readonly startedAt: number;
  /** Absent while it works. */
  readonly end?: AgentEnd;
  readonly endedAt?: number;
  /** The model knows the end: from the result of the call, or from a notification. */
  readonly isTold?: true;
};

/** Owned and changed by `applyRecord` alone; everybody else only reads it. */
export type SessionState = {
  sessionId: string;
  lastSeq: number;
  directory: string;
  projectId: string;
  model: string;
  mode: PermissionMode;
  /** The output style that was chosen in this session; that of the settings without it. */
  style: WritingStyle | undefined;
  /** How briefly the model is to write. */
  brevity: WritingStyle | undefined;
  title: string;
  boot: string;
  /** The first words of the first prompt, a title by a model, or the user's own, which nothing replaces. */
  titleSource: "prompt" | "model" | "user";
  isArchived: boolean;
  /** The session this one came from. */
  origin: SessionOrigin | undefined;
  budget: SessionBudget | undefined;
  /** What the model sees. Grows only at its end; when anything else changes, it becomes a new array. */
  items: ConversationItem[];
  /** Where what comes next hangs in the tree; undefined before the first word. */
  leaf: string | undefined;
  /** Everything that was ever said, by id. */
  tree: Map<string, TreeEntry>;
  /** Entries that a person took out of the model's sight. */
  hidden: Set<string>;
  /** Names that the user gave to places of the tree. */
  labels: Map<string, string>;
  /** What the vendor counted for the first items; absent when they are no longer what it counted. */
  anchor: ContextAnchor | undefined;
  /** How many compactions failed since the last one that succeeded. */
  compactionFailures: number;
  /** Jobs that were running when last heard of. */
  jobs: Map<string, FactOf<"job.started">>;
  /** Agents that ever worked for this session, oldest first. */
  agents: Map<string, AgentRecord>;
  /** What they used, with those that worked for them. */
  agentsUse: { readonly usage: Usage; readonly cost: Cost };
  /** Messages of other agents that the model has not read yet. */
  mail: Map<string, FactOf<"mail.received"> & { readonly receivedAt?: number }>;
  queue: QueuedPrompt[];
  /** The run that has begun and not ended. */
  runId: string | undefined;
  step: OpenStep | undefined;
  calls: Map<string, CallState>;
  permissionRequests: Map<string, PermissionRequest>;
  /** The last call about which a person was asked because it cannot be taken back. */
  irreversibleCallId: string | undefined;
  grants: PermissionRule[];
  questions: Map<string, readonly Question[]>;
  todos: readonly Todo[];
  /** Those of every branch, by the leaf at which they were written. */
  todosAt: Map<string, readonly Todo[]>;
  /** Model calls since the list was last changed. */
  stepsSinceTodos: number;
  /** Tools that requests carry behind those of the start, in the order in which they were found or added. */
  foundTools: Set<string>;
  /** Of those, the ones that joined the session without a search. */
  addedTools: Set<string>;
  /** The mode to return to when planning ends. */
  modeBeforePlan: PermissionMode;
  /** What was done, in the form of a pull request, up to the entry `leaf`. */
  workSummary?: { readonly text: string; readonly leaf: string };
  usage: Usage;
  cost: Cost;
  /** Of the cost, what titles, recall, extraction and consolidation took. */
  backgroundUsd: number;
  /** The last item that was searched for what is worth remembering. */
  extractedUpTo: string | undefined;
  /** Reproductions of bugs, by id, as they were judged last. */
  reproductions: Map<string, Reproduction>;
  turns: number;
  lastRun: FactOf<"run.ended"> | undefined;
  checkpoint: OpenCheckpoint | undefined;
  /** Of the run under way; every run begins calm. */
  pressure: PressureLevel;
  /** Those of the way to the leaf. */
  undoPoints: UndoPoint[];
  /** Those of other branches, by prompt. */
  shelvedPoints: Map<string, UndoPoint>;
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
    style: undefined,
    brevity: undefined,
    title: "",
    titleSource: "prompt",
    isArchived: false,
    origin: undefined,
    budget: undefined,
    boot: "",
    items: [],
    leaf: undefined,
    tree: new Map(),
    hidden: new Set(),
    labels: new Map(),
    anchor: undefined,
    compactionFailures: 0,
    jobs: new Map(),
    agents: new Map(),
    agentsUse: { usage: noUsage, cost: { usd: 0, estimated: false } },
    mail: new Map(),
    queue: [],
    runId: undefined,
    step: undefined,
    calls: new Map(),
    permissionRequests: new Map(),
    irreversibleCallId: undefined,
    grants: [],
    questions: new Map(),
    todos: [],
    todosAt: new Map(),
    stepsSinceTodos: 0,
    foundTools: new Set(),
    addedTools: new Set(),
    modeBeforePlan: "default",
    usage: noUsage,
    cost: { usd: 0, estimated: false },
    backgroundUsd: 0,
    extractedUpTo: undefined,
    reproductions: new Map(),
    turns: 0,
    lastRun: undefined,
    checkpoint: undefined,
    pressure: "calm",
    undoPoints: [],
    shelvedPoints: new Map(),
    reverts: [],
    unsettledRestores: [],
  };
}
