/** Rows of the commands that the host carries out: on the project, its settings, keys and terminals. */
import { flag, integer, list, number, object, optional, text, textWithin, words, yes } from "../json/schema.ts";
import { agentCommandRows } from "./agent-rows.ts";
import { collabCommandRows } from "./collab-rows.ts";
import { deviceCommandRows } from "./device-rows.ts";
import { loginMethod, terminalSummary } from "./host-words.ts";
import type { CommandRows } from "./row.ts";
import {
  filled,
  json,
  jsonObject,
  logLevel,
  nothing,
  permissionRule,
  providerId,
  sessionId,
  shortId,
  time,
} from "./words.ts";

const serverName = textWithin({ minLength: 1, maxLength: 100 });
const cells = integer({ minimum: 1, maximum: 1000 });

export const hostRows = {
  ...agentCommandRows,
  ...collabCommandRows,
  ...deviceCommandRows,
  /** Runs a slash command, such as `help`, by its name without the slash. */
  "command.run": {
    route: "POST /session/:sessionId/command",
    scope: "prompt",
    fields: { sessionId, name: filled, arguments: optional(text) },
    answer: object({ runId: text }),
    needsOpenSession: true,
  },
  /** Runs the user's own line in the shell: unchanged, without asking, and hidden from the model. */
  "shell.run": {
    route: "POST /session/:sessionId/shell",
    scope: "admin",
    fields: { sessionId, command: filled },
    answer: object({
      /** Absent if a signal ended it. */
      exitCode: optional(number),
      signal: optional(text),
      /** The end of what it wrote. */
      output: text,
    }),
    needsOpenSession: true,
  },
  "shell.abort": {
    route: "DELETE /session/:sessionId/shell",
    scope: "prompt",
    fields: { sessionId },
    answer: nothing,
  },
  /** Ends the session's wait before it asks its vendor again. */
  "retry.hasten": {
    route: "POST /session/:sessionId/retry",
    scope: "prompt",
    fields: { sessionId },
    answer: nothing,
  },
  "task.stop": {
    route: "POST /task/:taskId/stop",
    scope: "prompt",
    fields: { sessionId, taskId: shortId },
    answer: nothing,
  },
  /** A rule for one session until this kedge ends, or for the user in this project. */
  "rule.add": {
    route: "POST /permission/rule",
    scope: "approve",
    fields: { rule: permissionRule, sessionId: optional(sessionId) },
    answer: object({ ruleId: text }),
    needsOpenSession: true,
  },
  "rule.remove": {
    route: "DELETE /permission/rule/:ruleId",
    scope: "approve",
    fields: { ruleId: textWithin({ minLength: 1, maxLength: 512 }) },
    answer: nothing,
  },
  /** A stored key can be used, and never read again. */
  "credential.set": {
    route: "PUT /auth/:providerId",
    scope: "admin",
    fields: { providerId, key: filled },
    answer: nothing,
  },
  "credential.remove": {
    route: "DELETE /auth/:providerId",
    scope: "admin",
    fields: { providerId },
    answer: nothing,
  },
  /** Asks the vendor once whether it knows this key, or without one the key in use. Nothing is stored. */
  "credential.check": {
    route: "POST /auth/:providerId/check",
    scope: "admin",
    fields: { providerId, key: optional(filled) },
    answer: object({
      isGood: flag,
      sentence: text,
      /** The vendor could not be asked, so the key may still be right. */
      isUnchecked: optional(yes),
    }),
  },
  /** Begins to sign in with an account. Whoever has to visit `url` enters `code` there; without one, nobody has to. */
  "login.begin": {
    route: "POST /auth/:providerId/login",
    scope: "admin",
    fields: { providerId, method: loginMethod },
    answer: object({ loginId: text, url: optional(text), code: optional(text), expiresAt: optional(time) }),
  },
  /** Waits until the person is done, says no, or the time is over. */
  "login.finish": {
    route: "POST /login/:loginId/finish",
    scope: "admin",
    fields: { loginId: shortId },
    answer: object({ isSignedIn: flag, sentence: text }),
  },
  "login.cancel": { route: "DELETE /login/:loginId", scope: "admin", fields: { loginId: shortId }, answer: nothing },
  /** Writes one setting, named by its path (`titles.enabled`); `null` removes it from the file. */
  "config.set": {
    route: "PATCH /config",
    scope: "admin",
    fields: { layer: words("user", "local"), key: filled, value: json },
    answer: object({ file: text }),
  },
  /** Reads the files again, including what otherwise stays as it was at the start. */
  "config.reload": {
    route: "POST /config/reload",
    scope: "admin",
    fields: {},
    answer: object({ changed: list(text), warnings: list(text) }),
  },
  /** Uses a server for as long as this runs, in all sessions or in one. */
  "mcp.add": {
    route: "POST /mcp",
    scope: "admin",
    fields: { name: serverName, server: jsonObject, sessionId: optional(sessionId) },
    answer: nothing,
  },
  "mcp.remove": { route: "DELETE /mcp/:name", scope: "admin", fields: { name: serverName }, answer: nothing },
  /** Also one that asked for a sign-in a moment ago. */
  "mcp.connect": {
    route: "POST /mcp/:name/connect",
    scope: "admin",
    fields: { name: serverName },
    answer: object({ state: text, error: optional(text) }),
  },
  "mcp.disconnect": {
    route: "POST /mcp/:name/disconnect",
    scope: "admin",
    fields: { name: serverName },
    answer: nothing,
  },
  /** The user approves a server of the project as it is configured now. */
  "mcp.approve": { route: "POST /mcp/:name/approve", scope: "approve", fields: { name: serverName }, answer: nothing },
  /** The user has seen what its tools say of themselves now. */
  "mcp.accept": { route: "POST /mcp/:name/accept", scope: "approve", fields: { name: serverName }, answer: nothing },
  /** Begins a sign-in and says where the person continues. */
  "mcp.authorise": {
    route: "POST /mcp/:name/auth",
    scope: "admin",
    fields: { name: serverName },
    answer: object({ text }),
  },
  "pty.open": {
    route: "POST /pty",
    scope: "admin",
    fields: {
      /** Inside the project; its root by default. */
      directory: optional(text),
      /** The user's shell by default. */
      command: optional(text),
      columns: optional(cells),
      rows: optional(cells),
    },
    answer: terminalSummary,
  },
  "pty.close": { route: "DELETE /pty/:ptyId", scope: "admin", fields: { ptyId: shortId }, answer: nothing },
  "log.write": { route: "POST /log", scope: "prompt", fields: { level: logLevel, text }, answer: nothing },
  /** Ends what runs in the project's directory and releases its sessions. */
  "instance.dispose": { route: "POST /instance/dispose", scope: "admin", fields: {}, answer: nothing },
  /** A secret for one connection, for a browser that cannot send a header with it. */
  "ticket.issue": {
    route: "POST /auth/ticket",
    scope: "read",
    fields: {},
    answer: object({ ticket: text, expiresAt: time }),
  },
  /** A secret that a browser exchanges once for a cookie with the rights of the caller. */
  "code.issue": {
    route: "POST /auth/code",
    scope: "approve",
    fields: {},
    answer: object({
      code: text,
      expiresAt: time,
      /** To be opened in the browser: the server's own address, with the code where no server and no log sees it. */
      url: text,
    }),
  },
} as const satisfies CommandRows;
