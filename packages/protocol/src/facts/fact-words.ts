/** The words that facts are written in: how runs go on and end, what a tool call came to, what was changed. */
import { type Cost, noUsage, type StopReason, type Usage } from "../content.ts";
import type { Failure, FailureCode } from "../failure.ts";
import type { Json } from "../json/json.ts";

/** How a prompt reaches a run that is already going: at the next step, or after the run. */
export type Delivery = "steer" | "follow-up";

/** How a run ends. Clients show `completed` as `success` and leave the others unchanged. */
export type RunReason =
  | "completed"
  | "aborted"
  | "error_max_turns"
  | "error_max_budget"
  | "error_max_structured_output_retries"
  | "error_during_execution"
  | "stopped_by_hook";

/** Why a run went on with another step. */
export type Transition =
  | "tool_results"
  | "structured_retry"
  | "queued_input"
  /** The answer was cut off by our own limit and is asked for again with a larger one. */
  | "output_escalate"
  /** The answer was cut off; the model goes on where it stopped. */
  | "output_resume"
  /** The vendor paused in the middle of an answer and goes on with it when asked. */
  | "server_pause"
  /** The model answered nothing at all, or announced work and did not do it. */
  | "unexpected_stop"
  /** The answer broke off after something of it was seen. */
  | "stream_restart"
  | "model_fallback"
  /** The vendor rejected a picture or document, and the request is repeated without any. */
  | "media_strip"
  /** The model would have stopped without a report on its open checkpoint. */
  | "checkpoint_open"
  /** Agents ended, or wrote, before the run did. */
  | "agents_ended"
  /** The model would have stopped, and a session moment asked for more. */
  | "stop_hook"
  /** The conversation was made smaller, and the run goes on with what is left. */
  | "context_compacted"
  /** The conversation did not fit, and a model with a larger window takes over. */
  | "context_promoted";

/** One attempt at a model call that failed before anything was answered. */
export type Retry = {
  readonly attempt: number;
  readonly code: FailureCode;
  readonly status?: number;
  readonly delayMs: number;
};

/** How one tool call ended. Every call has exactly one end. */
export type ToolOutcome = "completed" | "failed" | "refused" | "interrupted";

/** How long each phase of a call took, in milliseconds, in the order they were passed. */
export type PhaseTimings = { readonly [phase: string]: number };

/** How much a run seems to force its result instead of finding it. */
export type PressureLevel = "calm" | "elevated" | "high";

/** What one call, or `user` for messages of the user, added to the pressure. */
export type PressureContribution = { readonly callId: string; readonly weight: number; readonly why: string };

/**
 * Where a session came from. A `child` works for the session it names, and ends with it; everything else goes on by
 * itself. `usd` is what the way up to the place had cost there.
 */
export type SessionOrigin = {
  readonly kind: "fork" | "handoff" | "import" | "replay" | "child";
  readonly sessionId: string;
  /** The call of that session that the child works for. */
  readonly callId?: string;
  /** The definition that an agent works by, and how many sessions are above it. */
  readonly agent?: string;
  readonly depth?: number;
  /** The leaf that was copied. */
  readonly leafId?: string;
  readonly usd?: number;
};

/** A piece of work that a prompt gives to an agent. */
export type Subtask = {
  /** Name of a definition; `general` without it. */
  readonly agent?: string;
  readonly prompt: string;
  /** Three to eight words for people. */
  readonly description: string;
  readonly model?: string;
};

/** How an agent ended. `orphaned`: kedge ended first. `max_turns`: it summed up because its turns were used up. */
export const agentStatuses = ["completed", "failed", "cancelled", "timed_out", "orphaned", "max_turns"] as const;

export type AgentStatus = (typeof agentStatuses)[number];

/** True for a session that begins with what another one did, here or elsewhere, and was counted or paid for there. */
export function holdsCopies(origin: SessionOrigin | undefined): boolean {
  return origin !== undefined && origin.kind !== "handoff" && origin.kind !== "child";
}

/** Limits of a whole session. A run that reaches one ends like a run that reached its own limit. */
export type SessionBudget = {
  readonly usdMax?: number;
  readonly tokensMax?: number;
  readonly turnsMax?: number;
};

/** An output style or a level of brevity, with the text that the model is told: as it was when it was chosen. */
export type WritingStyle = { readonly name: string; readonly text: string };

/** What a text of record is. A `note` is the user's own and no record: it is said as it stands. */
export type RecordKind = "branch-summary" | "handoff" | "imported" | "note";

/** What made the conversation be shortened. */
export type CompactionTrigger = "threshold" | "manual" | "overflow" | "incomplete" | "idle";

export type CompactionStrategy = "summary" | "snapcompact";

export type PictureArchive = { readonly tail: string; readonly dropped: number };

/** Why results are no longer shown. */
export type ClearReason = "cache-expired" | "size" | "useless" | "superseded" | "shaken";

/** A result, and the text that stands in its place from now on. */
export type ClearedResult = { readonly stepId: string; readonly callId: string; readonly text: string };

/** Which files the work was about, without those that only a plugin named. */
export type TouchedFiles = { readonly read: readonly string[]; readonly modified: readonly string[] };

export type Denial = {
  readonly callId: string;
  readonly tool: string;
  readonly reason: string;
  /** The flags that would have allowed a call which nobody was there to answer for. */
  readonly allow?: string;
};

export type FileChange = { readonly path: string; readonly status: "added" | "modified" | "deleted" };

/** Files to be put back to their state in a tree; with `refsFrom` also the refs that are still as in that tree. */
export type Restore = { readonly tree: string; readonly paths: readonly string[]; readonly refsFrom?: string };

export type RunResult = {
  readonly reason: RunReason;
  /** The text of the last answer. */
  readonly text: string;
  readonly structured?: Json;
  readonly usage: Usage;
  readonly usageByModel: { readonly [modelRef: string]: Usage };
  readonly cost: Cost;
  readonly turns: number;
  readonly durationMs: number;
  readonly transitions: readonly Transition[];
  readonly denials: readonly Denial[];
  readonly stopReason?: StopReason;
  readonly budget?: "usd" | "tokens";
  readonly failure?: Failure;
  /** The model twice answered nothing at all. */
  readonly emptyAnswer?: true;
  /** Where the run ended under pressure: its result deserves a second look. */
  readonly pressure?: Exclude<PressureLevel, "calm">;
};

/** The result of a run that made no model call: a local command, or a failure before the first step. */
export function runWithoutSteps(reason: RunReason, text: string, failure?: Failure): RunResult {
  return {
    reason,
    text,
    usage: noUsage,
    usageByModel: {},
    cost: { usd: 0, estimated: false },
    turns: 0,
    durationMs: 0,
    transitions: [],
    denials: [],
    ...(failure !== undefined && { failure }),
  };
}

/** A version of a named block of context, as it stands in the conversation. */
export type SentBlock = { readonly source: string; readonly origin: string; readonly hash: string };

export type LoadedBlock = SentBlock & { readonly tokens: number };
