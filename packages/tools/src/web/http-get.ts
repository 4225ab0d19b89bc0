/** One GET request to addresses that were chosen before, with limits on everything the other side sends. */

import type { IncomingMessage, RequestOptions } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { lookupAmong } from "@kedge/protocol";

export type GetRequest = {
  readonly url: URL;
  /** The only addresses that are connected to; the name is not looked up again. */
  readonly addresses: readonly string[];
  readonly headers: { readonly [name: string]: string };
  readonly signal: AbortSignal;
  /** Certificates, as PEM text, of authorities that are trusted besides those of the system. */
  readonly ca?: string;
};

export type GetAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly contentType: string;
      readonly location?: string;
      readonly body: Buffer;
    }
  | { readonly kind: "failed"; readonly reason: string };

/** Also the limit after decompression. */
export const bodyBytesMax = 5 * 1_024 * 1_024;
const headBytesMax = 16 * 1_024;

/** Follows nothing, remembers nothing, and throws only for bugs. The body of a redirection is not read. */
export async function getOnce(request: GetRequest): Promise<GetAnswer> {
  try {
    await using exchange = await openExchange(request);
    const { response } = exchange;
    const { location, "content-type": contentType = "" } = response.headers;
    const status = response.statusCode ?? 0;
    const head = { kind: "answer", status, contentType, ...(location !== undefined && { location }) } as const;
    if (location !== undefined && status >= 300 && status < 400) return { ...head, body: Buffer.alloc(0) };
    const body = await readBody(response);
    return typeof body === "string" ? { kind: "failed", reason: body } : { ...head, body };
  } catch (error) {
    // Node throws these for calls that are wrong in themselves.
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error;
    return { kind: "failed", reason: describeError(error.code) };
  }
}

/** The modules are loaded by the first request: node:https alone took 9 to 18 ms, which no start should pay. */
async function openExchange({ url, addresses, headers, signal, ca }: GetRequest) {
  const isEncrypted = url.protocol === "https:";
  const { request: send } = isEncrypted ? await import("node:https") : await import("node:http");
  const authorities = isEncrypted && ca !== undefined ? { ca: [...(await systemAuthorities()), ca] } : {};
  const options: RequestOptions = {
    // A pooled connection could lead to an address that was judged for another request.
    agent: false,
    lookup: lookupAmong(addresses),
    maxHeaderSize: headBytesMax,
    headers: { "accept-encoding": "gzip, br", "user-agent": "kedge", ...headers },
    signal,
    ...authorities,
  };
  const exchange = send(url, options);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    exchange.once("response", resolve);
    // Stays after the answer began, because a late error without a listener would end the process.
    exchange.on("error", reject);
    exchange.end();
  });
  return { response, [Symbol.asyncDispose]: async () => void exchange.destroy() };
}

async function systemAuthorities(): Promise<readonly string[]> {
  return (await import("node:tls")).rootCertificates;
}

/** A sentence when it cannot be had whole. */
async function readBody(response: IncomingMessage): Promise<Buffer | string> {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const stream = await decompress(response, encoding);
  if (stream === undefined) return "its compression is unknown";
  const tooLarge = `it is larger than ${bodyBytesMax / 1_024 / 1_024} MB`;
  if (Number(response.headers["content-length"] ?? 0) > bodyBytesMax) return tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function decompress(response: IncomingMessage, encoding: string): Promise<Readable | undefined> {
  if (encoding === "identity" || encoding === "") return response;
  const { createBrotliDecompress, createGunzip, createInflate } = await import("node:zlib");
  const decoders = { gzip: createGunzip, "x-gzip": createGunzip, br: createBrotliDecompress, deflate: createInflate };
  const create = Object.entries(decoders).find(([name]) => name === encoding)?.[1];
  // Whoever reads the last stream is told of every error, so the callback has nothing to add.
  return create && pipeline(response, create(), () => undefined);
}

function describeError(code: string): string {
  if (code.startsWith("HPE_HEADER_OVERFLOW")) return "its response headers are too long";
  if (code.startsWith("HPE_")) return `its answer is not proper HTTP (${code})`;
  if (/^(?:Z_|ERR__)/.test(code)) return `its compressed body is corrupt (${code})`;
  if (/CERT|SELF_SIGNED|VERIFY|ALTNAME/.test(code)) return `its certificate is not trusted (${code})`;
  return `the connection failed (${code})`;
}
