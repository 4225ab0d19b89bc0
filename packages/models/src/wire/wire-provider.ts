/** A provider made of one wire: sends what the wire writes, hands the answer's bytes to it, and never throws for outside reasons. */
import type { Failure, JsonObject, ModelEvent, ModelRequest } from "@kedge/protocol";
import { createNormaliser, type Normalise } from "../conversation/normalise.ts";
import { hasHistory } from "../conversation/vendor-history.ts";
import type { WireConversationRules } from "../conversation/wire-conversation-rules.ts";
import { type CallContext, failureOfStatus, failureOfVendorError, malformedResponse } from "../failure/call-failure.ts";
import { failureOfStop } from "../failure/connection-failure.ts";
import { type Connections, createConnections } from "../http/connections.ts";
import type { ExchangeSilence } from "../http/exchange-limits.ts";
import {
  type Exchange,
  type ExchangeHead,
  type ExchangeStop,
  type ResponseHeaders,
  startExchange,
} from "../http/http-exchange.ts";
import { type ClientCertificate, type HttpProxy, parseHttpProxy } from "../http/network.ts";
import { readText } from "../http/read-text.ts";
import type { RetryableProvider } from "../retry/retryable-provider.ts";
import { withExtraBody } from "./extra-body.ts";
import { type BodyEncoding, createRequestBodies, type RequestBodies, type WireRequest } from "./request-body.ts";
import { createRequestHeaders, type HeaderFields, type Identity, type RequestHeaders } from "./request-headers.ts";
import type { WireAnswer } from "./wire-answer.ts";
import { createCompact, type WireCompaction } from "./wire-compaction.ts";

export type WireProviderOptions = {
  /** Up to and including the version, such as `https://host/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: HeaderFields;
  readonly identity?: Identity;
  /** Fields added to every request for an answer. */
  readonly body?: JsonObject;
  readonly overallTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** After so long without a byte `stalled` is reported; half of `idleTimeoutMs` unless given. */
  readonly idleWarningMs?: number;
  /** An http or https URL, with name and password where the proxy wants them. */
  readonly proxy?: string;
  /** Certificates, as PEM text, of authorities that are trusted besides those of the system. */
  readonly ca?: string;
  /** What is shown to a server that asks for a certificate. */
  readonly client?: ClientCertificate;
  /** Looks at the head of every answer; a sentence it returns is reported before the answer ends. */
  readonly watchLimits?: (headers: ResponseHeaders) => string | undefined;
  /** The environment variable that holds the key, for messages about it. */
  readonly keyName?: string;
  /** Milliseconds since the epoch, for limits that are lifted at a moment. */
  readonly now?: () => number;
  /** True when the vendor shortens conversations by itself, as far as its wire has words for that. */
  readonly compaction?: boolean;
};

/** What is different from one wire to the next. */
export type Wire = {
  /** What follows the base URL. */
  readonly path: (request: WireRequest) => string;
  /** Sent with or without a key; names in lower case. A function best returns the same object for the same headers. */
  readonly headers?: HeaderFields | ((request: WireRequest) => HeaderFields);
  readonly authentication: (apiKey: string) => HeaderFields;
  readonly encoding: BodyEncoding;
  readonly conversation: WireConversationRules;
  /** The conversation in the order and grouping that the vendor wants; append-only like the log it is given. */
  readonly arrange?: (messages: ModelRequest["messages"]) => ModelRequest["messages"];
  readonly createAnswer: (request: ModelRequest) => WireAnswer;
  /** How the vendor is asked to shorten a conversation, where the wire has words for it. */
  readonly compaction?: WireCompaction;
};

const overallTimeoutMsDefault = 10 * 60 * 1000;
const idleTimeoutMsDefault = 90 * 1000;

/** An answer in one piece is silent until it is complete, so this is all that watches over it. */
const wholeTimeoutMs = 5 * 60 * 1000;

const errorBodyBytesMax = 64 * 1024;
const wholeAnswerBytesMax = 16 * 1024 * 1024;

/** Shorter values are no secrets, and taking them out would garble every message. */
const secretCharactersMin = 8;

type Link = {
  readonly wire: Wire;
  readonly context: Omit<CallContext, "requestId">;
  readonly basePath: string;
  readonly headers: RequestHeaders;
  /** Another one from the moment on at which the vendor could not read a history of its own. */
  normalise: Normalise;
  carriesHistories: boolean;
  /** What had to be mended in the conversation of the request under way, told with its answer. */
  readonly repairs: string[];
  readonly bodies: RequestBodies;
  readonly connections: Connections;
  readonly watchLimits: (headers: ResponseHeaders) => string | undefined;
  readonly overallTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly idleWarningMs: number;
};

/** Connections are made on first use and kept for the next request. Throws when `baseUrl` or `proxy` is no URL. */
export function createWireProvider(wire: Wire, options: WireProviderOptions): RetryableProvider {
  const url = new URL(options.baseUrl);
  const proxy = options.proxy === undefined ? undefined : parseHttpProxy(options.proxy);
  const idleTimeoutMs = options.idleTimeoutMs ?? idleTimeoutMsDefault;
  const repairs: string[] = [];
  const link: Link = {
    wire,
    context: {
      host: url.host,
      redact: createRedaction(secretsOf(options, proxy)),
      ...(options.keyName === undefined ? {} : { keyName: options.keyName }),
      ...(options.now === undefined ? {} : { now: options.now }),
    },
    basePath: url.pathname.replace(/\/+$/, ""),
    headers: createRequestHeaders({
      host: url.host,
      wire: wire.headers ?? {},
      user: {
        ...(options.apiKey === undefined ? {} : wire.authentication(options.apiKey)),
        ...lowerCaseNames(options.headers ?? {}),
      },
      ...(options.identity === undefined ? {} : { identity: options.identity }),
    }),
    normalise: createNormaliser(wire.conversation, { onRepair: (sentence) => repairs.push(sentence) }),
    carriesHistories: wire.conversation.carriesHistories ?? false,
    repairs,
    bodies: createRequestBodies(
      options.body === undefined ? wire.encoding : withExtraBody(wire.encoding, options.body),
    ),
    connections: createConnections(url, {
      ...(proxy === undefined ? {} : { proxy }),
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      ...(options.client === undefined ? {} : { client: options.client }),
    }),
    watchLimits: options.watchLimits ?? (() => undefined),
    overallTimeoutMs: options.overallTimeoutMs ?? overallTimeoutMsDefault,
    idleTimeoutMs,
    idleWarningMs: options.idleWarningMs ?? idleTimeoutMs / 2,
  };
  return {
    stream: (request, signal) => streamAnswer(link, request, signal),
    ...(options.compaction === true &&
      wire.compaction !== undefined && { compact: compactOver(link, wire.compaction) }),
    useFreshConnections: link.connections.stopKeeping,
  };
}

function compactOver(link: Link, wire: WireCompaction): ReturnType<typeof createCompact> {
  const { context, basePath, headers, connections, overallTimeoutMs } = link;
  const conversation = (request: WireRequest) => arranged(link, request).messages;
  const timeoutMs = Math.min(overallTimeoutMs, wholeTimeoutMs);
  return createCompact(wire, { context, basePath, headers, connections, conversation, timeoutMs });
}

/** So that a header of the user takes the place of ours instead of standing beside it. */
function lowerCaseNames(headers: HeaderFields): HeaderFields {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function secretsOf(options: WireProviderOptions, proxy: HttpProxy | undefined): readonly string[] {
  return [
    options.apiKey ?? "",
    ...Object.values(options.headers ?? {}),
    proxy?.authorization ?? "",
    proxy?.url.password ?? "",
  ];
}

function createRedaction(values: readonly string[]): (text: string) => string {
  const secrets = values.filter((secret) => secret.length >= secretCharactersMin);
  return (text) => secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, "[secret]"), text);
}

async function* streamAnswer(link: Link, request: WireRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const conversation = arranged(link, request);
  const body = link.bodies.lend(conversation);
  const exchange = startExchange(
    link.connections,
    {
      path: link.basePath + link.wire.path(request),
      headers: link.headers(request),
      body: body.bytes,
      ...timeoutsOf(link, request),
    },
    signal,
  );
  let answer: WireAnswer | undefined;
  try {
    for (const text of link.repairs.splice(0)) yield { type: "notice", text };
    let head = await exchange.head();
    for (; head.kind === "silent"; head = await exchange.head()) yield stalled(head);
    // Not before: whatever is done until here delays the request.
    const context: CallContext = { ...link.context, requestId: request.requestId };
    answer = link.wire.createAnswer(request);
    if (head.kind !== "answered") return yield failed(failureOfStop(head, context));
    const notice = link.watchLimits(head.headers);
    const opening = await open(exchange, head, answer, context);
    if (opening !== undefined) {
      if (notice !== undefined) yield { type: "notice", text: notice };
      const mayBeUnread = opening.code === "bad_request" && link.carriesHistories;
      if (!mayBeUnread || !hasHistory(conversation.messages)) return yield failed(opening);
      leaveHistories(link);
      yield { type: "notice", text: unreadHistory };
      return yield* streamAnswer(link, request, signal);
    }
    for (let stop: ExchangeStop | undefined; ; ) {
      const finished = stop !== undefined || answer.isDone() || answer.problem() !== undefined;
      if (stop?.kind === "ended") answer.pushEnd();
      for (const event of answer.take()) {
        if (signal.aborted) break;
        yield event;
      }
      if (signal.aborted) return yield failed(failureOfStop({ kind: "aborted" }, context));
      if (finished) {
        if (notice !== undefined) yield { type: "notice", text: notice };
        return yield conclude(answer, stop ?? { kind: "ended" }, { head, context });
      }
      const step = await exchange.progress();
      if (step?.kind === "silent") yield stalled(step);
      else stop = step;
    }
  } finally {
    exchange.release({ answerComplete: answer?.isDone() === true });
    body.release();
  }
}

/** A key of another account, or a model that was replaced: a conversation must not end because of it. */
const unreadHistory = "The provider rejected its own compacted history. Using the summary instead.";

function leaveHistories(link: Link): void {
  const rules = { ...link.wire.conversation, carriesHistories: false };
  link.carriesHistories = false;
  link.normalise = createNormaliser(rules, { onRepair: (sentence) => link.repairs.push(sentence) });
}

function arranged({ wire, normalise }: Link, request: WireRequest): WireRequest {
  const messages = normalise(request);
  return { ...request, messages: wire.arrange === undefined ? messages : wire.arrange(messages) };
}

function timeoutsOf({ overallTimeoutMs, idleTimeoutMs, idleWarningMs }: Link, { whole }: WireRequest) {
  if (whole !== true) return { overallTimeoutMs, idleTimeoutMs, idleWarningMs };
  const limitMs = Math.min(overallTimeoutMs, wholeTimeoutMs);
  return { overallTimeoutMs: limitMs, idleTimeoutMs: limitMs };
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
      if (stop === undefined) return malformedResponse("a response that is too large", context);
      if (stop.kind !== "ended") return failureOfStop(stop, context);
      answer.pushWhole(text);
      return undefined;
    }
    default:
      return malformedResponse(`a response of type ${contentType} instead of an event stream`, context);
  }
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

function stalled({ idleMs }: ExchangeSilence): ModelEvent {
  return { type: "stalled", idleMs };
}

function failed(failure: Failure): ModelEvent {
  return { type: "failed", failure };
}
