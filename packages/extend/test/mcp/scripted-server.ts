/** A server whose every message is written by a test: in this process, or over HTTP where the transport matters. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { McpServer } from "../../src/mcp/index.ts";

export type Asked = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  /** Of an answer to a request of the server. */
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: number };
};

type Wire = {
  /** Raw, as a server may send it. */
  send(message: object): void;
  answer(result: object): void;
  /** Everything that the client sent. */
  readonly heard: readonly Asked[];
};

export type Script = { readonly [method: string]: (asked: Asked, wire: Wire) => void };

export const text = (said: string) => ({ content: [{ type: "text", text: said }] });
export const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more });

const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true } };

/** What a plain server would say. */
const plain: Script = {
  initialize: (_, { answer }) =>
    answer({ protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "scripted", version: "1" } }),
  "tools/list": (_, { answer }) => answer({ tools: [tool("act")] }),
  "tools/call": (_, { answer }) => answer(text("done")),
  "prompts/list": (_, { answer }) => answer({ prompts: [] }),
  "resources/list": (_, { answer }) => answer({ resources: [] }),
  "resources/templates/list": (_, { answer }) => answer({ resourceTemplates: [] }),
  ping: (_, { answer }) => answer({}),
};

function perform(script: Script, asked: Asked, wire: Omit<Wire, "answer">): void {
  const { id, method = "" } = asked;
  const answer = (result: object) => wire.send({ jsonrpc: "2.0", id, result });
  const act = script[method] ?? plain[method];
  if (act !== undefined) act(asked, { ...wire, answer });
  else if (id !== undefined && asked.method !== undefined)
    wire.send({ jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } });
}

export function scriptedServer(name: string, script: Script, heard: Asked[] = []): McpServer {
  const open = async (): Promise<Transport> => {
    // Messages of tests are checked by nobody before the client has them, as those of servers.
    const send = (message: object) => queueMicrotask(() => transport.onmessage?.(message as JSONRPCMessage));
    const transport: Transport = {
      start: async () => undefined,
      close: async () => transport.onclose?.(),
      async send(message) {
        const asked = message as Asked;
        heard.push(asked);
        perform(script, asked, { send, heard });
      },
    };
    return transport;
  };
  return { name, scope: "dynamic", file: "program", signature: name, transport: { type: "sdk", open } };
}

export type HttpAct = (request: IncomingMessage, response: ServerResponse, asked: Asked) => boolean | undefined;

export type HttpScripted = {
  readonly url: string;
  readonly requests: readonly { readonly method: string; readonly lastEventId?: string; readonly rpc?: string }[];
  close(): Promise<void>;
};

/** `act` answers what it returns true for; the rest is answered as a plain server would, in JSON. */
export async function httpScripted(act: HttpAct): Promise<HttpScripted> {
  const requests: { method: string; lastEventId?: string; rpc?: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => {
      body += piece;
    });
    request.on("end", () => {
      const asked = (body === "" ? {} : JSON.parse(body)) as Asked;
      const { "last-event-id": lastEventId } = request.headers;
      requests.push({
        method: request.method ?? "",
        ...(typeof lastEventId === "string" && { lastEventId }),
        ...(asked.method !== undefined && { rpc: asked.method }),
      });
      if (act(request, response, asked) === true) return;
      if (request.method !== "POST") return void response.writeHead(405).end();
      if (asked.id === undefined || asked.method === undefined) return void response.writeHead(202).end();
      const send = (message: object) =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
      perform({}, asked, { send, heard: [] });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // A server that listens on a port has such an address.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const sseHead = { "content-type": "text/event-stream" } as const;

export function sse(message: object, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}
