/** What hooks are given of the machine and of the session; `host` makes it. */
import type { PhasedCall, SessionState, TextChannel } from "@kedge/protocol";
import type { Hook } from "./hook.ts";
import type { CommandPlace } from "./run-command.ts";
import type { RequestParts } from "./run-request.ts";
import type { CallServerTool } from "./run-server-tool.ts";

/** One question to a model: what it must judge, in how much time, and for which session. */
export type ModelQuestion = {
  readonly kind: "prompt" | "agent";
  readonly prompt: string;
  readonly model?: string;
  readonly sessionId: string;
  readonly timeoutMs: number;
};

export type ModelVerdict =
  | { readonly ok: true; readonly isGood: boolean; readonly reason?: string }
  /** A sentence without a full stop, about the hook. */
  | { readonly ok: false; readonly problem: string };

export type SessionLook = Pick<SessionState, "title" | "jobs" | "agents">;

export type HookParts = {
  readonly root: string;
  /** Where sessions work. */
  readonly cwd: string;
  /** Directories beside the project that sessions were given. */
  readonly addedDirectories: readonly string[];
  /** Made for each command, so that it has what holds now. */
  readonly place: () => Pick<CommandPlace, "environment" | "shellPath">;
  /** A file in which a command may leave variables for later commands of the session; taken when it has ended. */
  readonly environmentFile?: () => { readonly path: string; take(hook: Hook): void };
  /** A script of the hook's command that changed since hooks were captured; such a hook does not run. */
  readonly changedScript: (hook: Hook) => string | undefined;
  readonly request: Omit<RequestParts, "variable"> & {
    /** The value of a variable for a header; what a project names is nothing that is kept from its commands. */
    readonly variable: (name: string, scope: Hook["scope"]) => string | undefined;
  };
  /** Absent where no MCP server is configured. */
  readonly callServerTool?: CallServerTool | undefined;
  readonly askModel: (question: ModelQuestion, signal: AbortSignal) => Promise<ModelVerdict>;
  /** Writes what happened so far, and gives the path. */
  readonly writeTranscript: (sessionId: string) => Promise<string>;
  /** Where a transcript would lie. */
  readonly transcriptPath: (sessionId: string) => string;
  /** Whether a call matches a permission rule such as `Bash(git *)`; undefined for a text that is no rule. */
  readonly matchesRule: (rule: string, call: PhasedCall) => boolean | undefined;
  /** Gives the session a name, unless the user gave it one. Absent where there are no sessions. */
  readonly nameSession?: (sessionId: string, title: string) => Promise<void>;
  /** The name of a session and what works for it in the background. */
  readonly lookAtSession?: (sessionId: string) => SessionLook | undefined;
  /** Makes a text harmless that nobody vouches for. */
  readonly neutralise: (text: string, channel: TextChannel) => string;
  readonly onNotice: (sentence: string, sessionId?: string) => void;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  /** Nobody looks at a screen: what could wait for a network is not asked at the start. */
  readonly isHeadless: boolean;
  /** Why Setup is fired before the first session begins; it is not without this. */
  readonly setup?: "init" | "maintenance";
  /** For all hooks of a session's end together. */
  readonly sessionEndMs: number;
  /** Hooks may be attached while a session lives, so that it must be ready for every event. */
  readonly mayGrow?: boolean;
};
