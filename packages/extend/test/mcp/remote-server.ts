/** A server over HTTP or WebSocket that misbehaves on command. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

type Misbehaviour =
  | "none"
  | "401"
  | "redirect"
  | "expired"
  | "500"
  | "endless line"
  | "endless event"
  | "no answer"
  | "another id"
  /** The connection is lost while a call is under way; the next one works. */
  | "drops a call";

export type RemoteFake = {
  readonly port: number;
  /** What it does from the next request on. */
  behave(how: Misbehaviour): void;
  /** How many requests came, by method of the protocol. */
  readonly counts: Map<string, number>;
  dropSockets(): void;
  close(): Promise<void>;
};

type Request = { readonly id?: number; readonly method: string; readonly params?: { readonly name?: string } };

const tool = (name: string, more = {}) => ({ name, inputSchema: { type: "object" }, ...more });
const tools = [tool("fine"), tool("repeatable", { annotations: { idempotentHint: true } })];

export async function startRemoteFake(redirectTo = "http://169.254.169.254/latest"): Promise<RemoteFake> {
  let how: Misbehaviour = "none";
  let sessions = 0;
  let valid = "";
  const counts = new Map<string, number>();
  const count = (method: string) => counts.set(method, (counts.get(method) ?? 0) + 1);

  async function answerHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const message = JSON.parse(await textOf(request)) as Request;
    count(message.method);
    if (how === "401") return void response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    if (how === "redirect") return void response.writeHead(307, { location: redirectTo }).end();
    if (how === "500") return void response.writeHead(500).end("broken at /srv/app/index.js");
    if (how === "endless line") return endless(response, "application/json");
    if (how === "endless event") return endless(response, "text/event-stream");
    if (how === "no answer") return void response.writeHead(200, { "content-type": "text/event-stream" }).end();
    if (message.method === "initialize") {
      sessions += 1;
      valid = `session-${sessions}`;
      how = "none";
    } else if (message.method !== "server/discover" && request.headers["mcp-session-id"] !== valid)
      return void response.writeHead(404).end();
    if (message.id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": valid });
    const id = how === "another id" ? message.id + 1_000 : message.id;
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer(message) }));
  }

  const http = createServer((request, response) => void answerHttp(request, response));
  const sockets = new WebSocketServer({ server: http, handleProtocols: () => "mcp" });
  sockets.on("connection", (socket) =>
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as Request;
      count(message.method);
      if (how === "drops a call" && message.method === "tools/call") {
        how = "none";
        return socket.terminate();
      }
      if (message.id !== undefined) socket.send(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer(message) }));
    }),
  );
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    // A server that listens on a port has such an address.
    port: (http.address() as AddressInfo).port,
    counts,
    behave(next) {
      how = next === "expired" ? "none" : next;
      if (next === "expired") valid = "another";
    },
    dropSockets() {
      for (const socket of sockets.clients) socket.terminate();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
}

function answer({ method, params }: Request): object {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "fake", version: "1" },
        },
      };
    case "tools/list":
      return { result: { tools } };
    case "tools/call":
      return { result: { content: [{ type: "text", text: `${params?.name} is done` }] } };
    default:
      return { error: { code: -32_601, message: "Method not found" } };
  }
}

/** Stops when the other side has had enough. */
function endless(response: ServerResponse, type: string): void {
  response.writeHead(200, { "content-type": type });
  const piece = "x".repeat(1024 * 1024);
  const more = () => {
    while (!response.destroyed) if (!response.write(piece)) return void response.once("drain", more);
  };
  more();
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}
