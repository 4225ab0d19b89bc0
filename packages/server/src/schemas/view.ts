/** Schemas of sessions, messages and parts as clients see them. */
import { z } from "@hono/zod-openapi";
import {
  cost,
  failure,
  failureCode,
  fileChange,
  jsonObject,
  media,
  permissionMode,
  stopReason,
  time,
  todo,
  usage,
} from "./words.ts";

const toolPartState = z
  .discriminatedUnion("status", [
    z.object({ status: z.literal("pending"), raw: z.string() }),
    z.object({ status: z.literal("running"), input: z.string(), startedAt: time }),
    z.object({
      status: z.literal("completed"),
      input: z.string(),
      output: z.string(),
      title: z.string().optional(),
      metadata: jsonObject.optional(),
      attachments: z.array(media).optional(),
      startedAt: time.optional(),
      endedAt: time,
      compactedAt: time.optional(),
    }),
    z.object({
      status: z.literal("error"),
      input: z.string(),
      error: z.string(),
      metadata: jsonObject.optional(),
      startedAt: time.optional(),
      endedAt: time,
    }),
  ])
  .openapi("ToolPartState");

const retry = z.object({
  attempt: z.number(),
  code: failureCode,
  status: z.number().optional(),
  delayMs: z.number(),
});

const place = { id: z.string(), messageId: z.string(), time };

export const part = z
  .discriminatedUnion("type", [
    z.object({
      ...place,
      type: z.literal("text"),
      text: z.string(),
      isSynthetic: z.literal(true).optional(),
      isIgnored: z.literal(true).optional(),
    }),
    z.object({ ...place, type: z.literal("reasoning"), text: z.string() }),
    z.object({
      ...place,
      type: z.literal("tool"),
      callId: z.string(),
      tool: z.string(),
      state: toolPartState,
      parentCallId: z.string().optional(),
    }),
    z.object({ ...place, type: z.literal("file"), media }),
    z.object({
      ...place,
      type: z.literal("compaction"),
      trigger: z.enum(["threshold", "manual", "overflow", "incomplete", "idle"]),
      shortSummary: z.string(),
      tokensBefore: z.number(),
      tokensAfter: z.number(),
      itemsReplaced: z.number(),
      firstKeptId: z.string().optional(),
      boundary: jsonObject,
    }),
    z.object({
      ...place,
      type: z.literal("subtask"),
      prompt: z.string(),
      description: z.string(),
      agent: z.string(),
    }),
    z.object({ ...place, type: z.literal("snapshot"), tree: z.string() }),
    z.object({
      ...place,
      type: z.literal("patch"),
      before: z.string(),
      files: z.array(fileChange),
      uncovered: z.array(z.string()).optional(),
    }),
    z.object({ ...place, type: z.literal("agent"), name: z.string() }),
    z.object({ ...place, type: z.literal("retry"), retry }),
    z.object({ ...place, type: z.literal("step-start"), snapshot: z.string().optional() }),
    z.object({
      ...place,
      type: z.literal("step-finish"),
      reason: stopReason.optional(),
      snapshot: z.string().optional(),
      usage,
      cost,
    }),
  ])
  .openapi("Part");

export const message = z
  .object({
    id: z.string(),
    sessionId: z.string(),
    role: z.enum(["user", "assistant"]),
    isQueued: z.literal(true).optional(),
    treeParent: z.string().optional(),
    parentId: z.string().optional(),
    model: z.string().optional(),
    isSummary: z.literal(true).optional(),
    createdAt: time,
    completedAt: time.optional(),
    stopReason: stopReason.optional(),
    usage: usage.optional(),
    cost: cost.optional(),
    failure: failure.optional(),
    parts: z.array(part),
  })
  .openapi("Message");

export const session = z
  .object({
    id: z.string(),
    projectId: z.string(),
    directory: z.string(),
    title: z.string(),
    model: z.string(),
    mode: permissionMode,
    origin: z
      .object({
        kind: z.enum(["fork", "handoff", "import", "replay", "child"]),
        sessionId: z.string(),
        callId: z.string().optional(),
        leafId: z.string().optional(),
        usd: z.number().optional(),
      })
      .optional(),
    leafId: z.string().optional(),
    isRunning: z.boolean(),
    isArchived: z.boolean(),
    isDeleted: z.literal(true).optional(),
    revert: z
      .object({
        messageId: z.string(),
        only: z.literal("files").optional(),
        snapshot: z.string(),
        files: z.array(fileChange),
      })
      .optional(),
    todos: z.array(todo),
    labels: z.array(z.object({ messageId: z.string(), label: z.string() })),
    usage,
    cost,
    createdAt: time,
    updatedAt: time,
  })
  .openapi("Session");
