/** Where each command and each query is found over HTTP: the one table that server, client and documents are made of. */
import type { CommandType } from "./commands.ts";
import type { QueryType } from "./queries.ts";

/**
 * The fields that the path names are put into it. All others go as JSON into the body, or for `GET` and `DELETE` as
 * text into the query string.
 */
export type Route = { readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; readonly path: string };

/** The first number changes when a client of the old one would misread the server. */
export const protocolVersion = "1.0";

export const headerNames = {
  /** Whose place of work a request is about; the server's own without it. */
  directory: "x-kedge-directory",
  protocol: "x-kedge-protocol",
  idempotencyKey: "idempotency-key",
  lastEventId: "last-event-id",
} as const;

export const commandRoutes: { readonly [Type in CommandType]: Route } = {
  "session.create": { method: "POST", path: "/session" },
  "session.resume": { method: "POST", path: "/session/:sessionId/resume" },
  "session.close": { method: "POST", path: "/session/:sessionId/close" },
  "session.update": { method: "PATCH", path: "/session/:sessionId" },
  "session.delete": { method: "DELETE", path: "/session/:sessionId" },
  "session.fork": { method: "POST", path: "/session/:sessionId/fork" },
  "session.handoff": { method: "POST", path: "/session/:sessionId/handoff" },
  "session.undo": { method: "POST", path: "/session/:sessionId/undo" },
  "session.redo": { method: "POST", path: "/session/:sessionId/redo" },
  "session.revert": { method: "POST", path: "/session/:sessionId/revert" },
  "session.unrevert": { method: "POST", path: "/session/:sessionId/unrevert" },
  "prompt.submit": { method: "POST", path: "/session/:sessionId/prompt_async" },
  "prompt.revise": { method: "PATCH", path: "/session/:sessionId/prompt/:promptId" },
  "prompt.withdraw": { method: "DELETE", path: "/session/:sessionId/prompt/:promptId" },
  "run.continue": { method: "POST", path: "/session/:sessionId/continue" },
  "turn.interrupt": { method: "POST", path: "/session/:sessionId/abort" },
  "retry.hasten": { method: "POST", path: "/session/:sessionId/retry" },
  "message.add": { method: "POST", path: "/session/:sessionId/message" },
  "message.remove": { method: "DELETE", path: "/session/:sessionId/message/:messageId" },
  "command.run": { method: "POST", path: "/session/:sessionId/command" },
  "shell.run": { method: "POST", path: "/session/:sessionId/shell" },
  "shell.abort": { method: "DELETE", path: "/session/:sessionId/shell" },
  "context.compact": { method: "POST", path: "/session/:sessionId/compact" },
  "context.shake": { method: "POST", path: "/session/:sessionId/shake" },
  "context.inspect": { method: "GET", path: "/session/:sessionId/context" },
  "leaf.move": { method: "POST", path: "/session/:sessionId/leaf" },
  "entry.label": { method: "PUT", path: "/session/:sessionId/label/:entryId" },
  "mode.change": { method: "PUT", path: "/session/:sessionId/mode" },
  "grants.replace": { method: "PUT", path: "/session/:sessionId/grants" },
  "model.change": { method: "PUT", path: "/session/:sessionId/model" },
  "checkpoint.discard": { method: "DELETE", path: "/session/:sessionId/checkpoint" },
  "permission.answer": { method: "POST", path: "/permission/:requestId" },
  "question.answer": { method: "POST", path: "/question/:requestId" },
  "rule.add": { method: "POST", path: "/permission/rule" },
  "rule.remove": { method: "DELETE", path: "/permission/rule/:ruleId" },
  "credential.set": { method: "PUT", path: "/auth/:providerId" },
  "credential.remove": { method: "DELETE", path: "/auth/:providerId" },
  "credential.check": { method: "POST", path: "/auth/:providerId/check" },
  "ticket.issue": { method: "POST", path: "/auth/ticket" },
  "code.issue": { method: "POST", path: "/auth/code" },
  "config.set": { method: "PATCH", path: "/config" },
  "config.reload": { method: "POST", path: "/config/reload" },
  "pty.open": { method: "POST", path: "/pty" },
  "pty.close": { method: "DELETE", path: "/pty/:ptyId" },
  "task.stop": { method: "POST", path: "/task/:taskId/stop" },
  "log.write": { method: "POST", path: "/log" },
  "instance.dispose": { method: "POST", path: "/instance/dispose" },
};

export const queryRoutes: { readonly [Type in QueryType]: Route & { readonly method: "GET" } } = {
  "session.status": { method: "GET", path: "/session/status" },
  "session.read": { method: "GET", path: "/session/:sessionId" },
  "session.diff": { method: "GET", path: "/session/:sessionId/diff" },
  "session.cost": { method: "GET", path: "/session/:sessionId/cost" },
  "session.export": { method: "GET", path: "/session/:sessionId/export" },
  "message.read": { method: "GET", path: "/session/:sessionId/message/:messageId" },
  "permission.list": { method: "GET", path: "/permission" },
  "question.list": { method: "GET", path: "/question" },
  "rule.list": { method: "GET", path: "/permission/rule" },
  "project.read": { method: "GET", path: "/project" },
  "path.read": { method: "GET", path: "/path" },
  "vcs.read": { method: "GET", path: "/vcs" },
  "vcs.diff": { method: "GET", path: "/vcs/diff" },
  "provider.list": { method: "GET", path: "/provider" },
  "server.find": { method: "GET", path: "/provider/server" },
  "usage.read": { method: "GET", path: "/usage" },
  "doctor.run": { method: "GET", path: "/doctor" },
  "config.read": { method: "GET", path: "/config" },
  "command.list": { method: "GET", path: "/command" },
  "tool.list": { method: "GET", path: "/tool" },
  "file.read": { method: "GET", path: "/file" },
  "file.list": { method: "GET", path: "/file/list" },
  "file.status": { method: "GET", path: "/file/status" },
  "text.find": { method: "GET", path: "/find" },
  "file.find": { method: "GET", path: "/find/file" },
  "pty.list": { method: "GET", path: "/pty" },
  "pty.read": { method: "GET", path: "/pty/:ptyId" },
  "task.list": { method: "GET", path: "/task" },
  "task.read": { method: "GET", path: "/task/:taskId" },
  "log.read": { method: "GET", path: "/log" },
};

/** What a client reads of stored sessions, and the streams. */
export const readRoutes = {
  sessions: { method: "GET", path: "/session" },
  children: { method: "GET", path: "/session/:sessionId/children" },
  messages: { method: "GET", path: "/session/:sessionId/message" },
  todos: { method: "GET", path: "/session/:sessionId/todo" },
  facts: { method: "GET", path: "/session/:sessionId/fact" },
  verify: { method: "GET", path: "/session/:sessionId/verify" },
  search: { method: "GET", path: "/search" },
  /** `?session=` and `?since=` a number of that session; without them all sessions of the place of work. */
  events: { method: "GET", path: "/event" },
  process: { method: "GET", path: "/global" },
  health: { method: "GET", path: "/global/health" },
  processEvents: { method: "GET", path: "/global/event" },
  replication: { method: "GET", path: "/global/sync-event" },
  document: { method: "GET", path: "/doc" },
} as const satisfies { readonly [name: string]: Route };

/** Where a browser, which has no credential yet, trades the word of `code.issue` for a cookie. No command. */
export const cookieRoute: Route = { method: "POST", path: "/auth/cookie" };

/** Carries out `prompt.submit` and answers when the run has ended. */
export const promptRoute: Route = { method: "POST", path: "/session/:sessionId/prompt" };
