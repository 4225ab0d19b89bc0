/** Messages of the protocol of a team: their shapes, and who may send which. Their JSON never reaches a model. */
import { checkSchema, isJsonObject, type JsonSchema } from "@kedge/protocol";

const text: JsonSchema = { type: "string" };
const id: JsonSchema = { type: "string", minLength: 1, maxLength: 128 };
const rules: JsonSchema = {
  type: "array",
  maxItems: 1_000,
  items: {
    type: "object",
    properties: { permission: text, pattern: text, action: { enum: ["allow"] } },
    required: ["permission", "pattern", "action"],
  },
};
const mode: JsonSchema = { enum: ["plan", "default", "accept-edits", "auto", "bypass"] };
const decisions = ["once", "session", "project", "reject"] as const;

type Row = {
  readonly by: "leader" | "worker" | "user";
  readonly fields: { readonly [name: string]: JsonSchema };
  readonly optional?: readonly string[];
};

const rows = {
  shutdown_request: { by: "leader", fields: { requestId: id, reason: text } },
  shutdown_approved: { by: "worker", fields: { requestId: id, backend: text, paneId: text }, optional: ["paneId"] },
  shutdown_rejected: { by: "worker", fields: { requestId: id, reason: text } },
  /** `request` is a PermissionRequest, `grants` what an answer for longer would add. */
  permission_request: { by: "worker", fields: { requestId: id, request: { type: "object" }, grants: rules } },
  permission_response: {
    by: "leader",
    fields: {
      requestId: id,
      decision: { enum: [...decisions] },
      message: text,
      updatedInput: { type: "object" },
    },
    optional: ["message", "updatedInput"],
  },
  /** A worker that plans first; the request is what a person is asked. */
  plan_approval_request: {
    by: "worker",
    fields: { requestId: id, path: text, plan: text, request: { type: "object" } },
  },
  plan_approval_response: {
    by: "leader",
    fields: { requestId: id, approved: { type: "boolean" }, feedback: text, mode },
    optional: ["feedback", "mode"],
  },
  /** A confined command of a worker waits to connect to a host that is on no list. */
  sandbox_network_request: {
    by: "worker",
    fields: { requestId: id, host: text, request: { type: "object" }, grants: rules },
  },
  sandbox_network_response: {
    by: "leader",
    fields: { requestId: id, decision: { enum: [...decisions] }, message: text },
    optional: ["message"],
  },
  /** Nobody waits for the answer any more. */
  permission_cancelled: { by: "worker", fields: { requestId: id } },
  mode_set: { by: "leader", fields: { mode } },
  team_permission_update: { by: "leader", fields: { rules } },
  task_assignment: { by: "leader", fields: { taskId: id, summary: text } },
  interrupt: { by: "leader", fields: {} },
  idle_notification: {
    by: "worker",
    fields: {
      reason: { enum: ["available", "interrupted", "failed"] },
      summary: text,
      completedTaskId: id,
      completedStatus: text,
    },
    optional: ["completedTaskId", "completedStatus"],
  },
  /** A worker is at work, after it reported that it was idle. */
  working: { by: "worker", fields: {} },
  /** A person ends the team from another terminal. Nobody seals it: it can only end work, and allows nothing. */
  team_stop: { by: "user", fields: {} },
  /** Somebody typed into the pane of a worker. */
  user_input: { by: "worker", fields: { text } },
} as const satisfies { readonly [type: string]: Row };

export type MessageType = keyof typeof rows;

/** Read by its schema; each handler knows the fields of its type. */
export type ProtocolMessage = { readonly type: MessageType; readonly [field: string]: unknown };

const mark = "kedge-team";

export function encodeMessage(message: ProtocolMessage): string {
  return JSON.stringify({ [mark]: 1, ...message });
}

/** Undefined for ordinary text, which everything is that does not fit exactly. */
export function decodeMessage(letter: string): ProtocolMessage | undefined {
  if (!letter.startsWith(`{"${mark}":1,`)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(letter);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isJsonObject(value)) return undefined;
  const { [mark]: _, ...message } = value;
  const { type } = message;
  if (typeof type !== "string" || !Object.hasOwn(rows, type)) return undefined;
  const { fields, optional = [] }: Row = rows[type as MessageType];
  const required = Object.keys(fields).filter((name) => !optional.includes(name));
  const schema: JsonSchema = { type: "object", properties: { ...fields }, required };
  return checkSchema(schema, message).length === 0 ? (message as ProtocolMessage) : undefined;
}

export function isOfLeader({ type }: ProtocolMessage): boolean {
  return rows[type].by === "leader";
}
