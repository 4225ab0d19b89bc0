/** Rows of the commands that answer what a session asks, and decide what it may do unasked. */
import { list, optional, text } from "../json/schema.ts";
import type { CommandRows } from "./row.ts";
import { jsonObject, nothing, permissionMode, permissionReply, permissionRule, sessionId, shortId } from "./words.ts";

export const permissionRows = {
  "permission.answer": {
    route: "POST /permission/:requestId",
    scope: "approve",
    fields: {
      sessionId,
      requestId: shortId,
      reply: permissionReply,
      message: optional(text),
      /** Only with "once": the whole input to run instead of the model's, judged again. */
      updatedInput: optional(jsonObject),
    },
    answer: nothing,
  },
  "question.answer": {
    route: "POST /question/:requestId",
    scope: "prompt",
    fields: { sessionId, requestId: shortId, answers: list(text) },
    answer: nothing,
  },
  "mode.change": {
    route: "PUT /session/:sessionId/mode",
    scope: "prompt",
    fields: { sessionId, mode: permissionMode },
    answer: nothing,
    needsOpenSession: true,
  },
  /** The rules that hold in this session until this kedge ends; they replace those granted so far. */
  "grants.replace": {
    route: "PUT /session/:sessionId/grants",
    scope: "approve",
    fields: { sessionId, grants: list(permissionRule) },
    answer: nothing,
    needsOpenSession: true,
  },
} as const satisfies CommandRows;
