/** A way to a server on loopback that breaks: each connection through it is cut after as many bytes as it is told. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type CuttingProxy = {
  readonly url: string;
  readonly host: string;
  readonly cuts: () => number;
  close(): Promise<void>;
};

/** `bytesUntilCut` is asked for every connection; undefined lets it live. */
export async function startCuttingProxy(
  targetPort: () => number,
  bytesUntilCut: () => number | undefined,
): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((socket) => {
    const upstream = connect(targetPort(), "127.0.0.1");
    const bytesMax = bytesUntilCut();
    let bytes = 0;
    for (const each of [socket, upstream]) {
      sockets.add(each);
      each.on("error", () => undefined);
      each.on("close", () => {
        sockets.delete(each);
        socket.destroy();
        upstream.destroy();
      });
    }
    socket.pipe(upstream);
    upstream.on("data", (piece: Buffer) => {
      const passed = bytesMax === undefined ? piece : piece.subarray(0, Math.max(0, bytesMax - bytes));
      bytes += piece.length;
      socket.write(passed);
      if (bytesMax === undefined || bytes < bytesMax || socket.destroyed) return;
      cuts += 1;
      socket.resetAndDestroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    url: `http://${host}`,
    host,
    cuts: () => cuts,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
