/** Proves that streams go on by themselves after every kind of break, without a gap or a repetition in the facts. */
import type { ServerResponse } from "node:http";
import { connectionLost, type FactRecord, frameOfRecord, frameOfSignal, headerNames } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { readFrames } from "../src/http/read-frames.ts";
import { createClient } from "../src/index.ts";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";

let server: LoopbackServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

const sessionId = "ses_1";

function record(seq: number): FactRecord {
  const fact = { type: "model.changed", model: `größer ${seq} 🙂` } as const;
  return { sessionId, seq, time: seq, fact, prev: `h${seq - 1}`, hash: `h${seq}` };
}

function frameText(id: string, body: object): string {
  return `id: ${id}\nevent: message\ndata: ${JSON.stringify({ id, directory: "/d", ...body })}\n\n`;
}

const factText = (seq: number) => frameText(`${seq}-boot-0`, frameOfRecord(record(seq)));
const connected = frameText("0-boot-0", { type: "server.connected", properties: {} });

const beginStream = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });

const { seed } = createSeededRandom();

test(`frames are read whole, however their bytes are cut (seed ${seed})`, async () => {
  const random = createSeededRandom(String(seed));
  const text = `: a comment\n\n${connected}${[1, 2, 3].map(factText).join("")}data: {"no":"frame"}\n\ndata: {"id":"x",\r\ndata: "type":"y"}\r\n\r\ndata: {"cut":`;
  const bytes = new TextEncoder().encode(text);
  for (let round = 0; round < 50; round += 1) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let from = 0; from < bytes.length; ) {
          const to = Math.min(bytes.length, from + 1 + random.below(round + 2));
          controller.enqueue(bytes.subarray(from, to));
          from = to;
        }
        controller.close();
      },
    });
    const types: string[] = [];
    for await (const { type } of readFrames(body)) types.push(type);
    expect(types).toEqual(["server.connected", "model.changed", "model.changed", "model.changed", "y"]);
  }
});

test(`a session's facts come once each through cuts at random places (seed ${seed})`, async () => {
  const random = createSeededRandom(String(seed));
  const factsTotal = 60;
  const cutsTotal = 8;
  let connections = 0;
  server = await startLoopbackServer((response, { url }) => {
    if (!url.startsWith("/event")) return void response.end('{"facts":[]}');
    const since = Number(new URL(url, "http://localhost").searchParams.get("since"));
    connections += 1;
    beginStream(response);
    const signal = frameOfSignal({ type: "text.delta", sessionId, stepId: "stp_1", text: "." });
    // The fact before is sent again, as by a server that does not know exactly what arrived.
    const texts = Array.from({ length: factsTotal - since + 1 }, (_, index) => factText(Math.max(1, since + index)));
    const whole = connected + texts.join(frameText("x", signal));
    if (connections > cutsTotal) return void response.write(whole);
    const sizeMax = Math.ceil(whole.length / (cutsTotal - connections + 2));
    response.write(Buffer.from(whole).subarray(0, random.below(sizeMax)), () => response.destroy());
  });
  const client = createClient(server);
  const stop = new AbortController();
  const seen: FactRecord[] = [];
  for await (const event of client.events(sessionId, 0, stop.signal)) {
    if (event.kind === "fact") seen.push(event.record);
    if (seen.length === factsTotal) stop.abort();
  }
  expect(seen).toEqual(Array.from({ length: factsTotal }, (_, index) => record(index + 1)));
  expect(connections).toBe(cutsTotal + 1);
});

test("a stream of all sessions goes on after the last frame that came whole", async () => {
  server = await startLoopbackServer((response, { headers }) => {
    const last = headers[headerNames.lastEventId];
    if (last === undefined) {
      beginStream(response);
      return void response.write(connected + factText(1) + factText(2).slice(0, 40), () => response.destroy());
    }
    if (server?.requests.length === 2) {
      response.writeHead(503, { "content-type": "application/json" });
      return void response.end("{}");
    }
    beginStream(response);
    return void response.write(factText(2));
  });
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { id, type } of createClient(server).follow({ signal: stop.signal })) {
    seen.push(`${id} ${type}`);
    if (id === "2-boot-0") stop.abort();
  }
  expect(seen).toEqual([
    "0-boot-0 server.connected",
    "1-boot-0 model.changed",
    `1-boot-0 ${connectionLost}`,
    "2-boot-0 model.changed",
  ]);
  expect(server.requests.map(({ headers }) => headers[headerNames.lastEventId])).toEqual([
    undefined,
    "1-boot-0",
    "1-boot-0",
  ]);
});

test.each([
  [401, "auth_error"],
  [404, "not_found"],
])("what the server refuses with %i ends the stream", async (status, code) => {
  server = await startLoopbackServer((response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { code: "x", message: "No." } }));
  });
  const events = createClient(server).events(sessionId, 0, new AbortController().signal)[Symbol.asyncIterator]();
  await expect(events.next()).rejects.toMatchObject({ failure: { code, message: "No." } });
  expect(server.requests.length).toBe(1);
});

test("a signal ends a stream that is silent, one that waits to connect again, and the connection", async () => {
  let closed = 0;
  server = await startLoopbackServer((response) => {
    response.on("close", () => {
      closed += 1;
    });
    beginStream(response);
    response.write(connected);
  });
  const silent = new AbortController();
  const client = createClient(server);
  const frames = client.follow({ signal: silent.signal })[Symbol.asyncIterator]();
  await frames.next();
  const waiting = frames.next();
  silent.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
  await expect.poll(() => closed).toBe(1);
  await server.close();
  const absent = client.follow({ signal: AbortSignal.timeout(600) })[Symbol.asyncIterator]();
  expect(await absent.next()).toMatchObject({ done: false, value: { type: connectionLost } });
  expect(await absent.next()).toEqual({ done: true, value: undefined });
  server = undefined;
});

test("that a server is gone is told once while it is, and again only after it was back", async () => {
  server = await startLoopbackServer((response) => {
    beginStream(response);
    response.write(connected);
  });
  const { port } = new URL(server.url);
  const client = createClient(server);
  const stop = new AbortController();
  const told: string[] = [];
  const signals: string[] = [];
  const reading = Promise.all([
    (async () => {
      for await (const { type } of client.follow({ signal: stop.signal })) told.push(type);
    })(),
    (async () => {
      for await (const event of client.events(sessionId, 0, stop.signal)) {
        if (event.kind === "signal" && event.signal.type === "notice") signals.push(event.signal.text);
      }
    })(),
  ]);
  await expect.poll(() => told).toEqual(["server.connected"]);
  await server.close();
  await expect.poll(() => [told, signals.length]).toEqual([["server.connected", connectionLost], 1]);
  server = await startLoopbackServer(
    (response) => {
      beginStream(response);
      response.write(connected);
    },
    { port: Number(port) },
  );
  await expect.poll(() => told).toEqual(["server.connected", connectionLost, "server.connected"]);
  await expect
    .poll(() => signals)
    .toEqual(["The connection to the server is lost; retrying.", "Reconnected to the server."]);
  stop.abort();
  await reading;
});
