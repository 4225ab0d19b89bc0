/** Proves how exchanges share connections and how they end, against real sockets and real HTTP servers. */
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type Connections, createConnections } from "./connections.ts";
import type { ExchangeSilence } from "./exchange-limits.ts";
import { type ExchangeStop, startExchange } from "./http-exchange.ts";

type Peer = {
  readonly connections: Connections;
  /** In the order in which they were accepted; closed ones stay in the list. */
  readonly sockets: readonly Socket[];
  /** Resolves once so many of them are closed. */
  readonly waitForClosed: (count: number) => Promise<void>;
};

type Answer = {
  readonly status: number | undefined;
  readonly text: string;
  readonly stop: ExchangeStop | ExchangeSilence;
};

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen(server: Server): Promise<Peer> {
  const sockets: Socket[] = [];
  const closings: Promise<unknown>[] = [];
  const waiting = new Set<() => void>();
  let closed = 0;
  server.on("connection", (socket: Socket) => {
    sockets.push(socket);
    socket.on("error", () => socket.destroy());
    const closing = once(socket, "close").then(() => {
      closed++;
      for (const look of waiting) look();
    });
    closings.push(closing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(closings);
    server.close();
    await once(server, "close");
  });
  return {
    connections: createConnections(new URL(`http://127.0.0.1:${port}/v1`)),
    sockets,
    waitForClosed: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (closed < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** A server that knows no HTTP: `answer` is told of every request, of which it sees only the end. */
function startRaw(answer: (socket: Socket, request: number) => void): Promise<Peer> {
  let requests = 0;
  return listen(
    createServer((socket) => {
      let seen = "";
      socket.on("data", (bytes) => {
        seen += bytes.toString("latin1");
        for (let end = seen.indexOf("END"); end !== -1; end = seen.indexOf("END")) {
          seen = seen.slice(end + 3);
          answer(socket, ++requests);
        }
      });
    }),
  );
}

const startHttp = (listener: RequestListener) => listen(createHttpServer(listener));

function start(
  { connections }: Peer,
  { signal = new AbortController().signal, body = "{}END", idleTimeoutMs = 4000 } = {},
) {
  const headers = ["host", "test", "content-type", "application/json"];
  const options = { path: "/v1/x", headers, body: Buffer.from(body), overallTimeoutMs: 4000, idleTimeoutMs };
  return startExchange(connections, options, signal);
}

async function exchange(peer: Peer, options: Parameters<typeof start>[1] = {}): Promise<Answer> {
  const running = start(peer, options);
  let text = "";
  try {
    const head = await running.head();
    if (head.kind !== "answered") return { status: undefined, text, stop: head };
    running.read((chunk) => {
      text += chunk.toString("utf8");
    });
    for (;;) {
      const stop = await running.progress();
      if (stop !== undefined) return { status: head.status, text, stop };
    }
  } finally {
    running.release({ answerComplete: false });
  }
}

const withLength = (text: string, more = "") =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n${more}\r\n${text}`;
const ended = (text: string): Answer => ({ status: 200, text, stop: { kind: "ended" } });
const brokenBy = (code: string) => ({ kind: "broken", error: expect.objectContaining({ code }) });

describe("one exchange", () => {
  test("a Node server gets method, path, headers and body, and its chunks come back", async () => {
    const seen: unknown[] = [];
    const peer = await startHttp(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { host, "content-length": length } = request.headers;
      seen.push({ method: request.method, url: request.url, host, length, body: Buffer.concat(chunks).toString() });
      response.writeProcessing();
      for (const part of ["one ", "zwö ", "three"]) response.write(part);
      response.addTrailers({ "x-sum": "1" });
      response.end();
    });
    const body = `{"text":"${"ä".repeat(200_000)}"}`;
    expect(await exchange(peer, { body })).toEqual(ended("one zwö three"));
    const length = String(Buffer.byteLength(body));
    expect(seen).toEqual([{ method: "POST", url: "/v1/x", host: "test", length, body }]);
  });

  test("without length and chunks the body ends with the connection", async () => {
    const peer = await startRaw((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nall of it"));
    expect(await exchange(peer)).toEqual(ended("all of it"));
    await peer.waitForClosed(1);
  });

  test.each([
    ["HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", 200, "half"],
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n", 200, "half"],
    ["HTTP/1.1 200 OK\r\ncontent-le", undefined, ""],
    ["", undefined, ""],
  ])("an answer that is cut off breaks: %j", async (answer, status, text) => {
    const peer = await startRaw((socket) => socket.end(answer));
    expect(await exchange(peer)).toEqual({ status, text, stop: brokenBy("ECONNRESET") });
  });

  test("what came before malformed bytes is delivered, and the connection is closed", async () => {
    const peer = await startRaw((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\ngood\r\noops\r\n"),
    );
    expect(await exchange(peer)).toEqual({ status: 200, text: "good", stop: brokenBy("HPE_INVALID_CHUNK_SIZE") });
    await peer.waitForClosed(1);
  });

  test.each([
    ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n", "HPE_INVALID_CONSTANT"],
    ["a head without end", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}`, "HPE_HEADER_OVERFLOW"],
    [
      "another protocol from now on",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
      "HPE_INVALID_STATUS",
    ],
  ])("a server that sends %s is given up", async (_name, answer, code) => {
    const peer = await startRaw((socket) => socket.write(answer));
    expect(await exchange(peer)).toEqual({ status: undefined, text: "", stop: brokenBy(code) });
    await peer.waitForClosed(1);
  });

  test("a head larger than Node allows by itself is read, without its cookies", async () => {
    const large = "y".repeat(40_000);
    const peer = await startRaw((socket) =>
      socket.write(withLength("fine", `x-large: ${large}\r\nset-cookie: a=b\r\n`)),
    );
    const running = start(peer);
    const headers = { "content-length": "4", "x-large": large };
    expect(await running.head()).toEqual({ kind: "answered", status: 200, headers });
    running.release({ answerComplete: false });
  });

  test("an abort while bytes arrive closes the connection", async () => {
    const peer = await startRaw((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"));
    const controller = new AbortController();
    const running = start(peer, { signal: controller.signal });
    expect(await running.head()).toMatchObject({ kind: "answered" });
    controller.abort();
    running.read(() => {});
    await running.progress();
    expect(await running.progress()).toEqual({ kind: "aborted" });
    running.release({ answerComplete: false });
    await peer.waitForClosed(1);
  });

  test("a server that accepts and stays silent is given up", async () => {
    const peer = await startRaw(() => {});
    const stop = { kind: "timed-out", limit: "idle", limitMs: 60 };
    expect(await exchange(peer, { idleTimeoutMs: 60 })).toEqual({ status: undefined, text: "", stop });
    await peer.waitForClosed(1);
  });
});

describe("a silence", () => {
  const watched = (peer: Peer, idleTimeoutMs: number) =>
    startExchange(
      peer.connections,
      {
        path: "/v1/x",
        headers: ["host", "test"],
        body: Buffer.from("{}END"),
        overallTimeoutMs: 4000,
        idleTimeoutMs,
        idleWarningMs: 60,
      },
      new AbortController().signal,
    );
  const silent = { kind: "silent", idleMs: 60 };

  test("is told once, before the head and in the body, and ends with the next byte", async () => {
    const peer = await startRaw(() => {});
    const running = watched(peer, 4000);
    expect(await running.head()).toEqual(silent);
    peer.sockets[0]?.write("HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\nhalf");
    expect(await running.head()).toMatchObject({ kind: "answered" });
    let text = "";
    running.read((chunk) => {
      text += chunk.toString("utf8");
    });
    expect([await running.progress(), await running.progress()]).toEqual([undefined, silent]);
    peer.sockets[0]?.write("done");
    expect([await running.progress(), text]).toEqual([{ kind: "ended" }, "halfdone"]);
    running.release({ answerComplete: true });
  });

  test("that lasts is the end", async () => {
    const peer = await startRaw(() => {});
    const running = watched(peer, 120);
    expect([await running.head(), await running.head()]).toEqual([
      silent,
      { kind: "timed-out", limit: "idle", limitMs: 120 },
    ]);
    running.release({ answerComplete: false });
    await peer.waitForClosed(1);
  });
});

describe("connections", () => {
  test("are closed after their request once none is to be kept", async () => {
    const peer = await startHttp((_request, response) => response.end("fine"));
    expect(await exchange(peer)).toEqual(ended("fine"));
    peer.connections.stopKeeping();
    await peer.waitForClosed(1);
    for (let turn = 2; turn <= 3; turn++) {
      expect(await exchange(peer)).toEqual(ended("fine"));
      await peer.waitForClosed(turn);
    }
  });

  test("are used again, also by a request that starts as soon as an answer is complete", async () => {
    const peer = await startHttp((_request, response) => response.end("fine"));
    for (let turn = 0; turn < 20; turn++) expect(await exchange(peer)).toEqual(ended("fine"));
    expect(peer.sockets).toHaveLength(1);
  });

  test("are used again when an answer was declared complete before its last bytes", async () => {
    const peer = await startRaw((socket, request) => {
      if (request === 1) socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nDONE\r\n");
      else socket.write(withLength("other"));
    });
    const running = start(peer);
    await running.head();
    const { promise: got, resolve } = Promise.withResolvers<string>();
    running.read((chunk) => resolve(chunk.toString()));
    expect(await got).toBe("DONE");
    running.release({ answerComplete: true });
    peer.sockets[0]?.write("0\r\n\r\n");
    // This one needs a second connection; by its end the bytes above have arrived, and both are free.
    expect(await exchange(peer)).toEqual(ended("other"));
    expect(await Promise.all([exchange(peer), exchange(peer)])).toEqual([ended("other"), ended("other")]);
    expect(peer.sockets).toHaveLength(2);
  });

  test("are not used again after the server closed them while they were idle", async () => {
    const peer = await startRaw((socket) => socket.write(withLength("fine")));
    expect(await exchange(peer)).toEqual(ended("fine"));
    peer.sockets[0]?.end();
    await peer.waitForClosed(1);
    expect(await exchange(peer)).toEqual(ended("fine"));
    expect(peer.sockets).toHaveLength(2);
  });

  test.each([
    ["says that it closes them", withLength("fine", "Connection: Close\r\n")],
    ["is too old to keep them", withLength("fine").replace("HTTP/1.1", "HTTP/1.0")],
    ["keeps them too briefly", withLength("fine", "keep-alive: timeout=1\r\n")],
    ["sends more than the answer", `${withLength("fine")}more`],
  ])("are closed when the server %s", async (_name, answer) => {
    const peer = await startRaw((socket) => socket.write(answer));
    for (let turn = 1; turn <= 2; turn++) {
      expect(await exchange(peer)).toEqual(ended("fine"));
      await peer.waitForClosed(turn);
    }
  });

  test("on which bytes arrive while they are idle are dropped", async () => {
    const peer = await startRaw((socket) => socket.write(withLength("fine")));
    expect(await exchange(peer)).toEqual(ended("fine"));
    peer.sockets[0]?.write(withLength("never asked for"));
    await peer.waitForClosed(1);
    expect(await exchange(peer)).toEqual(ended("fine"));
  });

  test("that were stale break the exchange, and the next one gets a new connection", async () => {
    const peer = await startRaw((socket, request) => {
      if (request === 2) socket.destroy();
      else socket.write(withLength("fine"));
    });
    expect(await exchange(peer)).toEqual(ended("fine"));
    expect(await exchange(peer)).toEqual({ status: undefined, text: "", stop: brokenBy("ECONNRESET") });
    expect(await exchange(peer)).toEqual(ended("fine"));
    expect(peer.sockets).toHaveLength(2);
  });

  test("of many exchanges at once are kept only up to a few", async () => {
    const waiting: Socket[] = [];
    const peer = await startRaw((socket) => {
      waiting.push(socket);
      if (waiting.length === 7) for (const each of waiting) each.write(withLength("fine"));
    });
    const answers = await Promise.all(Array.from({ length: 7 }, () => exchange(peer)));
    expect(answers).toEqual(Array.from({ length: 7 }, () => ended("fine")));
    await peer.waitForClosed(3);
    expect(peer.sockets.filter((socket) => !socket.destroyed)).toHaveLength(4);
  });

  test("whose request was answered before all of it was sent are closed", async () => {
    const peer = await listen(
      createServer((socket) => {
        socket.once("data", () => {
          socket.pause();
          socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno");
          socket.on("end", () => socket.destroy());
        });
      }),
    );
    const answer = await exchange(peer, { body: "x".repeat(64 * 1024 * 1024) });
    expect(answer).toEqual({ status: 413, text: "no", stop: { kind: "ended" } });
    peer.sockets[0]?.resume();
    await peer.waitForClosed(1);
  });

  test("are not even opened for a request that cannot be sent or is not wanted any more", async () => {
    const peer = await startRaw(() => {});
    const limits = { overallTimeoutMs: 1000, idleTimeoutMs: 1000 };
    const options = { path: "/", headers: ["x", "a\nb"], body: Buffer.alloc(0), ...limits };
    const running = startExchange(peer.connections, options, new AbortController().signal);
    expect(await running.head()).toEqual(brokenBy("ERR_INVALID_CHAR"));
    running.release({ answerComplete: false });
    expect(await exchange(peer, { signal: AbortSignal.abort() })).toMatchObject({ stop: { kind: "aborted" } });
    expect(peer.sockets).toEqual([]);
  });
});
