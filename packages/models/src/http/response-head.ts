/** Reads the head of an HTTP/1.1 response: its status, its headers, and what they say about the bytes that follow. */
import { Buffer } from "node:buffer";
import { headerName } from "./header-name.ts";

export type ResponseHeaders = { readonly [name: string]: string | undefined };

/** How the body's end is found. */
export type BodyFraming =
  | { readonly kind: "none" }
  | { readonly kind: "chunked" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "until-close" };

export type ResponseHead = {
  readonly kind: "head";
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ResponseHeaders;
  readonly framing: BodyFraming;
  /** How long the server keeps the connection for a next request: 0 when it closes it, Infinity when it does not say. */
  readonly keepAliveMs: number;
};

/** Named as Node's own parser names them, because users find these names explained. */
export type MalformedCode =
  | "HPE_INVALID_CONSTANT"
  | "HPE_INVALID_STATUS"
  | "HPE_INVALID_HEADER_TOKEN"
  | "HPE_HEADER_OVERFLOW"
  | "HPE_INVALID_CONTENT_LENGTH"
  | "HPE_UNEXPECTED_CONTENT_LENGTH"
  | "HPE_INVALID_TRANSFER_ENCODING"
  | "HPE_INVALID_CHUNK_SIZE"
  | "HPE_STRICT";

export type MalformedResponse = { readonly kind: "malformed"; readonly code: MalformedCode };

const headersMax = 200;

/** The status line, the blank line, and nothing behind its end. */
const otherLines = 3;

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |\r|$)/;
const forbiddenInValue = /[\0\r]/;
const digits = /^\d+$/;
const keepAliveTimeout = /(?:^|[,;\s])timeout=(\d+)/i;

/** The first of these counts: joined with a second one, they would be understood by nobody. */
const singleHeaders: ReadonlySet<string> = new Set(["content-type", "retry-after"]);

/** `bytes` ends with the blank line that closes the head. */
export type ReadHead = (bytes: Buffer) => ResponseHead | MalformedResponse;

/** A header as it was read from its line, which must have been a whole one. */
type HeaderLine = { readonly name: string; readonly value: string };

const rememberedLinesMax = 100;

/**
 * For one host: where a head is that of the answer before, byte for byte, it is not read again; otherwise nearly all of
 * its lines are known, and are not taken apart again. Reading one whole costs some 60 µs.
 */
export function createHeadReader(): ReadHead {
  const remembered = new Map<string, HeaderLine>();
  let last: { readonly bytes: Buffer; readonly head: ResponseHead } | undefined;
  return (bytes) => {
    if (last?.bytes.equals(bytes)) return last.head;
    if (remembered.size > rememberedLinesMax) remembered.clear();
    const head = parseResponseHead(bytes, remembered);
    // A copy, because the bytes belong to whoever reads the connection.
    last = head.kind === "head" ? { bytes: Buffer.from(bytes), head } : undefined;
    return head;
  };
}

function parseResponseHead(bytes: Buffer, remembered: Map<string, HeaderLine>): ResponseHead | MalformedResponse {
  const lines = bytes.toString("latin1").split("\n");
  const matched = statusLine.exec(lines[0] ?? "");
  if (matched === null) return malformed("HPE_INVALID_STATUS");
  // Without a prototype, so that a server cannot name a header after a member of every object.
  const headers: MutableHeaders = Object.create(null);
  const problem = readHeaders(lines, headers, remembered);
  if (problem !== undefined) return problem;
  const status = Number(matched[2]);
  const framing = framingOf(status, headers);
  if (framing.kind === "malformed") return framing;
  const keepAliveMs = framing.kind === "until-close" ? 0 : keepAliveMsOf(headers, { isOldVersion: matched[1] === "0" });
  return { kind: "head", status, headers, framing, keepAliveMs };
}

export function malformed(code: MalformedCode): MalformedResponse {
  return { kind: "malformed", code };
}

type MutableHeaders = { [name: string]: string | undefined };

function readHeaders(
  lines: readonly string[],
  headers: MutableHeaders,
  remembered: Map<string, HeaderLine>,
): MalformedResponse | undefined {
  if (lines.length > headersMax + otherLines) return malformed("HPE_HEADER_OVERFLOW");
  let name = "";
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (line === "" || line === "\r") continue;
    if (line.startsWith(" ") || line.startsWith("\t")) {
      // A value that goes on in the next line: forbidden today, still sent by old servers.
      if (name === "") return malformed("HPE_INVALID_HEADER_TOKEN");
      headers[name] = `${headers[name] ?? ""} ${line.trim()}`.trim();
      continue;
    }
    const header = remembered.get(line) ?? readLine(line);
    if (header === undefined) return malformed("HPE_INVALID_HEADER_TOKEN");
    remembered.set(line, header);
    name = header.name;
    const problem = addHeader(headers, name, header.value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function readLine(line: string): HeaderLine | undefined {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(0, colon)).toLowerCase();
  const value = line.slice(colon + 1).trim();
  return headerName.test(name) && !forbiddenInValue.test(value) ? { name, value } : undefined;
}

function addHeader(headers: MutableHeaders, name: string, value: string): MalformedResponse | undefined {
  const earlier = headers[name];
  if (earlier === undefined) headers[name] = value;
  else if (name === "content-length") return earlier === value ? undefined : malformed("HPE_UNEXPECTED_CONTENT_LENGTH");
  else if (!singleHeaders.has(name)) headers[name] = `${earlier}, ${value}`;
  return undefined;
}

function framingOf(status: number, headers: ResponseHeaders): BodyFraming | MalformedResponse {
  if (status < 200 || status === 204 || status === 304) return { kind: "none" };
  const transferEncoding = headers["transfer-encoding"];
  if (transferEncoding !== undefined) {
    // Compressed transfer was never asked for, so there is no other encoding to expect.
    return transferEncoding.toLowerCase() === "chunked"
      ? { kind: "chunked" }
      : malformed("HPE_INVALID_TRANSFER_ENCODING");
  }
  const length = headers["content-length"];
  if (length === undefined) return { kind: "until-close" };
  const bytes = digits.test(length) ? Number(length) : Number.NaN;
  return Number.isSafeInteger(bytes) ? { kind: "length", bytes } : malformed("HPE_INVALID_CONTENT_LENGTH");
}

function keepAliveMsOf(headers: ResponseHeaders, { isOldVersion }: { readonly isOldVersion: boolean }): number {
  const connection = (headers["connection"] ?? "").toLowerCase();
  if (connection.includes("close")) return 0;
  if (isOldVersion && !connection.includes("keep-alive")) return 0;
  // Two lengths for one body: whoever sends that may mean another end than we found.
  if (headers["transfer-encoding"] !== undefined && headers["content-length"] !== undefined) return 0;
  const timeout = keepAliveTimeout.exec(headers["keep-alive"] ?? "")?.[1];
  return timeout === undefined ? Number.POSITIVE_INFINITY : Number(timeout) * 1000;
}
