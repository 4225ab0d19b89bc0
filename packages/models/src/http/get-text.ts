/** Fetches one text over HTTP, bounded in size and time, on a connection of its own. */
import { Buffer } from "node:buffer";
import { createConnections } from "./connections.ts";
import type { ExchangeSilence } from "./exchange-limits.ts";
import { type ExchangeStop, startExchange } from "./http-exchange.ts";
import type { Route } from "./network.ts";
import { readText } from "./read-text.ts";

export type TextRequest = {
  readonly url: URL;
  /** With it the request is a POST of JSON. */
  readonly json?: unknown;
  /** With it the request is a POST of a form. */
  readonly form?: { readonly [name: string]: string };
  /** Names in lower case. */
  readonly headers?: { readonly [name: string]: string };
  readonly bytesMax: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly route?: Route;
};

export type FetchedText =
  | { readonly ok: true; readonly text: string }
  /** `text` is what came with another status. */
  | { readonly ok: false; readonly reason: string; readonly status?: number; readonly text?: string };

/** Never throws for network reasons, follows no redirection, and takes nothing but status 200. */
export async function getText(request: TextRequest): Promise<FetchedText> {
  const { url, headers = {}, bytesMax, timeoutMs, signal, route } = request;
  const connections = createConnections(url, route);
  connections.stopKeeping();
  const sent = bodyOf(request);
  const fields = {
    host: url.host,
    accept: "application/json",
    ...headers,
    ...(sent === undefined ? {} : { "content-type": sent.type }),
  };
  const exchange = startExchange(
    connections,
    {
      path: `${url.pathname}${url.search}`,
      headers: Object.entries(fields).flat(),
      ...(sent === undefined ? {} : { body: Buffer.from(sent.text) }),
      overallTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
    },
    signal,
  );
  try {
    const head = await exchange.head();
    if (head.kind !== "answered") return failed(reasonOf(head));
    const { text, stop } = await readText(exchange, bytesMax);
    if (stop === undefined) return failed(`the answer is larger than ${bytesMax} bytes`);
    if (stop.kind !== "ended") return failed(reasonOf(stop));
    if (head.status === 200) return { ok: true, text };
    return { ...failed(`the answer has status ${head.status}`), status: head.status, text };
  } finally {
    exchange.release({ answerComplete: false });
  }
}

function bodyOf({ json, form }: TextRequest): { readonly type: string; readonly text: string } | undefined {
  if (form !== undefined)
    return { type: "application/x-www-form-urlencoded", text: new URLSearchParams(form).toString() };
  return json === undefined ? undefined : { type: "application/json", text: JSON.stringify(json) };
}

function reasonOf(stop: ExchangeStop | ExchangeSilence): string {
  switch (stop.kind) {
    case "aborted":
      return "it was canceled";
    case "timed-out":
      return `no answer within ${stop.limitMs} ms`;
    case "broken": {
      const { code = "the connection was lost" } = stop.error;
      return code.startsWith("HPE_") ? "the answer is not HTTP" : code;
    }
    case "ended":
    case "silent":
      return "the connection was lost";
  }
}

function failed(reason: string): Extract<FetchedText, { readonly ok: false }> {
  return { ok: false, reason };
}
