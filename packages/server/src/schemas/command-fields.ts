/** Schemas of the fields of every command that the engine carries out. */
import { z } from "@hono/zod-openapi";
import type { SessionCommandType } from "@kedge/protocol";
import {
  entryId,
  jsonObject,
  media,
  permissionMode,
  permissionReply,
  permissionRule,
  promptId,
  runOptions,
  sessionId,
  shortId,
} from "./words.ts";

const model = z.string().min(1).max(256);
const ofSession = z.strictObject({ sessionId });
const evenIfChanged = z.boolean().optional();
const only = z.literal("files").optional();

export const sessionCommandFields = {
  "session.create": z.strictObject({
    mode: permissionMode.optional(),
    model: model.optional(),
    sessionId: sessionId.optional(),
    parent: z.strictObject({ sessionId, callId: shortId.optional() }).optional(),
  }),
  "session.resume": z.strictObject({ sessionId, mode: permissionMode.optional(), model: model.optional() }),
  "session.close": ofSession,
  "prompt.submit": z.strictObject({
    sessionId,
    text: z.string(),
    attachments: z.array(media).optional(),
    delivery: z.enum(["steer", "follow-up"]),
    options: runOptions,
    onlyIfIdle: z.literal(true).optional(),
  }),
  "prompt.revise": z.strictObject({ sessionId, promptId, text: z.string() }),
  "prompt.withdraw": z.strictObject({ sessionId, promptId }),
  "run.continue": z.strictObject({ sessionId, options: runOptions }),
  "turn.interrupt": ofSession,
  "permission.answer": z.strictObject({
    sessionId,
    requestId: shortId,
    reply: permissionReply,
    message: z.string().optional(),
    updatedInput: jsonObject.optional(),
  }),
  "question.answer": z.strictObject({ sessionId, requestId: shortId, answers: z.array(z.string()) }),
  "mode.change": z.strictObject({ sessionId, mode: permissionMode }),
  "grants.replace": z.strictObject({ sessionId, grants: z.array(permissionRule) }),
  "model.change": z.strictObject({ sessionId, model }),
  "checkpoint.discard": ofSession,
  "session.undo": z.strictObject({ sessionId, promptId: promptId.optional(), only, evenIfChanged }),
  "session.redo": z.strictObject({ sessionId, evenIfChanged }),
  "session.revert": z.strictObject({ sessionId, messageId: entryId, only, evenIfChanged }),
  "session.unrevert": z.strictObject({ sessionId, evenIfChanged }),
  "context.compact": z.strictObject({ sessionId, instructions: z.string().optional() }),
  "context.shake": z.strictObject({ sessionId, images: z.boolean().optional() }),
  "context.inspect": ofSession,
  "session.handoff": z.strictObject({ sessionId, focus: z.string().optional() }),
  "leaf.move": z.strictObject({
    sessionId,
    entryId: entryId.optional(),
    summary: z.union([z.enum(["none", "summary"]), z.strictObject({ instructions: z.string() })]).optional(),
  }),
  "message.add": z.strictObject({ sessionId, text: z.string().min(1) }),
  "message.remove": z.strictObject({ sessionId, messageId: entryId }),
  "entry.label": z.strictObject({ sessionId, entryId, label: z.string().optional() }),
  "session.fork": z.strictObject({ sessionId, entryId: entryId.optional() }),
  "session.update": z.strictObject({ sessionId, title: z.string().optional(), isArchived: z.boolean().optional() }),
  "session.delete": ofSession,
} as const satisfies { readonly [Type in SessionCommandType]: z.ZodObject };
