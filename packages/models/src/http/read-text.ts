/** The whole text of an answer that is read at once, bounded in size. */
import { Buffer } from "node:buffer";
import type { Exchange, ExchangeStop } from "./http-exchange.ts";

export type ReadText = {
  readonly text: string;
  /** Undefined when the text was cut at `bytesMax`. */
  readonly stop: ExchangeStop | undefined;
};

export async function readText(exchange: Exchange, bytesMax: number): Promise<ReadText> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  exchange.read((chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
  });
  let stop: ExchangeStop | undefined;
  while (stop === undefined && bytes <= bytesMax) {
    const step = await exchange.progress();
    // A text that comes in one piece shows nothing while it comes, so nobody misses anything yet.
    if (step?.kind !== "silent") stop = step;
  }
  const text = Buffer.concat(chunks).toString("utf8", 0, Math.min(bytes, bytesMax));
  return { text, stop: bytes > bytesMax ? undefined : stop };
}
