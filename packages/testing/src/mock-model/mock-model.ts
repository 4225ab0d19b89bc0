/** A model on loopback that speaks the real wires of vendors and says what its script tells it. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { anthropicMockWire } from "./anthropic-wire.ts";
import { chatMockWire } from "./chat-wire.ts";
import { type Answer, sendAnswer } from "./faulty-response.ts";
import { googleMockWire } from "./google-wire.ts";
import type { MockWire } from "./mock-wire.ts";
import { responsesCompactionMockWire, responsesMockWire } from "./responses-wire.ts";
import { type MockRequest, type MockRequestBody, type MockScript, type MockTurn, turnOf } from "./script.ts";

type MockModelOptions = {
  readonly script: MockScript;
  readonly port?: number;
  /** All wires by default, told apart by their paths. */
  readonly wires?: readonly MockWire[];
};

/** Every wire the mock speaks; a new one is a row here. */
const allWires: readonly MockWire[] = [
  chatMockWire,
  responsesMockWire,
  responsesCompactionMockWire,
  anthropicMockWire,
  googleMockWire,
];

export type MockModel = {
  /** What a provider's `baseUrl` is set to. */
  readonly baseUrl: string;
  readonly port: number;
  /** Every request for an answer, in the order in which their bodies were complete. */
  readonly requests: readonly MockRequest[];
  /** Resolves with the n-th request, counted from 1, as soon as it has arrived. */
  readonly waitForRequest: (n: number) => Promise<MockRequest>;
  readonly openSockets: () => number;
  /** All connections ever accepted. */
  readonly acceptedSockets: () => number;
  /** Resolves once so many connections or fewer are open. */
  readonly waitForSocketsAtMost: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

const modelId = "mock-model";

export async function startMockModel({ script, port = 0, wires = allWires }: MockModelOptions): Promise<MockModel> {
  const requests: MockRequest[] = [];
  const sockets = new Set<Socket>();
  const changed = createChangeSignal();
  let accepted = 0;

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // A script that throws is a broken test: the caller sees it as a dropped connection, the runner as an error.
      response.destroy();
      queueMicrotask(() => {
        throw error;
      });
    });
  });
  server.on("connection", (socket) => {
    accepted++;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      changed.notify();
    });
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? "/";
    if (incoming.method === "GET" && path === "/v1/models") return sendModels(response);
    const raw = await readAll(incoming);
    if (raw === undefined) return;
    const wire = incoming.method === "POST" ? wires.find(({ matches }) => matches(path)) : undefined;
    if (wire === undefined) return sendNotFound(response);
    const body = parseBody(raw);
    if (body === undefined) return sendBadRequest(response);
    const request = { path, headers: incoming.headers, raw, body, receivedAtMs: performance.now() };
    const turnIndex = requests.push(request) - 1;
    changed.notify();
    const turn = turnOf(script, request, turnIndex);
    await sendAnswer(response, turn, encodeAnswer(wire, { turn, request, turnIndex }));
  }

  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on TCP has such an address; the other forms belong to pipes and closed servers.
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${boundPort}/v1`,
    port: boundPort,
    requests,
    waitForRequest: (n) => changed.until(() => requests[n - 1]),
    openSockets: () => sockets.size,
    acceptedSockets: () => accepted,
    waitForSocketsAtMost: async (count) => {
      await changed.until(() => (sockets.size <= count ? true : undefined));
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Asked = { readonly turn: MockTurn; readonly request: MockRequest; readonly turnIndex: number };

function encodeAnswer(wire: MockWire, { turn, request, turnIndex }: Asked): Answer {
  const name = { model: request.body.model ?? modelId, number: turnIndex + 1 };
  if (turn.status !== undefined || turn.body !== undefined)
    return { contentType: turn.contentType ?? "application/json", body: Buffer.from(turn.body ?? "") };
  return wire.isStreaming(request)
    ? { contentType: turn.contentType ?? "text/event-stream", body: Buffer.from(wire.streamed(turn, name)) }
    : { contentType: turn.contentType ?? "application/json", body: Buffer.from(wire.whole(turn, name, request.body)) };
}

/** Undefined when the sender went away in the middle. */
async function readAll(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("error", () => incoming.destroy());
  await once(incoming, "close");
  return incoming.complete ? Buffer.concat(chunks) : undefined;
}

function parseBody(raw: Buffer): MockRequestBody | undefined {
  try {
    // The mock is told what requests look like by the tests that send them; a script checks what it relies on.
    return JSON.parse(raw.toString("utf8")) as MockRequestBody;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function sendModels(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ object: "list", data: [{ id: modelId, object: "model", owned_by: "mock" }] }));
}

function sendNotFound(response: ServerResponse): void {
  response.writeHead(404, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message: "There is no such route." } }));
}

function sendBadRequest(response: ServerResponse): void {
  response.writeHead(400, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message: "The body is not JSON." } }));
}

/** Lets tests wait for a condition without polling a clock: it is looked at whenever something changed. */
function createChangeSignal(): {
  readonly notify: () => void;
  readonly until: <Value>(look: () => Value | undefined) => Promise<Value>;
} {
  const waiting = new Set<() => void>();
  return {
    notify() {
      for (const look of [...waiting]) look();
    },
    until: (look) =>
      new Promise((resolve) => {
        const check = () => {
          const value = look();
          if (value === undefined) return;
          waiting.delete(check);
          resolve(value);
        };
        waiting.add(check);
        check();
      }),
  };
}
