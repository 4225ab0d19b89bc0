/** Sends one answer with the faults its turn asks for. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { MockTurn } from "./script.ts";

export type Answer = { readonly contentType: string; readonly body: Buffer };

export async function sendAnswer(response: ServerResponse, turn: MockTurn, answer: Answer): Promise<void> {
  await turn.holdUntil;
  if (turn.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, turn.delayMs));
  if (response.destroyed) return;
  if (turn.dropAfterBytes === 0) {
    response.destroy();
    return;
  }
  response.writeHead(turn.status ?? 200, { "content-type": answer.contentType, ...turn.headers });
  response.flushHeaders();
  const endsEarly = turn.dropAfterBytes ?? turn.stallAfterBytes;
  const sent = await writePieces(response, answer.body.subarray(0, endsEarly), turn.splitEveryBytes);
  if (!sent) return;
  await turn.holdEndUntil;
  if (turn.dropAfterBytes !== undefined) response.destroy();
  else if (turn.stallAfterBytes === undefined) response.end();
}

/** False when the other side went away. Every write is a chunk of its own to the reader, however the network joins them. */
async function writePieces(response: ServerResponse, body: Buffer, pieceBytes: number | undefined): Promise<boolean> {
  const step = pieceBytes ?? Math.max(1, body.length);
  for (let start = 0; start < body.length; start += step) {
    if (response.destroyed) return false;
    const flowing = response.write(body.subarray(start, start + step));
    if (!flowing) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
  if (body.length > 0 && !response.destroyed) await flushed(response);
  return !response.destroyed;
}

/** Resolves once all earlier writes were handed to the system, so that a dropped connection drops nothing before. */
function flushed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.socket === null) return resolve();
    response.once("close", resolve);
    response.socket.write("", () => {
      response.off("close", resolve);
      resolve();
    });
  });
}
