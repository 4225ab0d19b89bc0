/** What the engine is built from. `host` makes these once; the engine reads no clock, disk, environment or network itself. */
import type {
  AnalyseShell,
  Artifact,
  Artifacts,
  CallPhase,
  ContextSource,
  Failure,
  FileState,
  FileUpkeep,
  Jobs,
  Json,
  LeaseHolder,
  Models,
  OutputSink,
  PermissionMode,
  PermissionRule,
  RuleSet,
  RunOptions,
  SessionState,
  Snapshots,
  Store,
  Tool,
} from "@kedge/protocol";
import type { ClassifierRules } from "./classifier/classify-call.ts";
import type { CompactionParts } from "./compaction/compaction-parts.ts";
import type { EditModeChoice } from "./edit-mode.ts";
import type { MachineLook } from "./gates/index.ts";
import type { PressureOptions } from "./pressure/index.ts";
import type { InterruptMode } from "./steering.ts";
import type { UnexpectedStopSettings } from "./unexpected-stop-settings.ts";

export type EngineParts = {
  readonly store: Store;
  readonly models: Models;
  /** One set per session: some remember what happened in it. */
  readonly newTools: () => readonly Tool[];
  readonly snapshots: Snapshots;
  /** One per session: what the model has seen of each file. */
  readonly newFileState: () => FileState;
  /** One per call: bounds what a tool prints and reports it live. */
  readonly newOutputSink: (options: {
    readonly onProgress: (chunk: string, stream: "stdout" | "stderr") => void;
    /** Where everything goes once the sink leaves something out. */
    readonly openArtifact: () => Artifact;
  }) => OutputSink;
  /** One per session. */
  readonly newArtifacts: (sessionId: string) => Artifacts;
  readonly newJobs: () => Jobs;
  /** Ends what a dead process, named by its boot, left running, and gives the number of processes; nothing without it. */
  readonly endOrphans?: (boot: string) => number;
  /** What follows a write; nothing without it. */
  readonly upkeep?: FileUpkeep;
  /** Whether a message of the user ends the waiting of a call at once; it does without this. */
  readonly interruptMode?: InterruptMode;
  /** Hooks, checkers and redactors that every call passes, in this order; none without it. */
  readonly callPhases?: readonly CallPhase[];
  /** What questions to a person may show of the machine. */
  readonly machine: MachineLook;
  /** How a run is watched for signs that it forces its result; with our own weights and thresholds without this. */
  readonly pressure?: PressureOptions;
  readonly workspace: Workspace;
  /** Rules of every source but the session's own grants. */
  readonly rules: readonly RuleSet[];
  /** What a managed policy takes away; nothing without it. */
  readonly policy?: PolicyLimits;
  /** Writes rules where later sessions in this project find them. Nothing is offered to be saved without it. */
  readonly saveRules?: SaveRules;
  /** Whether a run goes on after a plain no; it stops without this. */
  readonly continueOnReject?: boolean;
  /** True when a person can answer questions. Otherwise every question is a denial. */
  readonly interactive: boolean;
  /** After this a permission question that nobody answered is refused; it waits as long as its run without this. */
  readonly permissionTimeoutMs?: number;
  /** How many calls without side effects run at once. */
  readonly concurrentCallsMax: number;
  readonly holder: LeaseHolder;
  readonly kedgeVersion: string;
  readonly clock: Clock;
  /** Unique across restarts, sorting by creation time: `prefix` followed by time, counter and randomness. */
  readonly newId: (prefix: "ses_" | "prm_" | "run_" | "stp_" | "per_" | "qst_" | "cmp_" | "msg_") => string;
  readonly newRequestId: () => string;
  /** Takes secrets out of text. */
  readonly redact: (text: string) => string;
  readonly localCommands: readonly LocalCommand[];
  readonly editChoice: EditModeChoice;
  /** What answers in auto mode, and what it is told; never from a project. */
  readonly autoMode: AutoModeSettings;
  /** How a conversation that has grown too large is shortened; with defaults and nothing from outside without this. */
  readonly compaction?: CompactionParts;
  readonly prompt: PromptParts;
  /** What the model sees besides, after what every session tells it. */
  readonly contextSources?: readonly ContextSource[];
  /** Takes out of a text that nobody vouches for what could pass for kedge's own words; only our tags without this. */
  readonly neutralise?: (text: string) => string;
  /** Removes what lies outside of the store: artifacts, and what only this session's snapshots hold. */
  readonly sessionDeleted?: (sessionId: string) => Promise<void>;
  /** When a stop of the model is none; only empty answers are repeated without this. */
  readonly unexpectedStop?: UnexpectedStopSettings;
  /** Who moves in the tree may have the branch that is left summed up; nobody without this. */
  readonly branchSummary?: {
    /** What of the window is left to the answer. */
    readonly reserveTokens: number;
  };
  /** `provider/model` for sessions whose own is no longer known. */
  readonly defaultModel?: string;
  /** When the content or the place of a file last changed, in milliseconds since the epoch; undefined when it is gone. */
  readonly fileChangedAtMs?: (path: string) => Promise<number | undefined>;
  /** Calls once after so many milliseconds, without keeping the process alive; gives back the way to stop it. */
  readonly startTimer?: (work: () => void, delayMs: number) => () => void;
  /** Sessions get a name from a model, by default the one that works; without this the first prompt names them. */
  readonly titles?: { readonly model?: string };
};

export type PolicyLimits = {
  /** No answer of a person lasts longer than one call. */
  readonly managedRulesOnly: boolean;
  readonly disabledModes: readonly PermissionMode[];
};

/** All of the rules or none of them. `notice` is what the user should know about what was saved. */
export type SaveRules = (
  rules: readonly PermissionRule[],
) => Promise<{ readonly ok: true; readonly notice?: string } | { readonly ok: false; readonly failure: Failure }>;

/** Without a model of its own the one that works is asked. */
export type AutoModeSettings = ClassifierRules & { readonly model?: string };

export type Workspace = {
  /** Where the user started kedge; relative paths start here. */
  readonly cwd: string;
  /** The root of the worktree, or `cwd` outside a repository. */
  readonly root: string;
  readonly projectId: string;
  /** Judged by real path: `outside` needs the permission `external_directory` as well. */
  readonly judgePath: (path: string) => "inside" | "outside";
  /** Reads shell commands, so that each thing they would do is judged by itself. */
  readonly analyseShell: AnalyseShell;
  /** Commands that no rule speaks of may run unasked, because they cannot leave the workspace. */
  readonly isSandboxed?: boolean;
  /** A write there decides what runs later, and needs a person in every mode. */
  readonly isProtected: (path: string) => boolean;
  readonly home: string;
  /** The folder of kedge's own files. */
  readonly kedgeHome: string;
};

export type Clock = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds on a clock that never goes back. */
  readonly monotonicMs: () => number;
};

/** A slash command that needs no model. */
export type LocalCommand = {
  readonly name: string;
  readonly summary: string;
  /** `options` are those that a prompt in its place would run with. */
  readonly run: (
    argument: string,
    state: SessionState,
    options: RunOptions,
  ) => Promise<{ readonly text: string; readonly data?: Json }>;
};

export type PromptParts = {
  /** Replaces the base text when given. */
  readonly override?: string;
  /** The user's own base text for a family of models, in the place of ours. */
  readonly ownBase?: (family: string) => string | undefined;
  /** Always added last. */
  readonly append?: string;
  readonly platform: string;
  readonly shell: string;
  readonly isGitRepository: boolean;
  /** The date. Asked once for each session that is opened: a process may live for days, a session begins the same. */
  readonly today: () => string;
};
