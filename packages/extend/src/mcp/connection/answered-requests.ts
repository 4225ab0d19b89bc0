/**
 * Gives every request over HTTP an answer. The library waits for ever where a server closes the stream without one,
 * answers under another id, or says 202 to a request.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { noAnswer, type ReadParts, unanswered, understood } from "./read-message.ts";

interface AnsweredRequests {
  /** Told by whoever makes requests that the answer to this body comes as a stream. */
  streams(body: unknown): void;
  /** Why the stream that ends next was ended, for people. */
  because(why: string): void;
  watch(transport: Transport): Transport;
}

export function createAnsweredRequests({ isRead }: Pick<ReadParts, "isRead">): AnsweredRequests {
  const open = new Set<string | number>();
  const streaming = new Set<string | number>();
  let why: string | undefined;

  function watch(transport: Transport): Transport {
    const send = transport.send.bind(transport);
    let receive: Transport["onmessage"];
    const give = (id: string | number) => {
      streaming.delete(id);
      if (!open.delete(id)) return;
      receive?.(unanswered(id, why ?? noAnswer));
      why = undefined;
    };
    // The library sets its reader once it connects, and reads it with every message.
    Object.defineProperty(transport, "onmessage", {
      get: () => receive,
      set(next: Transport["onmessage"]) {
        receive =
          next &&
          ((message, extra) => {
            const read = () => {
              const id = answerId(message);
              if (id !== undefined) open.delete(id);
              next(understood(message), extra);
            };
            if (isRead(message, read)) read();
          });
      },
    });
    transport.send = async (message, options) => {
      const id = requestId(message);
      if (id === undefined) return send(message, options);
      open.add(id);
      const onRequestStreamEnd = () => {
        options?.onRequestStreamEnd?.();
        give(id);
      };
      try {
        await send(message, { ...options, onRequestStreamEnd });
      } catch (error) {
        open.delete(id);
        throw error;
      }
      if (!streaming.has(id)) give(id);
    };
    return transport;
  }

  return {
    streams(body) {
      const id = typeof body === "string" ? requestId(JSON.parse(body)) : undefined;
      if (id !== undefined) streaming.add(id);
    },
    because(reason) {
      why = reason;
    },
    watch,
  };
}

/** A subscription has no answer as long as it lives. */
function requestId(message: JSONRPCMessage | readonly JSONRPCMessage[]): string | number | undefined {
  if (!("method" in message) || !("id" in message) || message.method === "subscriptions/listen") return undefined;
  return message.id;
}

function answerId(message: JSONRPCMessage): string | number | undefined {
  return "id" in message && !("method" in message) ? message.id : undefined;
}
