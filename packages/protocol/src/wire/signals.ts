/** Signals: shown live, never stored, may be dropped, always superseded by a later fact. */
import type { Cost, Usage } from "../content.ts";
import type { FactRecord } from "../facts/fact-record.ts";
import type { Failure } from "../failure.ts";

export type Signal =
  | { readonly type: "text.delta"; readonly sessionId: string; readonly stepId: string; readonly text: string }
  | { readonly type: "reasoning.delta"; readonly sessionId: string; readonly stepId: string; readonly text: string }
  | {
      readonly type: "tool.input.delta";
      readonly sessionId: string;
      readonly stepId: string;
      readonly callId: string;
      readonly tool: string;
      readonly text: string;
    }
  | {
      readonly type: "tool.progress";
      readonly sessionId: string;
      readonly callId: string;
      /** Counts the reports of this call from 1. */
      readonly count: number;
      readonly text: string;
      readonly stream: "stdout" | "stderr";
    }
  | {
      readonly type: "budget.crossing";
      readonly sessionId: string;
      readonly limit: "turns" | "usd" | "tokens";
      readonly percent: 50 | 80 | 100;
    }
  /** A model call failed and is tried again. */
  | {
      readonly type: "step.retrying";
      readonly sessionId: string;
      readonly stepId: string;
      readonly attempt: number;
      readonly attemptsMax?: number;
      readonly delayMs: number;
      /** When it is tried again, in milliseconds since the epoch. */
      readonly until: number;
      readonly failure: Failure;
    }
  | { readonly type: "step.stalling"; readonly sessionId: string; readonly stepId: string; readonly idleMs: number }
  /** The run ended but its end could not be stored; the only case in which no `run.ended` follows. */
  | {
      readonly type: "run.unrecorded";
      readonly sessionId: string;
      readonly runId: string;
      readonly failure: Failure;
    }
  /** An MCP server has another state: `pending`, `connected`, `failed`, `needs-auth` or `disabled`. */
  | {
      readonly type: "mcp.status";
      readonly sessionId: string;
      readonly server: string;
      readonly state: string;
      /** Why it failed or is not used, without a full stop. */
      readonly reason?: string;
    }
  /** An MCP server offers other tools, prompts or resources than before. */
  | {
      readonly type: "mcp.tools.changed";
      readonly sessionId: string;
      readonly server: string;
      readonly what: "tools" | "prompts" | "resources";
      /** Tools that describe themselves otherwise than when they were first used. */
      readonly changed: readonly string[];
    }
  /** A language server has another state. */
  | { readonly type: "lsp.updated"; readonly sessionId: string; readonly server: string; readonly state: string }
  /** The work continues in another session; whoever shows this one shows that one from now on. */
  | { readonly type: "session.moved"; readonly sessionId: string; readonly toSessionId: string }
  /** What an agent of the session, or of one of its agents, has done and used so far. */
  | {
      readonly type: "agent.progressed";
      readonly sessionId: string;
      readonly agentId: string;
      readonly turns: number;
      readonly usage: Usage;
      readonly cost: Cost;
      /** The last tool call, in a few words. */
      readonly lastAction?: string;
    }
  /** Something the user should know that changes no state. */
  | { readonly type: "notice"; readonly sessionId: string; readonly text: string };

/** What a server of the user became, told in every open session. */
export type ServerSignal = DistributiveOmit<
  Extract<Signal, { type: "mcp.status" | "mcp.tools.changed" | "lsp.updated" }>,
  "sessionId"
>;

/** How far an agent is, told in the session at the top. */
export type AgentSignal = Omit<Extract<Signal, { type: "agent.progressed" }>, "sessionId">;

/** What the machine is short of, told in every session that it stops. */
export type NoticeSignal = Omit<Extract<Signal, { type: "notice" }>, "sessionId">;

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

export type SignalOf<Type extends Signal["type"]> = Extract<Signal, { type: Type }>;

/** A piece of something that streams: worth nothing without the pieces before it. */
export function isDelta({ type }: Signal): boolean {
  return type.endsWith(".delta") || type === "tool.progress";
}

export type Event =
  | { readonly kind: "fact"; readonly record: FactRecord }
  | { readonly kind: "signal"; readonly signal: Signal };
