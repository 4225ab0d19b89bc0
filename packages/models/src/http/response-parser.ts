/** Takes the bytes of one HTTP/1.1 response apart, however they were cut, without copying those of the body. */
import { Buffer } from "node:buffer";
import {
  createHeadReader,
  type MalformedCode,
  type MalformedResponse,
  malformed,
  type ReadHead,
  type ResponseHead,
} from "./response-head.ts";

export type ResponseParts = {
  /** Called once, for the final response; those of status 1xx before it are skipped. */
  readonly head: (head: ResponseHead) => void;
  /** A piece of the body: a view of the bytes that were pushed. */
  readonly body: (piece: Buffer) => void;
};

export type ParseResult =
  | { readonly kind: "unfinished" }
  /** `surplus` when bytes follow that belong to no response. */
  | { readonly kind: "complete"; readonly surplus: boolean }
  | MalformedResponse;

export type ResponseParser = {
  /** The bytes must never change. After a result other than `unfinished` nothing more is pushed. */
  readonly push: (bytes: Buffer) => ParseResult;
  /** Whether a response may end where the connection was closed. */
  readonly endsHere: () => boolean;
};

const headBytesMax = 64 * 1024;

/** A chunk's size with its extensions, which nobody uses. */
const sizeLineBytesMax = 4 * 1024;

/** Sizes up to 2^44 stay exact; none is ever that large. */
const sizeDigitsMax = 11;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const semicolon = 0x3b;
const space = 0x20;
const tab = 0x09;
const httpName = Buffer.from("HTTP/");
const noBytes = Buffer.alloc(0);

const unfinished: ParseResult = { kind: "unfinished" };
const complete: ParseResult = { kind: "complete", surplus: false };
const completeWithSurplus: ParseResult = { kind: "complete", surplus: true };

/** What the next byte belongs to. `size-end`: from behind the digits to the end of the line. */
type State =
  | "head"
  | "length"
  | "until-close"
  | "size"
  | "size-end"
  | "chunk"
  | "chunk-return"
  | "chunk-feed"
  | "trailers"
  | "complete";

export function createResponseParser(parts: ResponseParts, readHead: ReadHead = createHeadReader()): ResponseParser {
  let state: State = "head";
  /** The beginning of a head that has not ended yet. */
  let headStart: Buffer = noBytes;
  /** Bytes that the body or the chunk still lacks. */
  let missing = 0;
  /** Of the size line being read: its digits, and all its bytes. */
  let sizeDigits = 0;
  let lineBytes = 0;
  let trailerBytes = 0;
  let problem: MalformedCode | undefined;

  function fail(code: MalformedCode): number {
    problem = code;
    return -1;
  }

  /** Each reader returns where the next one goes on, or -1 when the response is malformed. */
  function takeHead(bytes: Buffer, from: number): number {
    const fresh = from === 0 ? bytes : bytes.subarray(from);
    const known = headStart.length;
    const joined = known === 0 ? fresh : Buffer.concat([headStart, fresh]);
    if (!mayBeHttp(joined)) return fail("HPE_INVALID_CONSTANT");
    const end = findHeadEnd(joined, Math.max(0, known - 2));
    if ((end === -1 ? joined.length : end) > headBytesMax) return fail("HPE_HEADER_OVERFLOW");
    if (end === -1) {
      headStart = joined;
      return bytes.length;
    }
    headStart = noBytes;
    const head = readHead(joined.subarray(0, end));
    if (head.kind === "malformed") return fail(head.code);
    const next = from + end - known;
    if (head.status === 101) return fail("HPE_INVALID_STATUS");
    if (head.status < 200) return next;
    enterBody(head);
    parts.head(head);
    return next;
  }

  function enterBody({ framing }: ResponseHead): void {
    switch (framing.kind) {
      case "none":
        state = "complete";
        return;
      case "length":
        missing = framing.bytes;
        state = missing === 0 ? "complete" : "length";
        return;
      case "until-close":
        state = "until-close";
        return;
      case "chunked":
        state = "size";
    }
  }

  function readPiece(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + missing);
    missing -= end - from;
    if (missing === 0) state = state === "chunk" ? "chunk-return" : "complete";
    parts.body(bytes.subarray(from, end));
    return end;
  }

  function readSize(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      const digit = hexDigit(byte);
      if (digit === -1) {
        const endsSize = byte === carriageReturn || byte === semicolon || byte === space || byte === tab;
        if (sizeDigits === 0 || !endsSize) return fail("HPE_INVALID_CHUNK_SIZE");
        state = "size-end";
        lineBytes = 0;
        return at;
      }
      if (++sizeDigits > sizeDigitsMax) return fail("HPE_INVALID_CHUNK_SIZE");
      missing = missing * 16 + digit;
    }
    return bytes.length;
  }

  function readSizeEnd(bytes: Buffer, from: number): number {
    const isBare = bytes[from] === carriageReturn && bytes[from + 1] === lineFeed;
    const found = isBare ? from + 1 : bytes.indexOf(lineFeed, from);
    const end = found === -1 ? bytes.length : found + 1;
    lineBytes += end - from;
    if (lineBytes > sizeLineBytesMax) return fail("HPE_INVALID_CHUNK_SIZE");
    if (found === -1) return end;
    sizeDigits = 0;
    trailerBytes = 0;
    lineBytes = 0;
    state = missing === 0 ? "trailers" : "chunk";
    return end;
  }

  /** One of the two bytes that close a chunk. */
  function readCloser(found: number | undefined, from: number): number {
    const isFirst = state === "chunk-return";
    if (found !== (isFirst ? carriageReturn : lineFeed)) return fail("HPE_STRICT");
    state = isFirst ? "chunk-feed" : "size";
    return from + 1;
  }

  /** Trailers tell us nothing; only the blank line behind them counts. */
  function readTrailers(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      if (++trailerBytes > headBytesMax) return fail("HPE_HEADER_OVERFLOW");
      const byte = bytes[at];
      if (byte === lineFeed) {
        if (lineBytes === 0) {
          state = "complete";
          return at + 1;
        }
        lineBytes = 0;
      } else if (byte !== carriageReturn) lineBytes++;
    }
    return bytes.length;
  }

  function readNext(bytes: Buffer, from: number): number {
    switch (state) {
      case "head":
        return takeHead(bytes, from);
      case "length":
      case "chunk":
        return readPiece(bytes, from);
      case "until-close":
        parts.body(from === 0 ? bytes : bytes.subarray(from));
        return bytes.length;
      case "size":
        return readSize(bytes, from);
      case "size-end":
        return readSizeEnd(bytes, from);
      case "chunk-return":
      case "chunk-feed":
        return readCloser(bytes[from], from);
      case "trailers":
        return readTrailers(bytes, from);
      case "complete":
        return bytes.length;
    }
  }

  return {
    push(bytes) {
      let at = 0;
      while (at < bytes.length && state !== "complete") {
        at = readNext(bytes, at);
        if (problem !== undefined) return malformed(problem);
      }
      if (state !== "complete") return unfinished;
      return at < bytes.length ? completeWithSurplus : complete;
    },
    endsHere: () => state === "until-close",
  };
}

/** Looked at from the first byte on: a server that speaks something else may never send a blank line. */
function mayBeHttp(bytes: Buffer): boolean {
  for (let index = 0; index < httpName.length && index < bytes.length; index++) {
    if (bytes[index] !== httpName[index]) return false;
  }
  return true;
}

/** Behind the first blank line, or -1 when it has not arrived. Lines may end without a carriage return. */
function findHeadEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(lineFeed, from); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at + 1] === lineFeed) return at + 2;
    if (bytes[at + 1] === carriageReturn && bytes[at + 2] === lineFeed) return at + 3;
  }
  return -1;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
