/** Whether what a server says is what a kedge says: its answers by their routes, the events of messages by their names. */
import type { EventFrame, Route, ViewEvent } from "@kedge/protocol";
import { answerShapes } from "./answer-shapes.generated.ts";
import { hasShape, type Shape, shapeFromText } from "./check-shape.ts";

export function isAnswerOf({ method, path }: Route, value: unknown): boolean {
  const text = answerShapes[`${method} ${path}`];
  return text === undefined || hasShape(value, shapeFromText(text));
}

/** Events of a newer server pass: whoever does not know them shows nothing of them. */
export function isViewFrame({ type, sessionID, properties }: EventFrame): boolean {
  if (sessionID === undefined) return true;
  if (typeof sessionID !== "string") return false;
  return !Object.hasOwn(eventShapes, type) || hasShape(properties, eventShapes[type as ViewEvent["type"]]);
}

const question: Shape = {
  question: "string",
  options: [{ label: "string", description: "string" }],
  "multiSelect?": "boolean",
};

const messageRow: Shape = {
  ...{ id: "string", sessionId: "string", role: "string", "isQueued?": "boolean", "treeParent?": "string" },
  ...{ "parentId?": "string", "model?": "string", "isSummary?": "boolean", createdAt: "number" },
  ...{ "completedAt?": "number", "stopReason?": "string", "usage?": "#Usage", "cost?": "#Cost" },
  "failure?": "#Failure",
};

const rule: Shape = { permission: "string", pattern: "string", action: "string" };

/** What else a request says travels in its metadata, as it was recorded. */
const requestRest: Shape = {
  ...{ tool: "string", "preview?": "string", "inputText?": "string", "evidence?": ["string"] },
  ...{ "isIrreversible?": "boolean", "isSavable?": "boolean", "saves?": [rule] },
};

const eventShapes: { readonly [Type in ViewEvent["type"]]: Shape } = {
  "session.created": { session: "#Session" },
  "session.updated": { session: "#Session" },
  "session.deleted": {},
  "session.compacted": {
    ...{ messageID: "string", shortSummary: "string", tokensBefore: "number", tokensAfter: "number" },
  },
  "session.idle": { runID: "string", reason: "string" },
  "session.error": { runID: "string", "reason?": "string", "failure?": "#Failure" },
  "session.status": {
    ...{ status: "#SessionStatus", "stalledMs?": "number" },
    "budget?": { limit: "string", percent: "number" },
  },
  "session.diff": { files: ["#FileChange"] },
  "message.updated": { message: messageRow },
  "message.removed": { messageID: "string" },
  "message.part.updated": { part: "#Part" },
  "message.part.removed": { messageID: "string", partID: "string" },
  "message.part.delta": { messageID: "string", partID: "string", field: "string", delta: "string" },
  "permission.asked": {
    ...{ id: "string", sessionID: "string", messageID: "string", callID: "string", agent: "string" },
    ...{ permission: "string", patterns: ["string"], always: ["string"], metadata: requestRest, reason: "string" },
  },
  "permission.replied": { id: "string", reply: "string", source: "string", "patterns?": ["string"] },
  "question.asked": { id: "string", callID: "string", questions: [question] },
  "question.replied": { id: "string", answers: ["string"] },
  "todo.updated": { todos: ["#Todo"] },
  "command.executed": { command: "string", text: "string" },
  "task.started": { id: "string", callID: "string", command: "string" },
  "task.progress": { callID: "string", count: "number", text: "string", stream: "string" },
  "task.ended": { id: "string", status: "string" },
  "file.edited": { path: "string", status: "string" },
  "cost.updated": { usage: "#Usage", cost: "#Cost" },
  notification: { kind: "string", text: "string" },
};
