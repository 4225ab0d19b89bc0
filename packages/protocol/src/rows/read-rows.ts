/** Rows of what a client reads beside commands and queries: stored sessions, event streams, and the server itself. */

import {
  flag,
  integer,
  list,
  matching,
  named,
  number,
  object,
  optional,
  type Schema,
  text,
  textWithin,
  withDefault,
  words,
  yes,
} from "../json/schema.ts";
import type { EventFrame } from "../wire/event-frame.ts";
import { factRecord, runEnded, searchHit, sessionSummary, verifyReport } from "./record-words.ts";
import type { ReadRow, RouteText } from "./row.ts";
import { message } from "./view-words.ts";
import { count, entryId, jsonObject, sessionId, time, todo } from "./words.ts";

const limitOf = (usual: number, maximum: number) => withDefault(integer({ minimum: 1, maximum }), usual);

/** `next` of the page before. */
const after = optional(matching("^\\d{1,15}-ses_[A-Za-z0-9_-]{1,64}$"));

const sessionPage = object({ sessions: list(sessionSummary), next: optional(text) });

export const frameId = matching("^\\d{1,15}-[\\w.-]{1,100}-\\d{1,15}$");

/** What is common to all frames. */
const frame: Schema<Pick<EventFrame, "id" | "type" | "directory" | "sessionId">> = named("EventFrame", {
  ...object({ id: text, type: text, directory: text, sessionId: optional(text) }),
  additionalProperties: true,
});

const eventFields = {
  session: optional(sessionId),
  /** A number of that session. */
  since: optional(count),
  after: optional(frameId),
  view: optional(words("parts")),
  /** `short`: view events under their other names. */
  names: optional(words("short")),
} as const;

export const readRows = {
  sessions: {
    route: "GET /session",
    operationId: "session.list",
    summary: "Stored sessions of the project, newest first; with `all`, of every project (requires the scope approve).",
    fields: {
      directory: optional(text),
      /** That of the project, unless `all` is given. Another one counts only for those who may approve. */
      projectId: optional(text),
      all: optional(flag),
      parentId: optional(sessionId),
      text: optional(text),
      isArchived: optional(flag),
      updatedAfter: optional(time),
      updatedBefore: optional(time),
      after,
      limit: limitOf(50, 500),
    },
    answer: sessionPage,
  },
  children: {
    route: "GET /session/:sessionId/children",
    operationId: "session.children",
    summary: "Child sessions of this session, newest first.",
    fields: { sessionId, after, limit: limitOf(50, 500) },
    answer: sessionPage,
  },
  messages: {
    route: "GET /session/:sessionId/message",
    operationId: "session.messages",
    summary: "The last messages of a session, or those before one of them.",
    fields: { sessionId, before: optional(entryId), limit: limitOf(50, 500) },
    answer: object({ messages: list(message), before: optional(text) }),
  },
  todos: {
    route: "GET /session/:sessionId/todo",
    operationId: "session.todos",
    summary: "The session's todo list.",
    fields: { sessionId },
    answer: object({ todos: list(todo) }),
  },
  facts: {
    route: "GET /session/:sessionId/fact",
    operationId: "session.facts",
    summary: "The facts of a session after a number.",
    fields: { sessionId, after: withDefault(count, 0), limit: limitOf(500, 5000) },
    answer: object({ facts: list(factRecord), next: optional(number) }),
  },
  verify: {
    route: "GET /session/:sessionId/verify",
    operationId: "session.verify",
    summary: "Verify that the session's record is intact.",
    fields: { sessionId },
    answer: verifyReport,
  },
  search: {
    route: "GET /search",
    operationId: "message.search",
    summary: "Messages that contain all the words.",
    fields: {
      text: textWithin({ minLength: 1, maxLength: 1000 }),
      projectId: optional(text),
      sessionId: optional(sessionId),
      role: optional(words("user", "assistant")),
      tool: optional(text),
      file: optional(text),
      after: optional(time),
      before: optional(time),
      limit: limitOf(50, 500),
    },
    answer: object({ hits: list(searchHit) }),
  },
  /** `?session=` and `?since=` a number of that session; without them all sessions of the project. */
  events: {
    route: "GET /event",
    operationId: "events",
    summary: "Event stream of the project's sessions.",
    fields: eventFields,
    answer: frame,
  },
  processEvents: {
    route: "GET /global/event",
    operationId: "global.events",
    summary: "Event stream of all sessions.",
    fields: eventFields,
    answer: frame,
  },
  replication: {
    route: "GET /global/sync-event",
    operationId: "global.replication",
    summary: "All records of all sessions in chain order, for replicas.",
    fields: {
      /** A position, or the last known number of each session: `ses_a:12,ses_b:3`. */
      since: optional(matching("^(?:\\d{1,15}|ses_[\\w-]{1,64}:\\d{1,15}(?:,ses_[\\w-]{1,64}:\\d{1,15})*)$")),
    },
    answer: frame,
  },
  process: {
    route: "GET /global",
    operationId: "server.read",
    summary: "The server process and the directories it has open.",
    fields: {},
    answer: object({
      pid: number,
      version: text,
      protocol: text,
      projectHash: text,
      startedAt: time,
      directory: text,
      instances: list(object({ directory: text, projectId: text, openedAt: time, clients: number })),
    }),
  },
  health: {
    route: "GET /global/health",
    operationId: "server.health",
    summary: "Health check; with a credential, also what the server serves.",
    fields: {},
    answer: object({
      ok: yes,
      protocol: text,
      projectHash: optional(text),
      version: optional(text),
      pid: optional(number),
    }),
  },
  document: {
    route: "GET /doc",
    operationId: "server.document",
    summary: "This document.",
    fields: {},
    answer: jsonObject,
  },
} as const satisfies { readonly [name: string]: ReadRow };

/** Carries out `prompt.submit` and answers when the run has ended. */
export const promptRunRow = {
  route: "POST /session/:sessionId/prompt",
  answer: object({
    /** Empty for a line that only this machine answers, such as `/help`. */
    promptId: text,
    runId: text,
    result: runEnded,
    message: optional(message),
  }),
} as const satisfies { readonly route: RouteText; readonly answer: Schema<object> };

/** Where a browser, which has no credential yet, exchanges the code of `code.issue` for a cookie. No command. */
export const cookieRow = {
  route: "POST /auth/cookie",
  fields: { code: textWithin({ minLength: 1, maxLength: 128 }) },
} as const;
