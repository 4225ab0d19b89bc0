/** Reads derived rows that may be damaged: what cannot be read is shown as damaged, and keeps nothing else from view. */
import {
  applyToView,
  emptyView,
  type FactRecord,
  type Failure,
  isJsonObject,
  type MessageRow,
  type PartBody,
  type PartView,
  type SessionView,
} from "@kedge/protocol";
import { failure } from "./storage-failure.ts";

export type PartPlace = { readonly id: string; readonly messageId: string; readonly time: number };

/** Undefined for a text that is no JSON. */
export function parseText(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isList: Check = Array.isArray;

/** What whoever shows or searches a part takes for granted; `verify` compares the rest. */
const fieldsOfParts: { readonly [Type in PartBody["type"]]: { readonly [field: string]: Check } } = {
  text: { text: isText },
  reasoning: { text: isText },
  tool: { callId: isText, tool: isText, state: isToolState },
  file: { media: (value) => isJsonObject(value) && isText(value["name"]) && isText(value["base64"]) },
  compaction: { shortSummary: isText, tokensBefore: isNumber, tokensAfter: isNumber },
  subtask: { prompt: isText, description: isText, agent: isText },
  snapshot: { tree: isText },
  patch: { before: isText, files: isList },
  agent: { name: isText },
  retry: { retry: isJsonObject },
  "step-start": {},
  "step-finish": { usage: isJsonObject, cost: isJsonObject },
};

function isToolState(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  switch (value["status"]) {
    case "pending":
    case "running":
      return true;
    case "completed":
      return isText(value["input"]) && isText(value["output"]);
    case "error":
      return isText(value["input"]) && isText(value["error"]);
    default:
      return false;
  }
}

export function isPartBody(value: unknown): value is PartBody {
  if (!isJsonObject(value) || typeof value["type"] !== "string") return false;
  const fields = Object.hasOwn(fieldsOfParts, value["type"])
    ? fieldsOfParts[value["type"] as PartBody["type"]]
    : undefined;
  return fields !== undefined && Object.entries(fields).every(([name, isSound]) => isSound(value[name]));
}

/** Stands where a part cannot be read. It is ours, so that neither a model nor a search takes it for the part. */
export function damagedPart(place: PartPlace, sessionId: string): PartView {
  const text = `[This part of the message is damaged. Run kedge session verify ${sessionId}.]`;
  return { type: "text", text, isSynthetic: true, isIgnored: true, ...place };
}

export type MessageColumns = { readonly id: unknown; readonly role: unknown; readonly data: unknown };

/** `time` is that of its first part, for a message that does not say when it was. */
export function messageOfColumns({ id, role, data }: MessageColumns, sessionId: string, time: number): MessageRow {
  const row = { id: String(id), sessionId, role: role === "user" ? "user" : "assistant" } as const;
  const fields = parseText(data);
  if (!isJsonObject(fields) || typeof fields["createdAt"] !== "number") {
    return { ...row, createdAt: time, failure: damagedMessage(row.id, sessionId) };
  }
  // Rows are written from a MessageRow alone; verify tells when somebody else did.
  return { ...(fields as unknown as Omit<MessageRow, "id" | "sessionId" | "role">), ...row };
}

function damagedMessage(id: string, sessionId: string): Failure {
  return failure(`Message ${id} is damaged.`, `Run kedge session verify ${sessionId}.`);
}

/** Made again from the records, for a session whose own row is damaged. */
export async function sessionOfRecords(
  sessionId: string,
  records: AsyncIterable<FactRecord>,
): Promise<SessionView | undefined> {
  const view = emptyView(sessionId);
  let session: SessionView | undefined;
  for await (const record of records) {
    for (const change of applyToView(view, record)) if (change.kind === "session") session = change.session;
  }
  return session;
}

/** Of a column that holds it as JSON. */
export function titleOf(text: unknown): string {
  const title = parseText(text);
  return typeof title === "string" ? title : "";
}

export function sessionOfText(text: unknown): SessionView | "damaged" {
  const session = parseText(text);
  if (!isJsonObject(session) || !isText(session["id"]) || !isText(session["title"]) || !isList(session["todos"])) {
    return "damaged";
  }
  // Rows are written from views alone; verify tells when somebody else did.
  return session as unknown as SessionView;
}
