/** The SessionProfile contract: everything that may differ between two sessions of one process, as one value. */

import type { SessionBudget } from "../facts/fact-words.ts";
import type { SessionState } from "../facts/session-state.ts";
import type { Failure } from "../failure.ts";
import type { PermissionMode, PermissionRule, RuleSet } from "../permission.ts";
import type { LookAtPath } from "../processes/path-look.ts";
import type { AnalyseShell } from "../processes/shell-analysis.ts";
import type { AddressScheme } from "./address-scheme.ts";
import type { CallPhase } from "./call-phase.ts";
import type { ContextSource } from "./context-source.ts";
import type { RequestPrefix } from "./request-prefix.ts";
import type { SessionMoment } from "./session-moment.ts";
import type { Snapshots } from "./snapshots.ts";
import type { FileUpkeep } from "./tool.ts";
import type { ToolSource } from "./tool-source.ts";

/** Given when a session is opened, and the same until it is closed. */
export type SessionProfile = {
  /** `provider/model` where the command names none, and for a stored session whose own is no longer known. */
  readonly model?: string;
  /** The mode of a new session where the command names none; `default` without it. */
  readonly mode?: PermissionMode;
  readonly workspace: Workspace;
  readonly snapshots: Snapshots;
  /** What follows a write; nothing without it. */
  readonly upkeep?: FileUpkeep;
  /** Where texts are read that are no files; nowhere without it. */
  readonly addressSchemes?: readonly AddressScheme[];
  readonly toolSources: readonly ToolSource[];
  /** The only tools that are offered, by name or alias in any case; all without this. */
  readonly toolNames?: readonly string[];
  /** Tools that are not offered, by name or alias in any case. */
  readonly excludedTools?: readonly string[];
  /** Rules of every source but the session's own grants. */
  readonly rules: readonly RuleSet[];
  /** Writes rules where later sessions in this project find them. Nothing is offered to be saved without it. */
  readonly saveRules?: SaveRules;
  readonly prompt: PromptParts;
  /** True when a person can answer questions. Otherwise every question is a denial. */
  readonly interactive: boolean;
  /** After this a permission question that nobody answered is refused; it waits as long as its run without this. */
  readonly permissionTimeoutMs?: number;
  /** Whether a run continues after a plain no; it stops without this. */
  readonly continueOnReject?: boolean;
  /** Hooks, checkers and redactors that every call passes, in this order; none without it. */
  readonly callPhases?: readonly CallPhase[];
  /** Who is asked at the turning points of the session, in this order; nobody without it. */
  readonly sessionMoments?: readonly SessionMoment[];
  /** What the model sees besides, after what every session tells it. */
  readonly contextSources?: readonly ContextSource[];
  /** Whether a file instructs although its name does not say so, such as one that AGENTS.md includes. */
  readonly isInstruction?: (path: string) => boolean;
  /**
   * Files that instruct and changed since that time, in milliseconds since 1970. Asked after a call that ran a command:
   * a snapshot sees neither what git ignores nor what lies outside of the workspace.
   */
  readonly recentInstructions?: (since: number) => readonly string[];
  /** Told after every call that changed a file which instructs later sessions, or may have. It never throws. */
  readonly steeringChanged?: (change: SteeringChange) => void;
  /**
   * The session continues from where another one is: its requests begin with these bytes, and no source of context is
   * read. A call still finds its tool in `toolSources`.
   */
  readonly prefix?: RequestPrefix;
  /** Present for an agent: the definition it works by, and how many sessions are above it. */
  readonly agent?: { readonly name: string; readonly depth: number; readonly calledName?: string };
  /** Files whose content counts as read, because the session that this one works for has read them. */
  readonly knownFiles?: readonly KnownFile[];
  /** Of the model in its runs; that of the vendor without this. */
  readonly temperature?: number;
  /** A ceiling: nothing that changes anything runs, whatever rules, grants and modes allow. */
  readonly onlyLooks?: true;
  /** The tools that agents of this session may have; those it has itself without this. */
  readonly workerTools?: Pick<SessionProfile, "toolNames" | "excludedTools">;
  /** A run does not end while agents of it still work, because nobody would be there to hear of their ends. */
  readonly awaitsAgents?: true;
  /** What all runs of the session may use together. Without it a stored session keeps its own, and a new one has no limit. */
  readonly budget?: SessionBudget;
};

/** What a session knows of a file; it is edited only while its content is still the same. */
export type KnownFile = { readonly path: string; readonly contentHash: string };

export type SteeringChange = {
  /** Absolute. */
  readonly path: string;
  /** A person, or a rule of the user that names this very file, said yes to this change of it. */
  readonly isAccepted: boolean;
  /** False where a command only speaks of the file: whether it changed is for the one who is told to find out. */
  readonly isCertain: boolean;
};

/** Which session a profile is wanted for. */
export type SessionOpening =
  | { readonly kind: "create"; readonly sessionId: string }
  | { readonly kind: "resume"; readonly state: Readonly<SessionState> };

export type ProfileFor = (opening: SessionOpening) => SessionProfile;

/** For an agent that is opened by itself, definitions and the sessions above it are read first. */
export type OpenProfile = (opening: SessionOpening) => SessionProfile | Promise<SessionProfile>;

export type Workspace = {
  /** Where the user started kedge; relative paths start here. */
  readonly cwd: string;
  /** The root of the worktree, or `cwd` outside a repository. */
  readonly root: string;
  readonly projectId: string;
  /** The branch of git that is checked out, asked when a session begins. It never throws. */
  readonly branch?: () => string | undefined;
  /** Judged by real path: `outside` needs the permission `external_directory` as well. */
  readonly lookAtPath: LookAtPath;
  /** Reads shell commands, so that each thing they would do is judged by itself. */
  readonly analyseShell: AnalyseShell;
  /** A working copy of its own, beside the directory of the session that is asked for it. */
  readonly isOwnCopy?: true;
  /** Commands that no rule covers may run without a question, because they cannot leave the workspace. */
  readonly isSandboxed?: boolean;
  /** Whether commands that only look run where they cannot act, as far as is known by now; never without this. */
  readonly confinesLooks?: () => boolean;
  /** A write there decides what runs later, and needs a person in every mode. */
  readonly isProtected: (path: string) => boolean;
  readonly home: string;
  /** The folder of kedge's own files. */
  readonly kedgeHome: string;
};

/** All of the rules or none of them. `notice` is what the user should know about what was saved. */
export type SaveRules = (
  rules: readonly PermissionRule[],
) => Promise<{ readonly ok: true; readonly notice?: string } | { readonly ok: false; readonly failure: Failure }>;

export type PromptParts = {
  /** Replaces the base text when given. */
  readonly override?: string;
  /** The text of the agent that works here, in the place of a base text. What else a session tells stays. */
  readonly agent?: { readonly name: string; readonly text: string };
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
