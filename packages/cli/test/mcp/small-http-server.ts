/** A server over HTTP with one tool, for tests of the way to it. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export type SmallHttpServer = { readonly port: number; close(): void };

type Asked = { readonly id?: number; readonly method: string };

export async function startSmallHttpServer(): Promise<SmallHttpServer> {
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(await textOf(request)) as Asked;
    if (id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answerTo(method) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // A server that listens on a port has such an address.
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answerTo(method: string): object {
  switch (method) {
    case "initialize": {
      const serverInfo = { name: "small", version: "1" };
      return { result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo } };
    }
    case "tools/list":
      return { result: { tools: [{ name: "fine", inputSchema: { type: "object" } }] } };
    case "tools/call":
      return { result: { content: [{ type: "text", text: "fine is done" }] } };
    default:
      return { error: { code: -32_601, message: "Method not found" } };
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}
