/** A bare HTTP server on loopback that does what a test tells it, and remembers what it was asked. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export type LoopbackServer = {
  readonly url: string;
  readonly requests: readonly {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
  }[];
  close(): Promise<void>;
};

export async function startLoopbackServer(
  answer: (
    response: ServerResponse,
    request: { readonly url: string; readonly headers: IncomingMessage["headers"] },
  ) => void,
  { port: wanted = 0 }: { readonly port?: number } = {},
): Promise<LoopbackServer> {
  const requests: LoopbackServer["requests"][number][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => {
      const { method = "", url = "", headers } = incoming;
      requests.push({ method, url, headers, body: Buffer.concat(pieces).toString("utf8") });
      answer(response, { url, headers });
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(wanted, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
