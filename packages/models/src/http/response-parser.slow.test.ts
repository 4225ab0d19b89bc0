import { Buffer } from "node:buffer";
import { createSeededRandom } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import type { ResponseHead } from "./response-head.ts";
import { createResponseParser, type ParseResult } from "./response-parser.ts";

type Parsed = {
  readonly head: Omit<ResponseHead, "kind"> | undefined;
  readonly body: string;
  readonly result: ParseResult;
  readonly endsHere: boolean;
};

function parse(pieces: readonly Buffer[]): Parsed {
  let head: Parsed["head"];
  let body = "";
  let result: ParseResult = { kind: "unfinished" };
  const parser = createResponseParser({
    head: ({ kind: _, headers, ...rest }) => {
      head = { ...rest, headers: { ...headers } };
    },
    body: (piece) => {
      expect(piece.length).toBeGreaterThan(0);
      body += piece.toString("latin1");
    },
  });
  for (const piece of pieces) {
    if (result.kind !== "unfinished") break;
    result = parser.push(piece);
  }
  return { head, body, result, endsHere: parser.endsHere() };
}

const parseText = (text: string) => parse([Buffer.from(text, "latin1")]);

const random = createSeededRandom();
console.log(`response parser seed: ${random.seed}`);

function cutAtRandom(bytes: Buffer): readonly Buffer[] {
  const pieces: Buffer[] = [];
  const longest = 1 + random.below(40);
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random.below(longest);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}

const keptForever = Number.POSITIVE_INFINITY;
const chunkedHead = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
const complete: ParseResult = { kind: "complete", surplus: false };

const whole: readonly (Parsed & { readonly name: string; readonly text: string })[] = [
  {
    name: "chunks with extensions, both cases of digits, leading zeros and trailers",
    text: `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n00a;name="v;x"\r\n\n123\r\n789\n\r\n1A \r\n${"z".repeat(26)}\r\n0;last\r\nx-sum: 1\r\nx-more: 2\r\n\r\n`,
    head: {
      status: 200,
      headers: { "content-type": "text/event-stream", "transfer-encoding": "Chunked" },
      framing: { kind: "chunked" },
      keepAliveMs: keptForever,
    },
    body: `hello\n123\r\n789\n${"z".repeat(26)}`,
    result: complete,
    endsHere: false,
  },
  {
    name: "a body of known length",
    text: "HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\nconnection: close\r\n\r\nsorry",
    head: {
      status: 404,
      headers: { "content-length": "5", connection: "close" },
      framing: { kind: "length", bytes: 5 },
      keepAliveMs: 0,
    },
    body: "sorry",
    result: complete,
    endsHere: false,
  },
  {
    name: "a body up to the end of the connection",
    text: "HTTP/1.1 200 OK\r\n\r\nuntil\r\n\r\nthe end",
    head: { status: 200, headers: {}, framing: { kind: "until-close" }, keepAliveMs: 0 },
    body: "until\r\n\r\nthe end",
    result: { kind: "unfinished" },
    endsHere: true,
  },
  {
    name: "informational responses before the final one",
    text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
    head: {
      status: 200,
      headers: { "content-length": "2" },
      framing: { kind: "length", bytes: 2 },
      keepAliveMs: keptForever,
    },
    body: "ok",
    result: complete,
    endsHere: false,
  },
  {
    name: "no body",
    text: "HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\nkeep-alive: timeout=5, max=9\r\n\r\n",
    head: {
      status: 204,
      headers: { "transfer-encoding": "chunked", "keep-alive": "timeout=5, max=9" },
      framing: { kind: "none" },
      keepAliveMs: 5000,
    },
    body: "",
    result: complete,
    endsHere: false,
  },
  {
    name: "old versions, folded and repeated headers, lines without carriage returns",
    text: "HTTP/1.0 200\nContent-Type: a/b\nContent-Type: c/d\nX-A:  1 \nx-a: 2\nx-long: one\n\t two\n__proto__: p\nConnection: Keep-Alive\ncontent-length: 0\ncontent-length: 0\n\n",
    head: {
      status: 200,
      headers: {
        "content-type": "a/b",
        "x-a": "1, 2",
        "x-long": "one two",
        ["__proto__"]: "p",
        connection: "Keep-Alive",
        "content-length": "0",
      },
      framing: { kind: "length", bytes: 0 },
      keepAliveMs: keptForever,
    },
    body: "",
    result: complete,
    endsHere: false,
  },
];

describe("a response is read the same way", () => {
  for (const { name, text, ...expected } of whole) {
    const bytes = Buffer.from(text, "latin1");
    test(`whole: ${name}`, () => expect(parse([bytes])).toEqual(expected));
    test(`byte by byte: ${name}`, () => {
      expect(parse(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(expected);
    });
    test(`cut at random: ${name}`, () => {
      for (let round = 0; round < 300; round++) expect(parse(cutAtRandom(bytes))).toEqual(expected);
    });
  }
});

test("random chunks, cut at random, come out as they went in", () => {
  for (let round = 0; round < 200; round++) {
    let body = "";
    let wire = chunkedHead;
    for (let chunk = random.below(20); chunk > 0; chunk--) {
      const content = Buffer.from(Array.from({ length: 1 + random.below(60) }, () => random.below(256)));
      const size = content.length.toString(16);
      body += content.toString("latin1");
      wire += `${random.below(2) === 0 ? size : size.toUpperCase()}\r\n${content.toString("latin1")}\r\n`;
    }
    const { body: found, result } = parse(cutAtRandom(Buffer.from(`${wire}0\r\n\r\n`, "latin1")));
    expect({ found, result }).toEqual({ found: body, result: complete });
  }
});

test.each([
  ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n", "HPE_INVALID_CONSTANT"],
  ["another version", "HTTP/2 200\r\n\r\n", "HPE_INVALID_STATUS"],
  ["no status", "HTTP/1.1 OK\r\n\r\n", "HPE_INVALID_STATUS"],
  ["a change of protocol", "HTTP/1.1 101 Switching\r\n\r\n", "HPE_INVALID_STATUS"],
  ["a header without a name", "HTTP/1.1 200 OK\r\n: x\r\n\r\n", "HPE_INVALID_HEADER_TOKEN"],
  ["a header without a colon", "HTTP/1.1 200 OK\r\nx\r\n\r\n", "HPE_INVALID_HEADER_TOKEN"],
  ["a space before the colon", "HTTP/1.1 200 OK\r\nx : y\r\n\r\n", "HPE_INVALID_HEADER_TOKEN"],
  ["a folded line that continues nothing", "HTTP/1.1 200 OK\r\n x\r\n\r\n", "HPE_INVALID_HEADER_TOKEN"],
  ["a zero byte in a value", "HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n", "HPE_INVALID_HEADER_TOKEN"],
  ["too large a head", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}`, "HPE_HEADER_OVERFLOW"],
  ["too many headers", `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(201)}\r\n`, "HPE_HEADER_OVERFLOW"],
  ["a length that is no number", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n", "HPE_INVALID_CONTENT_LENGTH"],
  ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", "HPE_UNEXPECTED_CONTENT_LENGTH"],
  [
    "an encoding nobody asked for",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n",
    "HPE_INVALID_TRANSFER_ENCODING",
  ],
  ["a size that is no number", `${chunkedHead}xyz\r\n`, "HPE_INVALID_CHUNK_SIZE"],
  ["an empty size", `${chunkedHead}\r\n`, "HPE_INVALID_CHUNK_SIZE"],
  ["too large a size", `${chunkedHead}${"f".repeat(12)}\r\n`, "HPE_INVALID_CHUNK_SIZE"],
  ["too long a size line", `${chunkedHead}1;${"x".repeat(5000)}`, "HPE_INVALID_CHUNK_SIZE"],
  ["a chunk longer than its size", `${chunkedHead}2\r\nabc\r\n`, "HPE_STRICT"],
  ["endless trailers", `${chunkedHead}0\r\n${"x: y\r\n".repeat(20_000)}`, "HPE_HEADER_OVERFLOW"],
])("%s is malformed, however it is cut", (_name, text, code) => {
  const bytes = Buffer.from(text, "latin1");
  expect(parse([bytes]).result).toEqual({ kind: "malformed", code });
  for (let round = 0; round < 5; round++) expect(parse(cutAtRandom(bytes)).result).toEqual({ kind: "malformed", code });
});

test("what follows a response is noticed", () => {
  expect(parseText(`${chunkedHead}0\r\n\r\nHTTP/1.1 200 OK\r\n`).result).toEqual({ kind: "complete", surplus: true });
});

test("as many headers as allowed are read", () => {
  const { head } = parseText(
    `HTTP/1.1 200 OK\r\n${Array.from({ length: 200 }, (_, n) => `x${n}: y\r\n`).join("")}\r\n`,
  );
  expect(Object.keys(head?.headers ?? {})).toHaveLength(200);
});

test("a body with two lengths is read by its chunks, and the connection is not used again", () => {
  const { body, head } = parseText(
    "HTTP/1.1 200 OK\r\ncontent-length: 9\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
  );
  expect({ body, keepAliveMs: head?.keepAliveMs }).toEqual({ body: "a", keepAliveMs: 0 });
});

test("an old server keeps the connection only when it says so", () => {
  expect(parseText("HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n").head?.keepAliveMs).toBe(0);
});
