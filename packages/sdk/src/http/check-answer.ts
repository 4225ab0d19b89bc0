/** Whether the frame of a message event is what a kedge sends, by the name of the event. */
import type { EventFrame, Schema, ViewEvent } from "@kedge/protocol";
import { schema, words } from "@kedge/protocol/rows";
import { hasShape } from "./check-shape.ts";

export { hasShape } from "./check-shape.ts";

/** Events of a newer server pass: whoever does not know them shows nothing of them. */
export function isViewFrame({ type, sessionId, properties }: EventFrame): boolean {
  if (sessionId === undefined) return true;
  if (typeof sessionId !== "string") return false;
  return !Object.hasOwn(eventSchemas, type) || hasShape(properties, eventSchemas[type as ViewEvent["type"]]);
}

const { flag, list, number, object, optional, text } = schema;
const { cost, failure, fileChange, messageRow, part, permissionRule, question, session, sessionStatus, todo, usage } =
  words;

/** What else a request says travels in its metadata, as it was recorded. */
const requestRest = object({
  tool: text,
  preview: optional(text),
  inputText: optional(text),
  evidence: optional(list(text)),
  isIrreversible: optional(flag),
  isSavable: optional(flag),
  saves: optional(list(permissionRule)),
  agent: optional(object({ agentId: text, agent: text, parentId: text, name: optional(text) })),
});

const eventSchemas: { readonly [Type in ViewEvent["type"]]: Schema<object> } = {
  "session.created": object({ session }),
  "session.updated": object({ session }),
  "session.deleted": object({}),
  "session.compacted": object({ messageId: text, shortSummary: text, tokensBefore: number, tokensAfter: number }),
  "session.idle": object({ runId: text, reason: text }),
  "session.error": object({ runId: text, reason: optional(text), failure: optional(failure) }),
  "session.status": object({
    status: sessionStatus,
    stalledMs: optional(number),
    budget: optional(object({ limit: text, percent: number })),
  }),
  "session.diff": object({ files: list(fileChange) }),
  "message.updated": object({ message: messageRow }),
  "message.removed": object({ messageId: text }),
  "message.part.updated": object({ part }),
  "message.part.removed": object({ messageId: text, partId: text }),
  "message.part.delta": object({ messageId: text, partId: text, field: text, delta: text }),
  "permission.asked": object({
    ...{ id: text, sessionId: text, messageId: text, callId: text, agent: text },
    ...{ permission: text, patterns: list(text), always: list(text), metadata: requestRest, reason: text },
  }),
  "permission.replied": object({ id: text, reply: text, source: text, patterns: optional(list(text)) }),
  "question.asked": object({ id: text, callId: text, questions: list(question) }),
  "question.replied": object({ id: text, answers: list(text) }),
  "todo.updated": object({ todos: list(todo) }),
  "command.executed": object({ command: text, text }),
  "task.started": object({ id: text, callId: text, command: text }),
  "task.progress": object({ callId: text, count: number, text, stream: text }),
  "task.ended": object({ id: text, status: text }),
  "agent.started": object({ id: text, agent: text, description: text, name: optional(text), callId: optional(text) }),
  "agent.ended": object({ id: text, status: text, why: optional(text), cost, usage }),
  "agent.progressed": object({ id: text, turns: number, usage, cost, lastAction: optional(text) }),
  "file.edited": object({ path: text, status: text }),
  "mcp.status": object({ server: text, state: text, reason: optional(text) }),
  "session.moved": object({ toSessionId: text }),
  "mcp.tools.changed": object({ server: text, what: text, changed: list(text) }),
  "lsp.updated": object({ server: text, state: text }),
  "cost.updated": object({ usage, cost }),
  notification: object({ kind: text, text }),
};
