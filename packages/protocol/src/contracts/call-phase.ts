/** The CallPhase contract: hooks, checkers and redactors that every tool call passes before and after it runs. */
import type { ToolOutcome } from "../facts/fact-words.ts";
import type { JsonObject } from "../json/json.ts";
import type { Need, PermissionMode } from "../permission.ts";

/**
 * Phases run in the order given, each on what the one before left. A phase never runs for a call that a rule, a guard
 * or the mode denies, and nothing it answers lifts such a denial.
 */
export interface CallPhase {
  /** Shown to people and the model when the phase changes, refuses or rewrites something. */
  readonly name: string;
  /**
   * What happens when the phase throws, answers something else, or is cut off by an interruption after the call:
   * `refuse` refuses the call, or withholds its result; `continue` goes on as if it had passed.
   */
  readonly onError: "refuse" | "continue";
  /** The only tools whose calls it wants to see; others pass without waiting for it. All without this. */
  readonly tools?: readonly string[];
  /**
   * What it rewrites must not be kept: no artifact holds the original output, a rewritten result loses its title,
   * pictures and, unless the answer brings others, texts of its metadata, and nothing of it is shown while it runs.
   */
  readonly redacts?: true;
  /** Before the permission decision. Nothing returned means that the call passes as it is. */
  before?(call: PhasedCall, signal: AbortSignal): BeforeCall | undefined | Promise<BeforeCall | undefined>;
  /** After the call ended, whatever its outcome. Nothing returned leaves the result as it is. */
  after?(call: EndedCall, signal: AbortSignal): AfterCall | undefined | Promise<AfterCall | undefined>;
}

/** A call that was parsed and validated. */
export type PhasedCall = {
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: string;
  /** As the model wrote it, or as an earlier phase or a person changed it. */
  readonly input: JsonObject;
  /** What the call must be permitted to do, with the paths that it names. */
  readonly needs: readonly Need[];
  readonly readOnly: boolean;
  readonly cwd: string;
  readonly mode: PermissionMode;
};

/**
 * A changed input is parsed, validated and judged like that of the model. `allow` answers the question a person would
 * be asked, for this input only: never one of a guard, a gate, a managed policy or another phase.
 */
export type BeforeCall = {
  /** Who speaks, where a phase speaks for others; its own name without this. */
  readonly by?: string;
} & (
  | { readonly decision: "refuse"; readonly text: string }
  | { readonly decision: "change"; readonly input: JsonObject }
  | { readonly decision: "ask" | "allow"; readonly reason: string; readonly input?: JsonObject }
);

export type EndedCall = PhasedCall & {
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly metadata: JsonObject;
};

export type AfterCall = {
  /** Who speaks, where a phase speaks for others; its own name without this. */
  readonly by?: string;
  /** In the place of the output. The model and all clients see this one; an artifact keeps the original. */
  readonly output?: string;
  /** Whether a call that ran counts as failed. A refused or interrupted call stays what it is. */
  readonly isError?: boolean;
  /** In the place of the metadata. */
  readonly metadata?: JsonObject;
  /** For the model, below the result. */
  readonly note?: string;
  /** Ends the run after this step; a sentence for the user. */
  readonly endRun?: string;
};
