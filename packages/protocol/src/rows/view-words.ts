/** Schemas of sessions, messages and parts as clients see them. */
import type { CompactionTrigger, Retry, SessionOrigin } from "../facts/fact-words.ts";
import { either, flag, list, named, number, object, optional, schemaOf, text, words, yes } from "../json/schema.ts";
import type { MessageRow, MessageView, PartView, SessionView, ToolPartState } from "../view.ts";
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

const toolPartState = schemaOf<ToolPartState>()(
  named(
    "ToolPartState",
    either(
      object({ status: words("pending"), raw: text }),
      object({ status: words("running"), input: text, startedAt: time }),
      object({
        status: words("completed"),
        input: text,
        output: text,
        title: optional(text),
        metadata: optional(jsonObject),
        attachments: optional(list(media)),
        startedAt: optional(time),
        endedAt: time,
        compactedAt: optional(time),
      }),
      object({
        status: words("error"),
        input: text,
        error: text,
        metadata: optional(jsonObject),
        startedAt: optional(time),
        endedAt: time,
      }),
    ),
  ),
);

const retry = schemaOf<Retry>()(
  object({
    attempt: number,
    code: failureCode,
    status: optional(number),
    delayMs: number,
  }),
);

const trigger = schemaOf<CompactionTrigger>()(words("threshold", "manual", "overflow", "incomplete", "idle"));

const place = { id: text, messageId: text, time } as const;

export const part = schemaOf<PartView>()(
  named(
    "Part",
    either(
      object({
        ...place,
        type: words("text"),
        text,
        from: optional(text),
        isSynthetic: optional(yes),
        revisedBy: optional(text),
        isIgnored: optional(yes),
      }),
      object({ ...place, type: words("reasoning"), text }),
      object({
        ...place,
        type: words("tool"),
        callId: text,
        tool: text,
        state: toolPartState,
        parentCallId: optional(text),
      }),
      object({ ...place, type: words("file"), media }),
      object({
        ...place,
        type: words("compaction"),
        trigger,
        shortSummary: text,
        tokensBefore: number,
        tokensAfter: number,
        itemsReplaced: number,
        firstKeptId: optional(text),
        boundary: jsonObject,
      }),
      object({ ...place, type: words("subtask"), prompt: text, description: text, agent: text }),
      object({ ...place, type: words("snapshot"), tree: text }),
      object({
        ...place,
        type: words("patch"),
        before: text,
        files: list(fileChange),
        uncovered: optional(list(text)),
      }),
      object({ ...place, type: words("agent"), name: text }),
      object({ ...place, type: words("retry"), retry }),
      object({ ...place, type: words("step-start"), snapshot: optional(text) }),
      object({
        ...place,
        type: words("step-finish"),
        reason: optional(stopReason),
        snapshot: optional(text),
        usage,
        cost,
      }),
    ),
  ),
);

const messageFields = {
  id: text,
  sessionId: text,
  role: words("user", "assistant"),
  isQueued: optional(yes),
  delivery: optional(words("steer", "follow-up")),
  treeParent: optional(text),
  parentId: optional(text),
  model: optional(text),
  isSummary: optional(yes),
  createdAt: time,
  completedAt: optional(time),
  stopReason: optional(stopReason),
  usage: optional(usage),
  cost: optional(cost),
  failure: optional(failure),
} as const;

/** A message without its parts, as events tell of it. */
export const messageRow = schemaOf<MessageRow>()(object(messageFields));

export const message = schemaOf<MessageView>()(named("Message", object({ ...messageFields, parts: list(part) })));

const origin = schemaOf<SessionOrigin>()(
  object({
    kind: words("fork", "handoff", "import", "replay", "child"),
    sessionId: text,
    callId: optional(text),
    agent: optional(text),
    depth: optional(number),
    leafId: optional(text),
    usd: optional(number),
  }),
);

export const session = schemaOf<SessionView>()(
  named(
    "Session",
    object({
      id: text,
      projectId: text,
      directory: text,
      title: text,
      model: text,
      mode: permissionMode,
      origin: optional(origin),
      leafId: optional(text),
      isRunning: flag,
      brevity: optional(text),
      isArchived: flag,
      isDeleted: optional(yes),
      revert: optional(
        object({ messageId: text, only: optional(words("files")), snapshot: text, files: list(fileChange) }),
      ),
      todos: list(todo),
      labels: list(object({ messageId: text, label: text })),
      usage,
      cost,
      createdAt: time,
      updatedAt: time,
    }),
  ),
);
