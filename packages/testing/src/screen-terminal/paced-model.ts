/** A mock model that speaks at the pace its turns ask for, as people know it from real ones. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type MockModel, startMockModel } from "../mock-model/mock-model.ts";
import type { MockScript } from "../mock-model/script.ts";

export type PacedModel = Pick<MockModel, "baseUrl" | "requests" | "waitForRequest" | "close">;

/** A header that a turn carries to the pacing; `paced` of the turns sets it. */
export const paceHeader = "x-mock-deltas-per-second";
const frameEnd = "\n\n";
const beatMs = 4;

/** The mock behind, and before it a relay that holds each event of a stream back until its time has come. */
export async function startPacedModel(script: MockScript): Promise<PacedModel> {
  const model = await startMockModel({ script });
  const server = createServer((incoming, response) => {
    relay(incoming, response, model.port);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: model.requests,
    waitForRequest: model.waitForRequest,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await model.close();
    },
  };
}

function relay(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const { method = "GET", url = "/", headers } = incoming;
  const outgoing = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
    const perSecond = Number(answer.headers[paceHeader] ?? 0);
    response.writeHead(answer.statusCode ?? 200, answer.headers);
    response.flushHeaders();
    if (perSecond === 0) answer.pipe(response);
    else void sendPaced(answer, response, perSecond);
  });
  // Whoever went away first, the other one is let go.
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}

async function sendPaced(answer: IncomingMessage, response: ServerResponse, perSecond: number): Promise<void> {
  const chunks: Buffer[] = [];
  answer.on("data", (chunk: Buffer) => chunks.push(chunk));
  answer.on("error", () => response.destroy());
  await once(answer, "close");
  const frames = Buffer.concat(chunks).toString("utf8").split(frameEnd);
  const startedAt = performance.now();
  for (let sent = 0; sent < frames.length && !response.destroyed; ) {
    const due = Math.min(frames.length, 1 + Math.floor(((performance.now() - startedAt) * perSecond) / 1_000));
    if (due > sent) {
      const isLast = due === frames.length;
      response.write(frames.slice(sent, due).join(frameEnd) + (isLast ? "" : frameEnd));
      sent = due;
    }
    await new Promise((resolve) => setTimeout(resolve, beatMs));
  }
  response.end();
}
