/** Schemas of what is read from the store: lists of sessions, pages of messages and facts, and the end of a run. */
import { z } from "@hono/zod-openapi";
import { message } from "./view.ts";
import { cost, failure, json, stopReason, time, usage } from "./words.ts";

export const sessionSummary = z
  .object({
    sessionId: z.string(),
    parentId: z.string().optional(),
    isArchived: z.boolean(),
    projectId: z.string(),
    directory: z.string(),
    title: z.string(),
    model: z.string(),
    createdAt: time,
    updatedAt: time,
    lastSeq: z.number(),
  })
  .openapi("SessionSummary");

export const messagePage = z.object({ messages: z.array(message), before: z.string().optional() });

export const searchHit = z
  .object({
    sessionId: z.string(),
    messageId: z.string(),
    title: z.string(),
    time,
    role: z.enum(["user", "assistant"]),
    tool: z.string().optional(),
    snippet: z.string(),
  })
  .openapi("SearchHit");

/** Facts are many and grow in number; here only what all of them have is described. */
export const factRecord = z
  .object({
    sessionId: z.string(),
    seq: z.number(),
    time,
    fact: z.looseObject({ type: z.string() }),
    digest: z.string().optional(),
    removed: z.literal(true).optional(),
    prev: z.string(),
    hash: z.string(),
  })
  .openapi("FactRecord");

export const verifyReport = z
  .object({
    sessionId: z.string(),
    valid: z.boolean(),
    records: z.number(),
    payloadsRemoved: z.number(),
    truncated: z.boolean(),
    signature: z.enum(["valid", "none", "wrong", "not-in-chain", "unknown-key"]).optional(),
    signedSeq: z.number().optional(),
    tampered: z.literal(true).optional(),
    problem: z.object({ seq: z.number(), what: z.string() }).optional(),
  })
  .openapi("VerifyReport");

const transition = z.enum([
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
  "context_compacted",
  "context_promoted",
]);

export const runEnded = z
  .object({
    type: z.literal("run.ended"),
    runId: z.string(),
    reason: z.enum([
      "completed",
      "aborted",
      "error_max_turns",
      "error_max_budget",
      "error_max_structured_output_retries",
      "error_during_execution",
      "stopped_by_hook",
    ]),
    text: z.string(),
    structured: json.optional(),
    usage,
    usageByModel: z.record(z.string(), usage),
    cost,
    turns: z.number(),
    durationMs: z.number(),
    transitions: z.array(transition),
    denials: z.array(z.object({ callId: z.string(), tool: z.string(), reason: z.string() })),
    stopReason: stopReason.optional(),
    budget: z.enum(["usd", "tokens"]).optional(),
    failure: failure.optional(),
    emptyAnswer: z.literal(true).optional(),
    pressure: z.enum(["elevated", "high"]).optional(),
  })
  .openapi("RunEnded");

export const promptResult = z.object({
  /** Empty for a line that only this machine answers, such as `/help`. */
  promptId: z.string(),
  runId: z.string(),
  result: runEnded,
  message: message.optional(),
});
