/** Queries: what a client may ask for without changing anything, beside what it reads of stored sessions. */
import type { Cost, Usage } from "./content.ts";
import type { FileChange } from "./fact-words.ts";
import type { Failure } from "./failure.ts";
import type { Json, JsonObject } from "./json.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { PermissionMode, PermissionRequest, PermissionRule, RuleSource } from "./permission.ts";
import type { Scope } from "./scope.ts";
import type { Question } from "./tool.ts";
import type { UsageSummary } from "./usage-summary.ts";
import type { MessageView, SessionView } from "./view.ts";

export type Query =
  | { readonly type: "session.read"; readonly sessionId: string }
  /** Of every session that is open here; all others are idle. */
  | { readonly type: "session.status" }
  | { readonly type: "session.diff"; readonly sessionId: string }
  | { readonly type: "session.cost"; readonly sessionId: string }
  | {
      readonly type: "session.export";
      readonly sessionId: string;
      readonly format: ExportedFormat;
      readonly withoutToolOutput?: boolean;
      readonly withoutReasoning?: boolean;
    }
  | { readonly type: "message.read"; readonly sessionId: string; readonly messageId: string }
  | { readonly type: "permission.list" }
  | { readonly type: "question.list" }
  | { readonly type: "rule.list" }
  | { readonly type: "project.read" }
  | { readonly type: "path.read" }
  | { readonly type: "vcs.read" }
  | { readonly type: "vcs.diff" }
  | { readonly type: "provider.list" }
  /** Model servers that answer on this machine right now. */
  | { readonly type: "server.find" }
  /** Of all projects on this machine: the last days, today included, or without them everything. Days are in UTC. */
  | { readonly type: "usage.read"; readonly days?: number }
  /** Looks at everything that kedge needs on this machine. */
  | { readonly type: "doctor.run" }
  | { readonly type: "config.read" }
  | { readonly type: "command.list" }
  | { readonly type: "tool.list" }
  | { readonly type: "file.read"; readonly path: string }
  | { readonly type: "file.list"; readonly path: string }
  | { readonly type: "file.status" }
  | { readonly type: "text.find"; readonly pattern: string; readonly path?: string; readonly limit?: number }
  | { readonly type: "file.find"; readonly text: string; readonly limit?: number }
  | { readonly type: "pty.list" }
  | { readonly type: "pty.read"; readonly ptyId: string }
  | { readonly type: "task.list"; readonly sessionId?: string }
  | { readonly type: "task.read"; readonly sessionId: string; readonly taskId: string }
  | { readonly type: "log.read"; readonly limit?: number };

export type QueryType = Query["type"];

export type ExportedFormat = "json" | "jsonl" | "md" | "html";

/** `retry`: the vendor is asked again at `until`; `waiting`: for an answer of a person. */
export type SessionStatus = {
  readonly state: "idle" | "busy" | "retry" | "waiting";
  /** Milliseconds since the epoch. */
  readonly until?: number;
  /** How often the vendor was asked in vain so far, and how often it is asked at most. */
  readonly attempt?: number;
  readonly attemptsMax?: number;
  /** The sentence of the failure that is the reason for it. */
  readonly reason?: string;
};

export type FileDiff = FileChange & { readonly additions: number; readonly deletions: number; readonly patch: string };

export type LogLevel = "debug" | "info" | "warning" | "error";

export type VcsFile = { readonly path: string; readonly index: string; readonly worktree: string };

export type ListedRule = PermissionRule & {
  /** Present where the rule can be taken away again. */
  readonly ruleId?: string;
  readonly source: RuleSource;
};

export type TerminalSummary = {
  readonly ptyId: string;
  readonly command: string;
  readonly directory: string;
  readonly columns: number;
  readonly rows: number;
  readonly startedAt: number;
  /** How many bytes it has written so far. */
  readonly cursor: number;
  /** Present once it ended. */
  readonly exitCode?: number;
};

export type TaskSummary = {
  readonly sessionId: string;
  readonly taskId: string;
  readonly command: string;
  readonly status: "running" | "ended";
  readonly result?: string;
};

/** What is known of a model; what nobody stated is absent. */
export type ListedModelSummary = {
  readonly model: string;
  readonly name: string;
  readonly contextTokens?: number;
  readonly outputTokens?: number;
  readonly inputUsdPerMillion?: number;
  readonly outputUsdPerMillion?: number;
  readonly hasTools?: boolean;
  readonly hasReasoning?: boolean;
  readonly hasVision?: boolean;
};

export type DoctorCheck = {
  readonly name: string;
  readonly state: "ok" | "warning" | "error";
  /** What was found, to be read after the name. */
  readonly sentence: string;
  /** What to do about it. */
  readonly next?: string;
};

/** One setting as it counts, and where it was written. Values that are secret are left out. */
export type ConfigEntry = {
  readonly key: string;
  readonly value: Json;
  readonly layer: ConfigLayer;
  readonly file?: string;
  readonly line?: number;
};

export type ConfigLayer =
  | "default"
  | "user"
  | "project"
  | "local"
  | "file"
  | "environment"
  | "command-line"
  | "session"
  | "policy";

export type QueryAnswers = {
  "session.read": {
    readonly session: SessionView;
    readonly status: SessionStatus;
    /** The number of its newest fact. */
    readonly lastSeq: number;
  };
  "session.status": { readonly sessions: { readonly [sessionId: string]: SessionStatus } };
  /** From before the session's first change to its last one. */
  "session.diff": { readonly files: readonly FileDiff[] };
  "session.cost": {
    readonly total: Cost;
    readonly usage: Usage;
    readonly byModel: { readonly [model: string]: { readonly usage: Usage; readonly cost: Cost } };
    readonly turns: number;
    /** What sessions that work for this one used, which is not in the total; absent where there are none. */
    readonly children?: { readonly sessions: number; readonly usage: Usage; readonly cost: Cost };
  };
  "session.export": { readonly text: string };
  "message.read": { readonly message: MessageView };
  "permission.list": { readonly requests: readonly (PermissionRequest & { readonly sessionId: string })[] };
  "question.list": {
    readonly requests: readonly {
      readonly sessionId: string;
      readonly requestId: string;
      readonly questions: readonly Question[];
    }[];
  };
  /** In the order in which they are evaluated. */
  "rule.list": { readonly rules: readonly ListedRule[] };
  "project.read": {
    readonly projectId: string;
    readonly directory: string;
    readonly root: string;
    readonly isGitRepository: boolean;
    readonly isTrusted: boolean;
    readonly model?: string;
    readonly mode: PermissionMode;
    /** What the one who asks may do here; everything without it. */
    readonly scope?: Scope;
  };
  "path.read": { readonly home: string; readonly data: string; readonly directory: string; readonly root: string };
  "vcs.read": {
    readonly branch?: string;
    readonly commit?: string;
    readonly ahead?: number;
    readonly behind?: number;
    readonly files: readonly VcsFile[];
  };
  "vcs.diff": { readonly text: string; readonly isCut: boolean };
  "provider.list": {
    readonly model?: string;
    readonly providers: readonly {
      readonly providerId: string;
      readonly name: string;
      readonly hasKey: boolean;
      /** Where the key comes from, such as `stored key`; never the key. */
      readonly keySource?: string;
      readonly models: readonly ListedModelSummary[];
    }[];
  };
  "server.find": {
    readonly servers: readonly {
      readonly providerId: string;
      readonly name: string;
      readonly url: string;
      readonly models: readonly string[];
    }[];
  };
  "usage.read": UsageSummary;
  "doctor.run": { readonly checks: readonly DoctorCheck[] };
  "config.read": {
    readonly settings: JsonObject;
    readonly entries: readonly ConfigEntry[];
    readonly warnings: readonly string[];
  };
  "command.list": { readonly commands: readonly { readonly name: string; readonly summary: string }[] };
  "tool.list": {
    readonly tools: readonly {
      readonly name: string;
      readonly description: string;
      readonly inputSchema: JsonSchema;
    }[];
  };
  "file.read": {
    readonly path: string;
    readonly mimeType: string;
    readonly encoding: "utf8" | "base64";
    readonly content: string;
    /** It holds keys or the like, and is for those alone who may approve. */
    readonly isSecret?: true;
  };
  "file.list": {
    readonly entries: readonly {
      readonly path: string;
      readonly kind: "file" | "directory" | "link" | "other";
      readonly bytes?: number;
      readonly isIgnored?: true;
    }[];
    readonly isCut: boolean;
  };
  "file.status": { readonly files: readonly VcsFile[] };
  "text.find": {
    readonly hits: readonly { readonly path: string; readonly line: number; readonly text: string }[];
    readonly isCut: boolean;
  };
  "file.find": { readonly paths: readonly string[]; readonly isCut: boolean };
  "pty.list": { readonly terminals: readonly TerminalSummary[] };
  "pty.read": TerminalSummary & { readonly screen: string };
  "task.list": { readonly tasks: readonly TaskSummary[] };
  "task.read": TaskSummary & { readonly output: string };
  "log.read": {
    readonly lines: readonly { readonly time: number; readonly level: LogLevel; readonly text: string }[];
  };
};

export type QueryOf<Type extends QueryType> = Extract<Query, { type: Type }>;

export type QueryAnswer<Type extends QueryType> =
  | { readonly ok: true; readonly value: QueryAnswers[Type] }
  | { readonly ok: false; readonly failure: Failure };
