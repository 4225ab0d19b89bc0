/** Schemas of the fields of every query. */
import { z } from "@hono/zod-openapi";
import type { QueryType } from "@kedge/protocol";
import { entryId, sessionId, shortId } from "./words.ts";

const empty = z.strictObject({});
const ofSession = z.strictObject({ sessionId });
const path = z.string().min(1).max(4096);
const limit = z.number().int().min(1).max(10_000).optional();

/** A hundred years; more is not what anybody means. */
const daysMax = 36_525;

export const queryFields = {
  "session.read": ofSession,
  "session.status": empty,
  "session.diff": ofSession,
  "session.cost": ofSession,
  "session.export": z.strictObject({
    sessionId,
    format: z.enum(["json", "jsonl", "md", "html"]),
    withoutToolOutput: z.boolean().optional(),
    withoutReasoning: z.boolean().optional(),
  }),
  "message.read": z.strictObject({ sessionId, messageId: entryId }),
  "permission.list": empty,
  "question.list": empty,
  "rule.list": empty,
  "project.read": empty,
  "path.read": empty,
  "vcs.read": empty,
  "vcs.diff": empty,
  "provider.list": empty,
  "server.find": empty,
  "usage.read": z.strictObject({ days: z.number().int().min(1).max(daysMax).optional() }),
  "doctor.run": empty,
  "config.read": empty,
  "command.list": empty,
  "tool.list": empty,
  "file.read": z.strictObject({ path }),
  "file.list": z.strictObject({ path }),
  "file.status": empty,
  "text.find": z.strictObject({ pattern: z.string().min(1).max(1000), path: path.optional(), limit }),
  "file.find": z.strictObject({ text: z.string().max(1000), limit }),
  "pty.list": empty,
  "pty.read": z.strictObject({ ptyId: shortId }),
  "task.list": z.strictObject({ sessionId: sessionId.optional() }),
  "task.read": z.strictObject({ sessionId, taskId: shortId }),
  "log.read": z.strictObject({ limit }),
} as const satisfies { readonly [Type in QueryType]: z.ZodObject };
