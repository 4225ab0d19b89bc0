/** The `fetch` that provider packages get: kedge's own connections, so that they time out, break and end like any wire's. */
import { Buffer } from "node:buffer";
import type { JsonObject } from "@kedge/protocol";
import { type Connections, createConnections } from "../http/connections.ts";
import {
  type Exchange,
  type ExchangeHead,
  type ExchangeStop,
  type ResponseHeaders,
  startExchange,
} from "../http/http-exchange.ts";
import { type Network, routeTo } from "../http/network.ts";
import { readText } from "../http/read-text.ts";
import { addExtraBody } from "../wire/extra-body.ts";

/** What a call of a model learns from the requests its package makes. Requests are told apart by their signal. */
export type SdkCall = {
  readonly signal: AbortSignal;
  /** Asked for in one piece. */
  readonly wantsWhole: boolean;
  readonly overallTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly idleWarningMs: number;
  /** Nothing has come for so long; the request goes on. */
  readonly onSilence: (idleMs: number) => void;
  host?: string;
  /** Why an answer did not come to its end. */
  stop?: ExchangeStop;
  /** The type of an answer that is none. */
  wrongContentType?: string;
  /** An answer that came whole instead of as a stream; the next request of the call is answered with it. */
  whole?: { readonly text: string; readonly headers: Headers };
  providerRequestId?: string;
  /** What the head of the answer says about limits that come near. */
  notice?: string;
};

export type SdkFetch = {
  readonly fetch: typeof globalThis.fetch;
  readonly begin: (call: SdkCall) => void;
  /** From now on no connection carries more than one request. */
  readonly useFreshConnections: () => void;
};

export type SdkFetchOptions = {
  readonly network?: Network;
  /** Fields added to every request. */
  readonly body?: JsonObject;
  readonly watchLimits?: (headers: ResponseHeaders) => string | undefined;
};

const errorBodyBytesMax = 64 * 1024;
const wholeAnswerBytesMax = 16 * 1024 * 1024;

export function createSdkFetch({
  network = {},
  body: extra,
  watchLimits = () => undefined,
}: SdkFetchOptions): SdkFetch {
  const calls = new WeakMap<AbortSignal, SdkCall>();
  const hosts = new Map<string, Connections>();
  let keepsConnections = true;

  function connectionsTo(url: URL): Connections {
    const known = hosts.get(url.origin);
    if (known !== undefined) return known;
    const connections = createConnections(url, routeTo(url, network));
    if (!keepsConnections) connections.stopKeeping();
    hosts.set(url.origin, connections);
    return connections;
  }

  function start(url: URL, init: RequestInit & { readonly body: string | Uint8Array }, call: SdkCall): Exchange {
    const { body } = init;
    const headers = { host: url.host, ...Object.fromEntries(new Headers(init.headers)) };
    return startExchange(
      connectionsTo(url),
      {
        path: url.pathname + url.search,
        headers: Object.entries(headers).flat(),
        body: typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length),
        overallTimeoutMs: call.overallTimeoutMs,
        idleTimeoutMs: call.idleTimeoutMs,
        idleWarningMs: call.idleWarningMs,
      },
      call.signal,
    );
  }

  return {
    begin: (call) => {
      calls.set(call.signal, call);
    },
    useFreshConnections() {
      keepsConnections = false;
      for (const connections of hosts.values()) connections.stopKeeping();
    },
    async fetch(input, init) {
      const call = init?.signal == null ? undefined : calls.get(init.signal);
      const body = typeof init?.body === "string" || init?.body instanceof Uint8Array ? init.body : undefined;
      // What is no request to a model, such as one for a token, goes the usual way.
      if (call === undefined || init?.method !== "POST" || body === undefined) return globalThis.fetch(input, init);
      const url = new URL(input instanceof Request ? input.url : input);
      call.host = url.host;
      if (call.whole !== undefined) return new Response(call.whole.text, { headers: call.whole.headers });
      const sent = extra === undefined || typeof body !== "string" ? body : addExtraBody(body, extra);
      const exchange = start(url, { ...init, body: sent }, call);
      const head = await headOf(exchange, call);
      const notice = watchLimits(head.headers);
      if (notice !== undefined) call.notice = notice;
      return answerOf(exchange, head, call);
    },
  };
}

async function headOf(exchange: Exchange, call: SdkCall): Promise<ExchangeHead> {
  let head = await exchange.head();
  for (; head.kind === "silent"; head = await exchange.head()) call.onSilence(head.idleMs);
  if (head.kind === "answered") return head;
  exchange.release({ answerComplete: false });
  throw stopped(call, head);
}

async function answerOf(exchange: Exchange, head: ExchangeHead, call: SdkCall): Promise<Response> {
  const fields = Object.entries(head.headers).map(([name, value]): [string, string] => [name, value ?? ""]);
  const headers = new Headers(fields);
  const requestId = head.headers["x-request-id"] ?? head.headers["request-id"];
  if (requestId !== undefined) call.providerRequestId = requestId;
  if (head.status < 200 || head.status > 299) {
    const { text, stop } = await readText(exchange, errorBodyBytesMax);
    exchange.release({ answerComplete: false });
    if (stop?.kind === "aborted") throw stopped(call, stop);
    return new Response(text, { status: statusOf(head), headers });
  }
  const contentType = (head.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (contentType === "application/json") {
    const { text, stop } = await readText(exchange, wholeAnswerBytesMax);
    exchange.release({ answerComplete: false });
    if (stop?.kind !== "ended") throw stopped(call, stop ?? { kind: "ended" });
    if (call.wantsWhole) return new Response(text, { headers });
    call.whole = { text, headers };
    throw new TypeError("The answer came whole.");
  }
  if (contentType.startsWith("text/") && contentType !== "text/event-stream") {
    exchange.release({ answerComplete: false });
    call.wrongContentType = contentType;
    throw new TypeError(`The response has type ${contentType}.`);
  }
  return new Response(bodyOf(exchange, call), { headers });
}

/** A `Response` cannot have a status below 200, and none that forbids a body. */
function statusOf({ status }: ExchangeHead): number {
  return status < 200 || status === 304 ? 502 : status;
}

function stopped(call: SdkCall, stop: ExchangeStop): Error {
  call.stop = stop;
  return new TypeError("No response was received.", stop.kind === "broken" ? { cause: stop.error } : {});
}

function bodyOf(exchange: Exchange, call: SdkCall): ReadableStream<Uint8Array> {
  let chunks: Buffer[] = [];
  const mark = createDoneMark();
  let isDone = false;
  exchange.read((chunk) => {
    if (isDone) return;
    isDone = mark.isIn(chunk);
    chunks.push(chunk);
  });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let stop: ExchangeStop | undefined;
        while (!isDone && stop === undefined && chunks.length === 0) stop = await progressOf(exchange, call);
        for (const chunk of chunks) controller.enqueue(chunk);
        chunks = [];
        if (!isDone && stop === undefined) return;
        exchange.release({ answerComplete: isDone });
        if (isDone || stop?.kind === "ended") controller.close();
        else if (stop !== undefined) controller.error(stopped(call, stop));
      },
      cancel() {
        exchange.release({ answerComplete: isDone });
      },
    },
    { highWaterMark: 0 },
  );
}

async function progressOf(exchange: Exchange, call: SdkCall): Promise<ExchangeStop | undefined> {
  const step = await exchange.progress();
  if (step?.kind !== "silent") return step;
  call.onSilence(step.idleMs);
  return undefined;
}

/** The mark stands at the end of what was sent, or nearly so. */
const markBytesMax = 64;
const doneMark = /[\r\n]data: ?\[DONE\][\r\n]/;

/** Finds the line by which some vendors end a stream, wherever the network cut it. Packages wait for the last byte instead. */
function createDoneMark(): { readonly isIn: (chunk: Buffer) => boolean } {
  // A line break, because the first line of an answer follows none.
  let tail = "\n";
  return {
    isIn(chunk) {
      const end = chunk.toString("latin1", Math.max(0, chunk.length - markBytesMax));
      const text = chunk.length < markBytesMax ? tail + end : end;
      tail = text.slice(-markBytesMax);
      return doneMark.test(text);
    },
  };
}
