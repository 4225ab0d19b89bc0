/** Schemas of the words that commands, queries and views share. */
import { z } from "@hono/zod-openapi";
import type { FailureCode, Json, JsonObject, JsonSchema } from "@kedge/protocol";
import { efforts, isJsonObject, permissionModes } from "@kedge/protocol";
import { statusOfFailure } from "../http/failure-status.ts";

/** What was read from JSON text is JSON; only its absence is to be told apart. */
export const json = z
  .custom<Json>((value) => value !== undefined)
  .openapi({ type: ["string", "number", "boolean", "null", "array", "object"] });

export const jsonObject = z.custom<JsonObject>(isJsonObject).openapi({ type: "object" });

/** Checked by whoever uses it, since its keywords are few and others are ignored. */
export const jsonSchema = z.custom<JsonSchema>(isJsonObject).openapi({ type: "object" });

/** Zod's own type of an empty object has members of type `never`. */
export const nothing = z.object({}) as unknown as z.ZodType<Record<never, never>>;

/** Imported and forked sessions have ids of ours as well; the rest of an id is left to whoever made it. */
export const sessionId = z.string().regex(/^ses_[A-Za-z0-9_-]{1,64}$/);

/** Ids of messages and entries of the tree: of prompts, steps and what belongs to them. */
export const entryId = z.string().regex(/^[a-z]{3,5}_[A-Za-z0-9_.-]{1,80}$/);

export const promptId = z.string().regex(/^prm_[A-Za-z0-9_-]{1,64}$/);

/** Of requests, rules, terminals and tasks. */
export const shortId = z.string().regex(/^[A-Za-z0-9_.:-]{1,128}$/);

export const providerId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/);

/** Milliseconds since the epoch. */
export const time = z.number();
export const count = z.number().int().min(0);

export const permissionMode = z.enum(permissionModes);
export const permissionReply = z.enum(["once", "session", "project", "reject"]);
export const permissionAction = z.enum(["allow", "ask", "deny"]);

export const permissionRule = z.strictObject({
  permission: z.string().min(1),
  pattern: z.string(),
  action: permissionAction,
});

export const ruleSource = z.enum(["policy", "session", "command-line", "flag", "local", "user", "project", "builtin"]);

export const media = z
  .object({
    name: z.string(),
    mediaType: z.string(),
    base64: z.string(),
    detail: z.literal("original").optional(),
  })
  .openapi("Media");

export const usage = z
  .object({
    input: z.number(),
    output: z.number(),
    reasoning: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    webSearches: z.number().optional(),
  })
  .openapi("Usage");

export const cost = z.object({ usd: z.number(), estimated: z.boolean() }).openapi("Cost");

export const fileChange = z
  .object({ path: z.string(), status: z.enum(["added", "modified", "deleted"]) })
  .openapi("FileChange");

/** The keys of a table that the compiler holds to the codes. */
export const failureCode = z.enum(Object.keys(statusOfFailure) as FailureCode[]);

export const failure = z
  .object({
    code: failureCode,
    message: z.string(),
    recovery: z.string().optional(),
    retryable: z.boolean(),
    status: z.number().optional(),
    requestId: z.string().optional(),
    retryAfterMs: z.number().optional(),
    resetAtMs: z.number().optional(),
    overflow: z.object({ inputTokens: z.number(), limitTokens: z.number() }).optional(),
  })
  .openapi("Failure");

export const stopReason = z.enum(["end", "tool-calls", "output-limit", "refused", "paused", "other"]);

export const todo = z
  .object({
    content: z.string(),
    status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
    priority: z.enum(["high", "medium", "low"]),
  })
  .openapi("Todo");

export const question = z.object({
  question: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string() })),
  multiSelect: z.boolean().optional(),
});

export const runOptions = z
  .strictObject({
    turnsMax: z.number().int().min(1).optional(),
    budgetUsdMax: z.number().min(0).optional(),
    tokensMax: z.number().int().min(1).optional(),
    stepsMax: z.number().int().min(1).optional(),
    answerSchema: jsonSchema.optional(),
    reasoning: z
      .strictObject({ effort: z.enum(efforts).optional(), tokensMax: z.number().int().min(0).optional() })
      .optional(),
    fallbackModel: z.string().optional(),
  })
  .openapi("RunOptions");

export const logLevel = z.enum(["debug", "info", "warning", "error"]);

export const terminalSummary = z
  .object({
    ptyId: z.string(),
    command: z.string(),
    directory: z.string(),
    columns: z.number(),
    rows: z.number(),
    startedAt: time,
    cursor: z.number(),
    exitCode: z.number().optional(),
  })
  .openapi("Terminal");

export const problem = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      recovery: z.string().optional(),
      retryable: z.boolean().optional(),
    }),
  })
  .openapi("Problem");
