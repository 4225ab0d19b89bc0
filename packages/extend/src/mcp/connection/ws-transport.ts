/** A server behind a WebSocket: one message per frame. */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { WebSocket } from "ws";
import { trustedAuthorities } from "../../trusted-authorities.ts";
import type { RemoteServer } from "../server.ts";
import { handshakeError, PlainError } from "./connect-failure.ts";
import { createFloodGuard } from "./flood-guard.ts";
import { type AddressParts, judgedLookup, refuseText } from "./guarded-fetch.ts";
import { messageBytesMax } from "./limits.ts";
import { type CheckMessage, createOpenRequests, readMessage, readMessages } from "./read-message.ts";

export type WsParts = AddressParts & { readonly checkMessage: CheckMessage };

export function createWsTransport({ url: address, headers }: RemoteServer, parts: WsParts): Transport {
  const url = new URL(address);
  const isRead = createFloodGuard(() => undefined);
  const requests = createOpenRequests();
  let socket: WebSocket | undefined;
  const transport: Transport = { start, send, close };

  function start(): Promise<void> {
    const way = parts.proxyFor?.(new URL(url.href.replace(/^ws/, "http")));
    const refusal =
      way?.kind === "forward" ? "it can only be reached through a proxy with wss://" : refuseText(url, parts, way);
    if (refusal !== undefined) return Promise.reject(new PlainError(refusal));
    const opened = new WebSocket(url, ["mcp"], {
      headers: { ...headers },
      maxPayload: messageBytesMax,
      followRedirects: false,
      ...(way?.kind === "tunnel" ? { agent: way.agent } : { lookup: judgedLookup(url, parts) }),
      ...trustedAuthorities(parts.ca),
      ...parts.client,
    });
    socket = opened;
    opened.on("message", (data) => {
      try {
        for (const message of readMessages(String(data))) {
          const read = () => transport.onmessage?.(readMessage(requests.withId(message), parts.checkMessage));
          if (isRead(message, read)) read();
        }
      } catch (error) {
        transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    });
    opened.on("close", () => transport.onclose?.());
    return new Promise((resolve, reject) => {
      opened.once("open", resolve);
      opened.on("unexpected-response", (_request, { statusCode = 0 }) => {
        reject(handshakeError(statusCode));
        opened.terminate();
      });
      opened.on("error", (error) => {
        reject(error);
        transport.onerror?.(error);
      });
    });
  }

  function send(message: JSONRPCMessage): Promise<void> {
    const open = socket;
    if (open?.readyState !== WebSocket.OPEN) return Promise.reject(new Error("the connection is closed"));
    requests.sent(message);
    return new Promise((resolve, reject) => {
      open.send(JSON.stringify(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  async function close(): Promise<void> {
    socket?.terminate();
  }

  return transport;
}
