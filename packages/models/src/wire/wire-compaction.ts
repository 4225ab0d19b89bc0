/** Has a vendor shorten a conversation: one request, one answer in one piece, and no second one after a plain no. */
import type { Failure, Message, Model, Provider, Usage, VendorCompaction } from "@kedge/protocol";
import { familyOf } from "../conversation/vendor-history.ts";
import { type CallContext, failureOfStatus, malformedResponse } from "../failure/call-failure.ts";
import { failureOfStop } from "../failure/connection-failure.ts";
import type { Connections } from "../http/connections.ts";
import { startExchange } from "../http/http-exchange.ts";
import { readText } from "../http/read-text.ts";
import { type BodyEncoding, createRequestBodies, type WireRequest } from "./request-body.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** What of an answer goes back with later requests, and its size. */
export type CompactedItems = { readonly json: string; readonly tokens: number; readonly usage: Usage };

/** How one wire asks for it. */
export type WireCompaction = {
  /** What follows the base URL. */
  readonly path: string;
  readonly encoding: BodyEncoding;
  /** Undefined when the text is no such answer. */
  readonly read: (text: string) => CompactedItems | undefined;
};

export type CompactionLink = {
  readonly context: Omit<CallContext, "requestId">;
  readonly basePath: string;
  readonly headers: RequestHeaders;
  readonly connections: Connections;
  /** The conversation in the form that the vendor takes. */
  readonly conversation: (request: WireRequest) => readonly Message[];
  readonly timeoutMs: number;
};

const answerBytesMax = 16 * 1024 * 1024;

/** Whoever answers so has no such place, or wants something of it that kedge does not know. */
const refusals: ReadonlySet<number> = new Set([400, 404, 405, 501]);

export function createCompact(wire: WireCompaction, link: CompactionLink): NonNullable<Provider["compact"]> {
  let isRefused = false;
  return async (request, signal) => {
    if (isRefused) return undefined;
    const answer = await askOnce(wire, link, { ...request, whole: true }, signal);
    if (!answer.ok) isRefused = isRefusal(answer.failure);
    return answer;
  };
}

/** That this conversation is too long says nothing about the next one. */
function isRefusal({ status, code }: Failure): boolean {
  return status !== undefined && refusals.has(status) && code !== "prompt_too_long";
}

async function askOnce(
  { path, encoding, read }: WireCompaction,
  link: CompactionLink,
  request: WireRequest,
  signal: AbortSignal,
): Promise<VendorCompaction> {
  const context: CallContext = { ...link.context, requestId: request.requestId };
  const body = createRequestBodies(encoding).lend({ ...request, messages: link.conversation(request) });
  const limits = { overallTimeoutMs: link.timeoutMs, idleTimeoutMs: link.timeoutMs };
  const exchange = startExchange(
    link.connections,
    { path: link.basePath + path, headers: link.headers(request), body: body.bytes, ...limits },
    signal,
  );
  let answerComplete = false;
  try {
    const head = await exchange.head();
    if (head.kind === "silent") return failed(malformedResponse("nothing", context));
    if (head.kind !== "answered") return failed(failureOfStop(head, context));
    const { text, stop } = await readText(exchange, answerBytesMax);
    if (stop !== undefined && stop.kind !== "ended") return failed(failureOfStop(stop, context));
    answerComplete = stop !== undefined;
    const { status, headers } = head;
    if (status < 200 || status > 299) return failed(failureOfStatus({ status, headers, body: text }, context));
    const items = stop === undefined ? undefined : read(text);
    if (items === undefined) return failed(malformedResponse("no compacted conversation", context));
    const { usage, ...kept } = items;
    return { ok: true, history: { ...ownerOf(request.model), ...kept }, usage };
  } finally {
    exchange.release({ answerComplete });
  }
}

function ownerOf(model: Model): { readonly provider: string; readonly family: string } {
  return { provider: model.provider, family: familyOf(model) };
}

function failed(failure: Failure): VendorCompaction {
  return { ok: false, failure };
}
