/** Everything the screen is drawn from. Rebuilt from the client at any time; nothing in it is a truth of its own. */
import type {
  AgentSummary,
  Failure,
  MessageView,
  PermissionRequest,
  Question,
  Scope,
  SessionView,
  TaskSummary,
} from "@kedge/protocol";

/** What the newest lines of a running call are; a signal, so it may have gaps. */
export type ToolTail = { readonly lines: readonly { readonly text: string; readonly stream: "stdout" | "stderr" }[] };

/** What kedge itself tells between messages; kept on the screen only. */
export type Notice = {
  readonly id: string;
  /** The message it stands behind; at the beginning without one. */
  readonly afterMessageId?: string;
  /** Where it stands once that message has left the conversation, as an answer that failed does. */
  readonly orAfterMessageId?: string;
  /** The message says it itself for as long as it is shown. */
  readonly isSaidByMessage?: true;
  readonly tone: "info" | "success" | "warning" | "error";
  /** May have several lines. */
  readonly text: string;
};

export type ActivityKind =
  | "idle"
  | "waiting"
  | "thinking"
  | "responding"
  | "reading"
  | "running"
  | "compacting"
  | "retrying"
  | "permission"
  | "question";

export type Activity = {
  readonly kind: ActivityKind;
  /** When the run began; milliseconds since the epoch, like all times here. */
  readonly since: number;
  /** When the model or a tool last said something. */
  readonly lastSignAt: number;
  /** Of the call that runs. */
  readonly tool?: string;
  /** All calls that run, the newest last. */
  readonly calls?: readonly { readonly callId: string; readonly tool: string }[];
  readonly retry?: {
    readonly until: number;
    readonly attempt?: number;
    readonly attemptsMax?: number;
    readonly reason?: string;
  };
  /** What the run has produced so far, about. */
  readonly outputTokens: number;
};

/** Somebody waits for an answer. The first one is asked first. */
export type OpenRequest =
  | { readonly kind: "permission"; readonly request: PermissionRequest; readonly since: number }
  | {
      readonly kind: "question";
      readonly requestId: string;
      readonly questions: readonly Question[];
      readonly since: number;
    };

export type ContextUse = {
  readonly tokens: number;
  readonly windowTokens: number;
  readonly compactAt: number;
};

export type Repository = {
  readonly branch?: string;
  readonly staged: number;
  readonly changed: number;
  readonly untracked: number;
};

/** A server of the user, as far as it was heard of. */
export type ServerStatus = { readonly kind: "mcp" | "lsp"; readonly name: string; readonly state: string };

export type RecentSession = { readonly title: string; readonly updatedAt: number };

export type ClientState = {
  /** `lost`: the server is gone, and tried again. `ended`: it is there and has nothing more to say to this client. */
  readonly connection: "starting" | "ready" | "lost" | "ended";
  readonly failure?: Failure;
  readonly directory: string;
  /** What this client may do; everything without it. */
  readonly scope?: Scope;
  readonly session?: SessionView;
  /** Oldest first, with those that wait to be seen by the model at the end. A changed message is a new object. */
  readonly messages: readonly MessageView[];
  /** There are older ones that were not read yet. */
  readonly hasOlder: boolean;
  /** By call. */
  readonly tails: ReadonlyMap<string, ToolTail>;
  readonly notices: readonly Notice[];
  readonly requests: readonly OpenRequest[];
  readonly tasks: readonly TaskSummary[];
  /** Those that work or worked for the session; absent until somebody asked. */
  readonly agents?: readonly AgentSummary[];
  /** Ids of those whose early end is old news: from before the session was opened here, or shown in their list. */
  readonly agentsSeen?: ReadonlySet<string>;
  /** Those that are connected, running, or wrong; another list whenever one of them changes. */
  readonly servers?: readonly ServerStatus[];
  readonly activity: Activity;
  readonly context?: ContextUse;
  readonly repository?: Repository;
  /** The newest sessions of this directory before this one, for the start screen. */
  readonly recent?: readonly RecentSession[];
  readonly effort?: string;
  /** What the model will be, as far as is known before the engine is up. */
  readonly expectedModel?: string;
  /** Whether the terminal has the focus; true where it does not say. */
  readonly isFocused: boolean;
};
