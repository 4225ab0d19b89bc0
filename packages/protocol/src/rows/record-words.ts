/** Schemas of what is read from the store: lists of sessions, facts, and the end of a run. */

import type { SearchHit, SessionSummary, VerifyReport } from "../contracts/store.ts";
import type { FactRecord } from "../facts/fact-record.ts";
import type { RunReason, RunResult, Transition } from "../facts/fact-words.ts";
import type { Fact } from "../facts/facts.ts";
import {
  flag,
  list,
  named,
  number,
  object,
  optional,
  record,
  type Schema,
  schemaOf,
  text,
  words,
  yes,
} from "../json/schema.ts";
import type { SpendingBudget, UsageSummary } from "../usage-summary.ts";
import { cost, failure, json, stopReason, time, usage } from "./words.ts";

export const sessionSummary = schemaOf<SessionSummary>()(
  named(
    "SessionSummary",
    object({
      sessionId: text,
      parentId: optional(text),
      isArchived: flag,
      projectId: text,
      directory: text,
      title: text,
      model: text,
      createdAt: time,
      updatedAt: time,
      lastSeq: number,
    }),
  ),
);

export const searchHit = schemaOf<SearchHit>()(
  named(
    "SearchHit",
    object({
      sessionId: text,
      messageId: text,
      title: text,
      time,
      role: words("user", "assistant"),
      tool: optional(text),
      snippet: text,
    }),
  ),
);

/** Facts are many and grow in number; here only what all of them have is described. */
const anyFact: Schema<Fact> = {
  type: "object",
  properties: { type: text },
  required: ["type"],
  additionalProperties: true,
};

export const factRecord = schemaOf<FactRecord>()(
  named(
    "FactRecord",
    object({
      sessionId: text,
      seq: number,
      time,
      fact: anyFact,
      digest: optional(text),
      removed: optional(yes),
      prev: text,
      hash: text,
    }),
  ),
);

export const verifyReport = schemaOf<VerifyReport>()(
  named(
    "VerifyReport",
    object({
      sessionId: text,
      valid: flag,
      records: number,
      payloadsRemoved: number,
      truncated: flag,
      signature: optional(words("valid", "none", "wrong", "not-in-chain", "unknown-key")),
      signedSeq: optional(number),
      tampered: optional(yes),
      problem: optional(object({ seq: number, what: text })),
    }),
  ),
);

const transition = schemaOf<Transition>()(
  words(
    "tool_results",
    "structured_retry",
    "queued_input",
    "output_escalate",
    "output_resume",
    "server_pause",
    "unexpected_stop",
    "stream_restart",
    "model_fallback",
    "media_strip",
    "checkpoint_open",
    "stop_hook",
    "agents_ended",
    "context_compacted",
    "context_promoted",
  ),
);

const runReason = schemaOf<RunReason>()(
  words(
    "completed",
    "aborted",
    "error_max_turns",
    "error_max_budget",
    "error_max_structured_output_retries",
    "error_during_execution",
    "stopped_by_hook",
  ),
);

export type RunEnd = RunResult & { readonly type: "run.ended"; readonly runId: string };

export const runEnded = schemaOf<RunEnd>()(
  named(
    "RunEnded",
    object({
      type: words("run.ended"),
      runId: text,
      reason: runReason,
      text,
      structured: optional(json),
      usage,
      usageByModel: record(usage),
      cost,
      turns: number,
      durationMs: number,
      transitions: list(transition),
      denials: list(object({ callId: text, tool: text, reason: text, allow: optional(text) })),
      stopReason: optional(stopReason),
      budget: optional(words("usd", "tokens")),
      failure: optional(failure),
      emptyAnswer: optional(yes),
      pressure: optional(words("elevated", "high")),
    }),
  ),
);

const used = { steps: number, usage, cost } as const;

export const usageSummary = schemaOf<UsageSummary>()(
  named(
    "UsageSummary",
    object({
      ...used,
      sessions: number,
      cacheHitShare: number,
      cacheMisses: object({ count: number, tokens: number, usd: number }),
      beside: list(
        object({
          kind: words(
            "compaction",
            "title",
            "summary",
            "branch-summary",
            "handoff",
            "recall",
            "extraction",
            "consolidation",
          ),
          ...{ calls: number, usage, cost },
        }),
      ),
      models: list(object({ ...used, model: text, cacheHitShare: number })),
      projects: list(object({ ...used, projectId: text, directory: text, sessions: number })),
      tools: list(
        object({
          completed: number,
          failed: number,
          refused: number,
          interrupted: number,
          tool: text,
          calls: number,
          successRate: number,
        }),
      ),
      days: list(object({ ...used, day: text })),
      unreadable: list(text),
    }),
  ),
);

export const spendingBudget = schemaOf<SpendingBudget>()(
  named(
    "SpendingBudget",
    object({ window: words("session", "day", "month"), usdMax: number, usd: number, resetsAt: optional(number) }),
  ),
);
