/** Rows of the queries: what a client may ask for without changing anything. */
import {
  flag,
  integer,
  list,
  number,
  object,
  optional,
  record,
  text,
  textWithin,
  type ValueOf,
  words,
  yes,
} from "../json/schema.ts";
import { scopes } from "../wire/scope.ts";
import { agentQueryRows } from "./agent-rows.ts";
import { collabQueryRows } from "./collab-rows.ts";
import { deviceQueryRows } from "./device-rows.ts";
import {
  configEntry,
  doctorCheck,
  fileDiff,
  listedRule,
  loginMethod,
  modelSummary,
  permissionRequest,
  sessionStatus,
  taskOutput,
  taskSummary,
  terminalScreen,
  terminalSummary,
  vcsFile,
} from "./host-words.ts";
import { spendingBudget, usageSummary } from "./record-words.ts";
import type { QueryRows } from "./row.ts";
import { message, session } from "./view-words.ts";
import {
  cost,
  entryId,
  jsonObject,
  jsonSchema,
  logLevel,
  permissionMode,
  question,
  sessionId,
  shortId,
  time,
  usage,
} from "./words.ts";

const path = textWithin({ minLength: 1, maxLength: 4096 });
const limit = optional(integer({ minimum: 1, maximum: 10_000 }));

/** A hundred years; more is not what anybody means. */
const daysMax = 36_525;

export const exportedFormat = words("json", "jsonl", "md", "html");

export type ExportedFormat = ValueOf<typeof exportedFormat>;

const sessionQueries = {
  "session.read": {
    route: "GET /session/:sessionId",
    scope: "read",
    fields: { sessionId },
    answer: object({
      session,
      status: sessionStatus,
      /** The number of its newest fact. */
      lastSeq: number,
    }),
  },
  /** Of every session that is open here; all others are idle. */
  "session.status": {
    route: "GET /session/status",
    scope: "read",
    fields: {},
    answer: object({ sessions: record(sessionStatus) }),
  },
  /** From before the session's first change to its last one. */
  "session.diff": {
    route: "GET /session/:sessionId/diff",
    scope: "read",
    fields: { sessionId },
    answer: object({ files: list(fileDiff) }),
  },
  "session.cost": {
    route: "GET /session/:sessionId/cost",
    scope: "read",
    fields: { sessionId },
    answer: object({
      total: cost,
      usage,
      byModel: record(object({ usage, cost })),
      turns: number,
      /** How long requests to models and tool calls took, in milliseconds. */
      apiMs: number,
      toolMs: number,
      /** Of the files that the session changed, from before its first change to its last one. */
      lines: object({ added: number, removed: number }),
      /** Spending limits that the user set; absent without any. */
      budgets: optional(list(spendingBudget)),
      /** What sessions that work for this one used, which is not in the total; absent if there are none. */
      children: optional(object({ sessions: number, usage, cost })),
    }),
  },
  "session.export": {
    route: "GET /session/:sessionId/export",
    scope: "read",
    fields: {
      sessionId,
      format: exportedFormat,
      withoutToolOutput: optional(flag),
      withoutReasoning: optional(flag),
    },
    answer: object({ text }),
  },
  "message.read": {
    route: "GET /session/:sessionId/message/:messageId",
    scope: "read",
    fields: { sessionId, messageId: entryId },
    answer: object({ message }),
  },
  "permission.list": {
    route: "GET /permission",
    scope: "read",
    fields: {},
    answer: object({ requests: list(permissionRequest) }),
  },
  "question.list": {
    route: "GET /question",
    scope: "read",
    fields: {},
    answer: object({ requests: list(object({ sessionId: text, requestId: text, questions: list(question) })) }),
  },
  /** In the order in which they are evaluated. */
  "rule.list": {
    route: "GET /permission/rule",
    scope: "read",
    fields: {},
    answer: object({ rules: list(listedRule) }),
  },
  /** What memory holds back until the user has reviewed it; `suspicion` says what is wrong with a text. */
  "memory.inbox": {
    route: "GET /memory/inbox",
    scope: "read",
    fields: {},
    answer: object({
      topics: list(
        object({
          ...{ slug: text, name: text, description: text, text, path: text, kind: text, origin: text, created: text },
          suspicion: optional(text),
          sessionId: optional(text),
        }),
      ),
    }),
  },
  "task.list": {
    route: "GET /task",
    scope: "read",
    fields: { sessionId: optional(sessionId) },
    answer: object({ tasks: list(taskSummary) }),
  },
  "task.read": {
    route: "GET /task/:taskId",
    scope: "read",
    fields: { sessionId, taskId: shortId },
    answer: taskOutput,
  },
} as const satisfies QueryRows;

const projectQueries = {
  "project.read": {
    route: "GET /project",
    scope: "read",
    fields: {},
    answer: object({
      projectId: text,
      directory: text,
      root: text,
      isGitRepository: flag,
      isTrusted: flag,
      model: optional(text),
      mode: permissionMode,
      /** What the caller may do here; everything without it. */
      scope: optional(words(...scopes)),
    }),
  },
  "path.read": {
    route: "GET /path",
    scope: "read",
    fields: {},
    answer: object({ home: text, data: text, directory: text, root: text }),
  },
  "vcs.read": {
    route: "GET /vcs",
    scope: "read",
    fields: {},
    answer: object({
      branch: optional(text),
      commit: optional(text),
      ahead: optional(number),
      behind: optional(number),
      files: list(vcsFile),
    }),
  },
  "vcs.diff": { route: "GET /vcs/diff", scope: "read", fields: {}, answer: object({ text, isCut: flag }) },
  "file.read": {
    route: "GET /file",
    scope: "read",
    fields: { path },
    answer: object({
      path: text,
      mimeType: text,
      encoding: words("utf8", "base64"),
      content: text,
      /** It holds keys or the like, or a rule closes it to reading; only those who may approve get it. */
      isSecret: optional(yes),
    }),
  },
  "file.list": {
    route: "GET /file/list",
    scope: "read",
    fields: { path },
    answer: object({
      entries: list(
        object({
          path: text,
          kind: words("file", "directory", "link", "other"),
          bytes: optional(number),
          isIgnored: optional(yes),
        }),
      ),
      isCut: flag,
    }),
  },
  "file.status": { route: "GET /file/status", scope: "read", fields: {}, answer: object({ files: list(vcsFile) }) },
  "text.find": {
    route: "GET /find",
    scope: "read",
    fields: { pattern: textWithin({ minLength: 1, maxLength: 1000 }), path: optional(path), limit },
    answer: object({ hits: list(object({ path: text, line: number, text })), isCut: flag }),
  },
  "file.find": {
    route: "GET /find/file",
    scope: "read",
    fields: { text: textWithin({ maxLength: 1000 }), limit },
    answer: object({ paths: list(text), isCut: flag }),
  },
  "symbol.find": {
    route: "GET /find/symbol",
    scope: "read",
    fields: { text: textWithin({ minLength: 1, maxLength: 1000 }), limit },
    answer: object({
      symbols: list(
        object({ name: text, kind: text, path: text, line: number, column: number, container: optional(text) }),
      ),
      isCut: flag,
    }),
  },
  /** What MCP servers offer to read, by a part of its name or address. */
  "resource.find": {
    route: "GET /find/resource",
    scope: "read",
    fields: { text: textWithin({ minLength: 0, maxLength: 1000 }), limit },
    answer: object({
      resources: list(object({ server: text, uri: text, name: text, mediaType: optional(text) })),
      isCut: flag,
    }),
  },
  "lsp.list": {
    route: "GET /lsp",
    scope: "read",
    fields: {},
    answer: object({
      servers: list(
        object({
          name: text,
          extensions: list(text),
          state: words("available", "unavailable", "starting", "running", "crashed", "failed", "stopped"),
          source: text,
          root: optional(text),
          version: optional(text),
          restarts: optional(number),
          why: optional(text),
        }),
      ),
    }),
  },
  "formatter.list": {
    route: "GET /formatter",
    scope: "read",
    fields: {},
    answer: object({
      formatters: list(object({ name: text, extensions: list(text), enabled: flag, why: text })),
    }),
  },
  "command.list": {
    route: "GET /command",
    scope: "read",
    fields: {},
    answer: object({
      commands: list(
        object({
          name: text,
          summary: text,
          argumentHint: optional(text),
          /** Given by position or as `name=value`. */
          parameters: optional(
            list(object({ name: text, description: optional(text), isRequired: flag, choices: list(text) })),
          ),
        }),
      ),
    }),
  },
  "tool.list": {
    route: "GET /tool",
    scope: "read",
    fields: {},
    answer: object({ tools: list(object({ name: text, description: text, inputSchema: jsonSchema })) }),
  },
} as const satisfies QueryRows;

const machineQueries = {
  "provider.list": {
    route: "GET /provider",
    scope: "read",
    fields: {},
    answer: object({
      model: optional(text),
      providers: list(
        object({
          providerId: text,
          name: text,
          hasKey: flag,
          /** Where the key comes from, such as `stored key`; never the key. */
          keySource: optional(text),
          /** Ways to sign in with an account, with who pays; `missing` says what has to be set before. */
          logins: optional(list(object({ method: loginMethod, label: text, notice: text, missing: optional(text) }))),
          models: list(modelSummary),
        }),
      ),
    }),
  },
  /** Model servers that answer on this machine right now. */
  "server.find": {
    route: "GET /provider/server",
    scope: "read",
    fields: {},
    answer: object({
      servers: list(object({ providerId: text, name: text, url: text, models: list(text) })),
    }),
  },
  /** Of all projects on this machine: the last days including today, or everything. Days are in UTC. */
  "usage.read": {
    route: "GET /usage",
    scope: "approve",
    fields: { days: optional(integer({ minimum: 1, maximum: daysMax })) },
    answer: usageSummary,
  },
  /** Checks everything that kedge needs on this machine. Like the usage, it shows sessions of all projects. */
  "doctor.run": { route: "GET /doctor", scope: "approve", fields: {}, answer: object({ checks: list(doctorCheck) }) },
  "config.read": {
    route: "GET /config",
    scope: "read",
    fields: {},
    answer: object({ settings: jsonObject, entries: list(configEntry), warnings: list(text) }),
  },
  /** MCP servers that are configured: whether they are used and why not, their state and the names of their tools. */
  "mcp.list": { route: "GET /mcp", scope: "read", fields: {}, answer: object({ servers: list(jsonObject) }) },
  /** One of them with its tools, what they cost a request, and what it printed. */
  "mcp.read": {
    route: "GET /mcp/:name",
    scope: "admin",
    fields: { name: textWithin({ minLength: 1, maxLength: 100 }) },
    answer: object({ server: jsonObject, log: text }),
  },
  "pty.list": { route: "GET /pty", scope: "admin", fields: {}, answer: object({ terminals: list(terminalSummary) }) },
  "pty.read": { route: "GET /pty/:ptyId", scope: "admin", fields: { ptyId: shortId }, answer: terminalScreen },
  "log.read": {
    route: "GET /log",
    scope: "admin",
    fields: { limit },
    answer: object({ lines: list(object({ time, level: logLevel, text })) }),
  },
} as const satisfies QueryRows;

export const queryRows = {
  ...sessionQueries,
  ...projectQueries,
  ...machineQueries,
  ...agentQueryRows,
  ...collabQueryRows,
  ...deviceQueryRows,
} as const;
