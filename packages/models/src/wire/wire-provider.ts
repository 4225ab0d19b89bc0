/** A provider made of one wire: sends what the wire writes, hands the answer's bytes to it, and never throws for outside reasons. */
import { Buffer } from "node:buffer";
import type { Failure, ModelEvent, ModelRequest, Provider } from "@kedge/protocol";
import { type ConnectionPool, createConnectionPool } from "../http/connection-pool.ts";
import { type Exchange, type ExchangeHead, type ExchangeStop, startExchange } from "../http/http-exchange.ts";
import { createSocketOpener } from "../http/open-socket.ts";
import { type CallContext, failureOfStatus, failureOfVendorError, malformedResponse } from "./call-failure.ts";
import { failureOfStop } from "./connection-failure.ts";
import { type BodyEncoding, createRequestBodies, type RequestBodies, type WireRequest } from "./request-body.ts";
import type { WireAnswer } from "./wire-answer.ts";

export type WireProviderOptions = {
  /** Up to and including the version, such as `https://host/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly overallTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
};

/** What is different from one wire to the next. */
export type Wire = {
  /** What follows the base URL. */
  readonly path: (request: WireRequest) => string;
  /** Sent with or without a key; names in lower case. */
  readonly headers?: { readonly [name: string]: string };
  readonly authentication: (apiKey: string) => { readonly [name: string]: string };
  readonly encoding: BodyEncoding;
  /** The conversation in the order and grouping that the vendor wants; append-only like the log it is given. */
  readonly arrange?: (messages: ModelRequest["messages"]) => ModelRequest["messages"];
  readonly createAnswer: (request: ModelRequest) => WireAnswer;
};

const overallTimeoutMsDefault = 10 * 60 * 1000;
const idleTimeoutMsDefault = 90 * 1000;
const errorBodyBytesMax = 64 * 1024;
const wholeAnswerBytesMax = 16 * 1024 * 1024;

/** Shorter values are no secrets, and taking them out would garble every message. */
const secretCharactersMin = 8;

type Link = {
  readonly wire: Wire;
  readonly host: string;
  readonly basePath: string;
  readonly headers: readonly string[];
  readonly bodies: RequestBodies;
  readonly connections: ConnectionPool;
  readonly redact: (text: string) => string;
  readonly overallTimeoutMs: number;
  readonly idleTimeoutMs: number;
};

/** Connections are made on first use and kept for the next request. Throws when `baseUrl` is no URL. */
export function createWireProvider(wire: Wire, options: WireProviderOptions): Provider {
  const url = new URL(options.baseUrl);
  const secrets = [options.apiKey ?? "", ...Object.values(options.headers ?? {})].filter(
    (secret) => secret.length >= secretCharactersMin,
  );
  const link: Link = {
    wire,
    host: url.host,
    basePath: url.pathname.replace(/\/+$/, ""),
    headers: Object.entries({
      host: url.host,
      "content-type": "application/json",
      accept: "text/event-stream",
      ...wire.headers,
      ...(options.apiKey === undefined ? {} : wire.authentication(options.apiKey)),
      ...lowerCaseNames(options.headers ?? {}),
    }).flat(),
    bodies: createRequestBodies(wire.encoding),
    connections: createConnectionPool(createSocketOpener(url)),
    redact: (text) => secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, "[secret]"), text),
    overallTimeoutMs: options.overallTimeoutMs ?? overallTimeoutMsDefault,
    idleTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMsDefault,
  };
  return { stream: (request, signal) => streamAnswer(link, request, signal) };
}

/** So that a header of the user takes the place of ours instead of standing beside it. */
function lowerCaseNames(headers: { readonly [name: string]: string }): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

async function* streamAnswer(link: Link, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const context: CallContext = { host: link.host, requestId: request.requestId, redact: link.redact };
  const answer = link.wire.createAnswer(request);
  const { arrange } = link.wire;
  const body = link.bodies.lend(arrange === undefined ? request : { ...request, messages: arrange(request.messages) });
  const exchange = startExchange(
    { path: link.basePath + link.wire.path(request), connections: link.connections },
    {
      headers: [...link.headers, "x-client-request-id", request.requestId],
      body: body.bytes,
      overallTimeoutMs: link.overallTimeoutMs,
      idleTimeoutMs: link.idleTimeoutMs,
    },
    signal,
  );
  try {
    const head = await exchange.head();
    if (head.kind !== "answered") return yield failed(failureOfStop(head, context));
    const opening = await open(exchange, head, answer, context);
    if (opening !== undefined) return yield failed(opening);
    for (let stop: ExchangeStop | undefined; ; ) {
      const finished = stop !== undefined || answer.isDone() || answer.problem() !== undefined;
      if (stop?.kind === "ended") answer.pushEnd();
      for (const event of answer.take()) {
        if (signal.aborted) break;
        yield event;
      }
      if (signal.aborted) return yield failed(failureOfStop({ kind: "aborted" }, context));
      if (finished) return yield conclude(answer, stop ?? { kind: "ended" }, { head, context });
      stop = await exchange.progress();
    }
  } finally {
    exchange.release({ answerComplete: answer.isDone() });
    body.release();
  }
}

/** Decides by status and content type how the answer is read; a failure when it is none. */
async function open(
  exchange: Exchange,
  head: ExchangeHead,
  answer: WireAnswer,
  context: CallContext,
): Promise<Failure | undefined> {
  if (head.status < 200 || head.status > 299) {
    const { text, stop } = await readText(exchange, errorBodyBytesMax);
    if (stop?.kind === "aborted") return failureOfStop(stop, context);
    return failureOfStatus({ status: head.status, headers: head.headers, body: text }, context);
  }
  const contentType = (head.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  switch (contentType) {
    case "":
    case "text/event-stream":
      exchange.read(answer.push);
      return undefined;
    case "application/json": {
      const { text, stop } = await readText(exchange, wholeAnswerBytesMax);
      if (stop === undefined) return malformedResponse("an answer that is too large", context);
      if (stop.kind !== "ended") return failureOfStop(stop, context);
      answer.pushWhole(text);
      return undefined;
    }
    default:
      return malformedResponse(`an answer of type ${contentType} instead of an event stream`, context);
  }
}

/** `stop` is undefined when the text was cut at `bytesMax`. */
async function readText(
  exchange: Exchange,
  bytesMax: number,
): Promise<{ readonly text: string; readonly stop: ExchangeStop | undefined }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  exchange.read((chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
  });
  let stop: ExchangeStop | undefined;
  while (stop === undefined && bytes <= bytesMax) stop = await exchange.progress();
  const text = Buffer.concat(chunks).toString("utf8", 0, Math.min(bytes, bytesMax));
  return { text, stop: bytes > bytesMax ? undefined : stop };
}

/** Once the vendor said why it stopped, it does not matter how the connection ended. */
function conclude(
  answer: WireAnswer,
  stop: ExchangeStop,
  { head, context }: { readonly head: ExchangeHead; readonly context: CallContext },
): ModelEvent {
  const problem = answer.problem();
  if (problem?.kind === "malformed") return failed(malformedResponse(problem.what, context));
  if (problem?.kind === "vendor-error") return failed(failureOfVendorError(problem.error, context));
  const conclusion = answer.conclusion();
  if (conclusion === undefined) return failed(failureOfStop(stop, context));
  const providerRequestId = head.headers["x-request-id"] ?? head.headers["request-id"];
  return { type: "end", ...conclusion, ...(typeof providerRequestId === "string" ? { providerRequestId } : {}) };
}

function failed(failure: Failure): ModelEvent {
  return { type: "failed", failure };
}
