/** The provider for every vendor that speaks OpenAI's Chat Completions wire. */
import { Buffer } from "node:buffer";
import type { Failure, ModelEvent, ModelRequest, Provider } from "@kedge/protocol";
import { type CallContext, failureOfStatus, failureOfVendorError, malformedResponse } from "./wire/call-failure.ts";
import { type ChatAnswer, createChatAnswer } from "./wire/chat-answer.ts";
import { chatEncoding } from "./wire/chat-request.ts";
import { failureOfStop } from "./wire/connection-failure.ts";
import { createConnectionPool } from "./wire/connection-pool.ts";
import {
  type Exchange,
  type ExchangeHead,
  type ExchangeStop,
  startExchange,
  type Transport,
} from "./wire/http-exchange.ts";
import { createSocketOpener } from "./wire/open-socket.ts";
import { createRequestBodies, type RequestBodies } from "./wire/request-body.ts";

export type OpenAiChatOptions = {
  /** Up to and including the version, such as `https://host/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly overallTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
};

const overallTimeoutMsDefault = 10 * 60 * 1000;
const idleTimeoutMsDefault = 90 * 1000;
const errorBodyBytesMax = 64 * 1024;
const wholeAnswerBytesMax = 16 * 1024 * 1024;

/** Shorter values are no secrets, and taking them out would garble every message. */
const secretCharactersMin = 8;

type Wire = {
  readonly url: URL;
  readonly headers: readonly string[];
  readonly bodies: RequestBodies;
  readonly transport: Transport;
  readonly redact: (text: string) => string;
  readonly overallTimeoutMs: number;
  readonly idleTimeoutMs: number;
};

/** Connections are made on first use and kept for the next request. Throws when `baseUrl` is no URL. */
export function createOpenAiChatProvider(options: OpenAiChatOptions): Provider {
  const url = new URL(options.baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  const secrets = [options.apiKey ?? "", ...Object.values(options.headers ?? {})].filter(
    (secret) => secret.length >= secretCharactersMin,
  );
  const wire: Wire = {
    url,
    headers: Object.entries({
      host: url.host,
      "content-type": "application/json",
      accept: "text/event-stream",
      ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
      ...lowerCaseNames(options.headers ?? {}),
    }).flat(),
    bodies: createRequestBodies(chatEncoding),
    transport: {
      path: `${url.pathname}${url.search}`,
      connections: createConnectionPool(createSocketOpener(url)),
    },
    redact: (text) => secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, "[secret]"), text),
    overallTimeoutMs: options.overallTimeoutMs ?? overallTimeoutMsDefault,
    idleTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMsDefault,
  };
  return { stream: (request, signal) => streamAnswer(wire, request, signal) };
}

/** So that a header of the user takes the place of ours instead of standing beside it. */
function lowerCaseNames(headers: { readonly [name: string]: string }): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

async function* streamAnswer(wire: Wire, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const context: CallContext = { host: wire.url.host, requestId: request.requestId, redact: wire.redact };
  const answer = createChatAnswer(request.requestId);
  const body = wire.bodies.lend(request);
  const exchange = startExchange(
    wire.transport,
    {
      headers: [...wire.headers, "x-client-request-id", request.requestId],
      body: body.bytes,
      overallTimeoutMs: wire.overallTimeoutMs,
      idleTimeoutMs: wire.idleTimeoutMs,
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
  answer: ChatAnswer,
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
  answer: ChatAnswer,
  stop: ExchangeStop,
  { head, context }: { readonly head: ExchangeHead; readonly context: CallContext },
): ModelEvent {
  const problem = answer.problem();
  if (problem?.kind === "malformed") return failed(malformedResponse(problem.what, context));
  if (problem?.kind === "vendor-error") return failed(failureOfVendorError(problem.error, context));
  const conclusion = answer.conclusion();
  if (conclusion === undefined) return failed(failureOfStop(stop, context));
  const providerRequestId = head.headers["x-request-id"];
  return { type: "end", ...conclusion, ...(typeof providerRequestId === "string" ? { providerRequestId } : {}) };
}

function failed(failure: Failure): ModelEvent {
  return { type: "failed", failure };
}
