/** What a server sent as a message of the protocol: small faults cost themselves alone, and a broken answer still ends its call. */
import { isJsonObject } from "@kedge/protocol";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { IsRead } from "./flood-guard.ts";
import { withTaskResult } from "./task-result.ts";
import { withoutNulls } from "./without-nulls.ts";

/** What stands in the place of an answer. */
export const noAnswer = "the connection ended without an answer";
export const noMessage = "the answer is not a valid message";

export type CheckMessage = (message: unknown) => JSONRPCMessage;

/** Throws for what answers nobody. */
export function readMessage(message: unknown, check: CheckMessage): JSONRPCMessage {
  try {
    return shaped(check(withoutNulls(message)));
  } catch (error) {
    const id = answeredId(message);
    if (id === undefined) throw error;
    // The call would wait for this answer until its time limit, which is a day.
    return unanswered(id, noMessage);
  }
}

/** What one line or frame holds: a message, or several in a list, as older servers may send them. */
export function readMessages(text: string): readonly unknown[] {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
  return Array.isArray(value) ? value : [value];
}

interface OpenRequests {
  sent(message: JSONRPCMessage): void;
  /** With the id of the only request that is open, for an error that names none. */
  withId(message: unknown): unknown;
}

/** A server that could not read a request answers without its id, and whoever made it would wait for a day. */
export function createOpenRequests(): OpenRequests {
  const open = new Set<string | number>();
  return {
    sent(message) {
      if ("method" in message && "id" in message && message.id !== undefined) open.add(message.id);
    },
    withId(message) {
      if (!isJsonObject(message) || "method" in message) return message;
      const { id } = message;
      if (typeof id === "string" || typeof id === "number") {
        open.delete(id);
        open.delete(Number(id));
        return message;
      }
      const [only] = open;
      if (!isJsonObject(message["error"]) || open.size !== 1 || only === undefined) return message;
      open.delete(only);
      return { ...message, id: only };
    },
  };
}

export type ReadParts = {
  /** Whether a message is to be read at all. */
  readonly isRead: IsRead;
  /** For a transport that passes messages on as they are. */
  readonly check?: CheckMessage;
};

/** For transports that others wrote, which read messages by themselves. */
export function withUnderstood(transport: Transport, { isRead, check }: ReadParts): Transport {
  let receive: Transport["onmessage"];
  // The library sets its reader once it connects, and reads it with every message.
  Object.defineProperty(transport, "onmessage", {
    get: () => receive,
    set(next: Transport["onmessage"]) {
      receive =
        next &&
        ((message, extra) => {
          const read = () => {
            try {
              next(check === undefined ? understood(message) : readMessage(message, check), extra);
            } catch (error) {
              transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
            }
          };
          if (isRead(message, read)) read();
        });
    },
  });
  return transport;
}

/** In a form that the library takes, where it would refuse what is of use. */
export function understood(message: JSONRPCMessage): JSONRPCMessage {
  return shaped(withoutNulls(message));
}

function shaped(message: JSONRPCMessage): JSONRPCMessage {
  return withKnownContent(withTaskResult(message));
}

/** Stands for an answer that never comes. */
export function unanswered(id: string | number, message: string): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code: -32_603, message } };
}

function answeredId(message: unknown): string | number | undefined {
  if (!isJsonObject(message) || "method" in message) return undefined;
  const { id } = message;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

const contentTypes: ReadonlySet<unknown> = new Set(["text", "image", "audio", "resource", "resource_link"]);

/** A block of a kind that the library does not know would cost the whole result. */
function withKnownContent(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message)) return message;
  const { result } = message;
  const { content } = result;
  if (!Array.isArray(content) || content.every(isKnown)) return message;
  const known = content.map((block) =>
    isKnown(block) ? block : { type: "text", text: "(content of an unknown kind, not shown)" },
  );
  return { ...message, result: { ...result, content: known } };
}

function isKnown(block: unknown): boolean {
  return isJsonObject(block) && contentTypes.has(block["type"]);
}
