/** Schemas of the answers to queries. */
import { z } from "@hono/zod-openapi";
import { type QueryType, scopes } from "@kedge/protocol";
import { usageSummary } from "./usage-summary.ts";
import { message, session } from "./view.ts";
import {
  cost,
  fileChange,
  json,
  jsonObject,
  jsonSchema,
  logLevel,
  permissionMode,
  permissionRule,
  question,
  ruleSource,
  terminalSummary,
  time,
  usage,
} from "./words.ts";

const status = z
  .object({
    state: z.enum(["idle", "busy", "retry", "waiting"]),
    until: time.optional(),
    attempt: z.number().optional(),
    attemptsMax: z.number().optional(),
    reason: z.string().optional(),
  })
  .openapi("SessionStatus");

const vcsFile = z.object({ path: z.string(), index: z.string(), worktree: z.string() }).openapi("VcsFile");

const task = z
  .object({
    sessionId: z.string(),
    taskId: z.string(),
    command: z.string(),
    status: z.enum(["running", "ended"]),
    result: z.string().optional(),
  })
  .openapi("Task");

const permissionRequest = z
  .object({
    sessionId: z.string(),
    requestId: z.string(),
    callId: z.string(),
    tool: z.string(),
    permission: z.string(),
    patterns: z.array(z.string()),
    always: z.array(z.string()),
    reason: z.string(),
    preview: z.string().optional(),
    inputText: z.string().optional(),
    evidence: z.array(z.string()).optional(),
    isIrreversible: z.literal(true).optional(),
    isSavable: z.literal(true).optional(),
    saves: z
      .array(z.object({ permission: z.string(), pattern: z.string(), action: z.enum(["allow", "ask", "deny"]) }))
      .optional(),
  })
  .openapi("PermissionRequest");

const configEntry = z.object({
  key: z.string(),
  value: json,
  layer: z.enum(["default", "user", "project", "local", "file", "environment", "command-line", "session", "policy"]),
  file: z.string().optional(),
  line: z.number().optional(),
});

const provider = z.object({
  providerId: z.string(),
  name: z.string(),
  hasKey: z.boolean(),
  keySource: z.string().optional(),
  models: z.array(
    z.object({
      model: z.string(),
      name: z.string(),
      contextTokens: z.number().optional(),
      outputTokens: z.number().optional(),
      inputUsdPerMillion: z.number().optional(),
      outputUsdPerMillion: z.number().optional(),
      hasTools: z.boolean().optional(),
      hasReasoning: z.boolean().optional(),
      hasVision: z.boolean().optional(),
    }),
  ),
});

const doctorCheck = z
  .object({
    name: z.string(),
    state: z.enum(["ok", "warning", "error"]),
    sentence: z.string(),
    next: z.string().optional(),
  })
  .openapi("DoctorCheck");

export const queryAnswers = {
  "session.read": z.object({ session, status, lastSeq: z.number() }),
  "session.status": z.object({ sessions: z.record(z.string(), status) }),
  "session.diff": z.object({
    files: z.array(z.object({ ...fileChange.shape, additions: z.number(), deletions: z.number(), patch: z.string() })),
  }),
  "session.cost": z.object({
    total: cost,
    usage,
    byModel: z.record(z.string(), z.object({ usage, cost })),
    turns: z.number(),
    children: z.object({ sessions: z.number(), usage, cost }).optional(),
  }),
  "session.export": z.object({ text: z.string() }),
  "message.read": z.object({ message }),
  "permission.list": z.object({ requests: z.array(permissionRequest) }),
  "question.list": z.object({
    requests: z.array(z.object({ sessionId: z.string(), requestId: z.string(), questions: z.array(question) })),
  }),
  "rule.list": z.object({
    rules: z.array(
      z.object({ ...permissionRule.shape, ruleId: z.string().optional(), source: ruleSource }).openapi("ListedRule"),
    ),
  }),
  "project.read": z.object({
    projectId: z.string(),
    directory: z.string(),
    root: z.string(),
    isGitRepository: z.boolean(),
    isTrusted: z.boolean(),
    model: z.string().optional(),
    mode: permissionMode,
    scope: z.enum(scopes).optional(),
  }),
  "path.read": z.object({ home: z.string(), data: z.string(), directory: z.string(), root: z.string() }),
  "vcs.read": z.object({
    branch: z.string().optional(),
    commit: z.string().optional(),
    ahead: z.number().optional(),
    behind: z.number().optional(),
    files: z.array(vcsFile),
  }),
  "vcs.diff": z.object({ text: z.string(), isCut: z.boolean() }),
  "provider.list": z.object({ model: z.string().optional(), providers: z.array(provider) }),
  "server.find": z.object({
    servers: z.array(
      z.object({ providerId: z.string(), name: z.string(), url: z.string(), models: z.array(z.string()) }),
    ),
  }),
  "usage.read": usageSummary,
  "doctor.run": z.object({ checks: z.array(doctorCheck) }),
  "config.read": z.object({ settings: jsonObject, entries: z.array(configEntry), warnings: z.array(z.string()) }),
  "command.list": z.object({ commands: z.array(z.object({ name: z.string(), summary: z.string() })) }),
  "tool.list": z.object({
    tools: z.array(z.object({ name: z.string(), description: z.string(), inputSchema: jsonSchema })),
  }),
  "file.read": z.object({
    path: z.string(),
    mimeType: z.string(),
    encoding: z.enum(["utf8", "base64"]),
    content: z.string(),
    isSecret: z.literal(true).optional(),
  }),
  "file.list": z.object({
    entries: z.array(
      z.object({
        path: z.string(),
        kind: z.enum(["file", "directory", "link", "other"]),
        bytes: z.number().optional(),
        isIgnored: z.literal(true).optional(),
      }),
    ),
    isCut: z.boolean(),
  }),
  "file.status": z.object({ files: z.array(vcsFile) }),
  "text.find": z.object({
    hits: z.array(z.object({ path: z.string(), line: z.number(), text: z.string() })),
    isCut: z.boolean(),
  }),
  "file.find": z.object({ paths: z.array(z.string()), isCut: z.boolean() }),
  "pty.list": z.object({ terminals: z.array(terminalSummary) }),
  "pty.read": z.object({ ...terminalSummary.shape, screen: z.string() }),
  "task.list": z.object({ tasks: z.array(task) }),
  "task.read": z.object({ ...task.shape, output: z.string() }),
  "log.read": z.object({ lines: z.array(z.object({ time, level: logLevel, text: z.string() })) }),
} as const satisfies { readonly [Type in QueryType]: z.ZodType };
