/** What kedge used and cost over many sessions: by day, model, project and tool. */
import type { Cost, Usage } from "./content.ts";
import type { ToolOutcome } from "./facts/fact-words.ts";

export type UsageSum = { readonly steps: number; readonly usage: Usage; readonly cost: Cost };

export type ToolCounts = { readonly [Outcome in ToolOutcome]: number };

export type ToolSummary = ToolCounts & { readonly tool: string; readonly calls: number; readonly successRate: number };

/** What is paid for beside the steps of a conversation. */
export type BesideKind =
  | "compaction"
  | "title"
  | "summary"
  | "branch-summary"
  | "handoff"
  | "recall"
  | "extraction"
  | "consolidation";

export type UsageSummary = UsageSum & {
  /** Sessions in which something was asked or run in that time. */
  readonly sessions: number;
  /** The share of the input that came from the vendor's cache, from 0 to 1. */
  readonly cacheHitShare: number;
  readonly cacheMisses: { readonly count: number; readonly tokens: number; readonly usd: number };
  /** Contained in all sums: what was paid beside the steps, most expensive first. */
  readonly beside: readonly {
    readonly kind: BesideKind;
    readonly calls: number;
    readonly usage: Usage;
    readonly cost: Cost;
  }[];
  /** Most expensive first. */
  readonly models: readonly (UsageSum & { readonly model: string; readonly cacheHitShare: number })[];
  readonly projects: readonly (UsageSum & {
    readonly projectId: string;
    /** Where its newest session ran. */
    readonly directory: string;
    readonly sessions: number;
  })[];
  /** Most used first. */
  readonly tools: readonly ToolSummary[];
  /** Days in UTC, oldest first. */
  readonly days: readonly (UsageSum & { readonly day: string })[];
  /** Sessions of which some records could not be read; what was read of them is counted. */
  readonly unreadable: readonly string[];
};

/** A spending limit: what it allows and what was spent in its window. */
export type SpendingBudget = {
  readonly window: "session" | "day" | "month";
  /** US dollars. */
  readonly usdMax: number;
  readonly usd: number;
  /** When the next window begins, in milliseconds since the epoch; a session has none. */
  readonly resetsAt?: number;
};
