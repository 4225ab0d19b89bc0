/** What the engine is built from. `host` makes these once; the engine reads no clock, disk, environment or network itself. */
import type {
  Artifact,
  Artifacts,
  ChildCall,
  FactOf,
  FileState,
  Jobs,
  Json,
  LeaseHolder,
  Models,
  OutputSink,
  PermissionMode,
  PermissionRule,
  Redactor,
  RunOptions,
  SessionProfile,
  SessionState,
  Store,
  Subtask,
  TextChannel,
} from "@kedge/protocol";
import type { ClassifierRules } from "./classifier/classify-call.ts";
import type { CompactionParts } from "./compaction/compaction-parts.ts";
import type { MachineLook } from "./gates/index.ts";
import type { Leader } from "./permission/index.ts";
import type { PressureOptions } from "./pressure/index.ts";
import type { RunTerms } from "./run/run-terms.ts";
import type { QueueMode } from "./run/said-prompts.ts";
import type { UnexpectedStopSettings } from "./run/unexpected-stop-settings.ts";
import type { InterruptMode } from "./session/steering.ts";
import type { ToolSearchMode } from "./tool-pool/deferral.ts";
import type { EditModeChoice } from "./tool-pool/edit-mode.ts";

/** What the code of one session works with: what all share, what this one was given, and whom it works for. */
export type EngineParts = EngineShared & SessionProfile & { readonly leader?: Leader };

/** What all sessions of a process share. */
export type EngineShared = {
  readonly store: Store;
  readonly models: Models;
  readonly resources: SessionResources;
  /** What questions to a person may show of the machine. */
  readonly machine: MachineLook;
  readonly holder: LeaseHolder;
  readonly kedgeVersion: string;
  readonly clock: Clock;
  /** Unique across restarts, sorting by creation time: `prefix` followed by time, counter and randomness. */
  readonly newId: (prefix: "ses_" | "prm_" | "run_" | "stp_" | "per_" | "qst_" | "cmp_" | "msg_") => string;
  readonly newRequestId: () => string;
  /** Takes secrets out of text. */
  readonly redact: (text: string) => string;
  /** Takes them out of what tools give: their results, what they show live, and previews. */
  readonly resultRedactor: Redactor;
  /** The text as it enters a prompt from there: nothing hidden, nothing that could pass for kedge's own words; only our tags without this. */
  readonly neutralise?: (text: string, channel: TextChannel) => string;
  /** Whether a text from outside reads like an attack on whoever follows it; nothing does without this. */
  readonly isSuspicious?: (text: string) => Promise<boolean>;
  /** 128 bits that no stored text can know, the same for as long as a session lives; for the fence around data. */
  readonly fenceNonce?: (sessionId: string) => string;
  readonly localCommands: readonly LocalCommand[];
  /** Those that users wrote, found when a prompt names one that is not among the others; none without it. */
  readonly addedCommands?: () => Promise<readonly LocalCommand[]>;
  /** How many calls without side effects run at once. */
  readonly concurrentCallsMax: number;
  /** What a managed policy takes away; nothing without it. */
  readonly policy?: PolicyLimits;
  /** What answers in auto mode, and what it is told; never from a project. */
  readonly autoMode: AutoModeSettings;
  /** How a run is watched for signs that it forces its result; with our own weights and thresholds without this. */
  readonly pressure?: PressureOptions;
  /** How a conversation that has grown too large is shortened; with defaults and nothing from outside without this. */
  readonly compaction?: CompactionParts;
  readonly conversation?: ConversationSettings;
  /** Calls once after so many milliseconds, without keeping the process alive; gives back the way to stop it. */
  readonly startTimer?: (work: () => void, delayMs: number) => () => void;
  /** Remembers a run, once, before its end is recorded. Whatever it throws is told and never ends a run otherwise. */
  readonly learn?: (
    state: Readonly<SessionState>,
    ended: FactOf<"run.ended">,
  ) => Promise<FactOf<"memory.lesson_extracted"> | undefined>;
  /** Removes what lies outside of the store: artifacts, and what only this session's snapshots hold. */
  readonly sessionDeleted?: (sessionId: string) => Promise<void>;
};

/** What sessions and their calls are handed to work with. */
export type SessionResources = {
  /** One per session: what the model has seen of each file. */
  readonly newFileState: () => FileState;
  /** One per call: bounds what a tool prints and reports it live. */
  readonly newOutputSink: (options: {
    readonly onProgress: (chunk: string, stream: "stdout" | "stderr") => void;
    /** Where everything goes once the sink leaves something out. */
    readonly openArtifact: () => Artifact;
  }) => OutputSink;
  /** One per session; it shares the numbers of the one above. */
  readonly newArtifacts: (sessionId: string, aboveId?: string) => Artifacts;
  /** Gives a copy of a session the artifacts that its history names; nothing without it. */
  readonly copyArtifacts?: (fromId: string, toId: string) => void;
  readonly newJobs: () => Jobs;
  /** Ends what a dead process, named by its boot, left running, and gives the number of processes; nothing without it. */
  readonly endOrphans?: (boot: string) => number;
  /** When the content or the place of a file last changed, in milliseconds since the epoch; undefined when it is gone. */
  readonly fileChangedAtMs?: (path: string) => Promise<number | undefined>;
};

/** Settings of conversations; each has a default. */
export type ConversationSettings = {
  readonly editChoice?: EditModeChoice;
  /** Whether tools stay out of requests until they are searched for; always without this. */
  readonly toolSearch?: ToolSearchMode;
  /** Whether a message of the user ends the waiting of a call at once; it does without this. */
  readonly interruptMode?: InterruptMode;
  /** How many messages of the user a step takes; all of them without this. */
  readonly steeringMode?: QueueMode;
  /** How many prompts for later a run takes; one without this. */
  readonly followUpMode?: QueueMode;
  /** When a stop of the model is none; only empty answers are repeated without this. */
  readonly unexpectedStop?: UnexpectedStopSettings;
  /** A branch that the user leaves may be summarised; never without this. */
  readonly branchSummary?: {
    /** What of the window is left to the answer. */
    readonly reserveTokens: number;
  };
  /** No client could follow to another session, so work never moves by itself. */
  readonly staysInSession?: true;
  /** Work is summed up in the form of a pull request where somebody needs it; without this, files are named alone. */
  readonly workSummary?: {
    readonly model: string;
    readonly prompt: () => Promise<string>;
    /** Whether the session may spend more on what nobody asked for. */
    readonly isAffordable: (state: Readonly<SessionState>) => boolean;
  };
  /** Sessions get a name from a model, by default the one that works; without this the first prompt names them. */
  readonly titles?: {
    readonly model?: string;
    /** The user's own text in the place of ours. */
    readonly prompt?: () => string | undefined | Promise<string | undefined>;
  };
};

export type PolicyLimits = {
  /** No answer of a person lasts longer than one call. */
  readonly managedRulesOnly: boolean;
  readonly disabledModes: readonly PermissionMode[];
  /** Why modes are disabled, where it is not the managed policy alone that does it. */
  readonly disabledBecause?: string;
};

/** Without a model of its own the one that works is asked. */
export type AutoModeSettings = ClassifierRules & { readonly model?: string };

export type Clock = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds on a clock that never goes back. */
  readonly monotonicMs: () => number;
};

/** A slash command that needs no model, or writes the prompt for one. */
export type LocalCommand = {
  readonly name: string;
  readonly summary: string;
  readonly argumentHint?: string;
  /** What the argument is made of, for screens that ask for what is missing. */
  readonly parameters?: readonly CommandParameter[];
  /** A command or skill of the same name that the user wrote takes its place. */
  readonly yields?: true;
  /** Whole prompts that mean this command, in lower case, each with the argument that it stands for. */
  readonly phrases?: { readonly [phrase: string]: string };
  /** `options` are those that a prompt in its place would run with. */
  readonly run: (
    argument: string,
    state: SessionState,
    options: RunOptions,
    services: LocalServices,
  ) => Promise<LocalAnswer>;
};

export type CommandParameter = {
  readonly name: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** The only values; any without one. */
  readonly choices: readonly string[];
};

export type LocalServices = {
  /** Runs a call that only looks and needs no question, under these allow rules; nothing of it is recorded. */
  readonly look: (call: ChildCall, allow: readonly PermissionRule[]) => Promise<LookAnswer>;
};

export type LookAnswer =
  | { readonly ran: true; readonly output: string }
  /** A sentence part for the model. */
  | { readonly ran: false; readonly why: string };

/** What a local command comes to: an answer, or the prompt that it stands for with the terms of its run. */
export type LocalAnswer =
  | { readonly text: string; readonly data?: Json; readonly style?: StyleChoice }
  | {
      readonly prompt: string;
      readonly options?: RunOptions;
      readonly terms?: RunTerms;
      readonly subtasks?: readonly Subtask[];
    };

/** How the model is to write from now on. */
export type StyleChoice = Pick<FactOf<"style.changed">, "style" | "brevity">;
