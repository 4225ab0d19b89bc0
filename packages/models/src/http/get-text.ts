/** Fetches one text over HTTP, bounded in size and time, on a connection of its own. */
import { Buffer } from "node:buffer";
import { openConnection } from "./http-connection.ts";
import { createSocketOpener, type SocketRoute } from "./open-socket.ts";
import { createResponseParser } from "./response-parser.ts";

export type TextRequest = {
  readonly url: URL;
  /** With it the request is a POST of JSON. */
  readonly json?: unknown;
  /** Names in lower case. */
  readonly headers?: { readonly [name: string]: string };
  readonly bytesMax: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly route?: SocketRoute;
};

export type FetchedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string; readonly status?: number };

/** Never throws for network reasons, follows no redirection, and takes nothing but status 200. */
export function getText({ url, json, headers, bytesMax, timeoutMs, signal, route }: TextRequest): Promise<FetchedText> {
  if (signal.aborted) return Promise.resolve(failed("it was stopped"));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = 0;
    const timer = setTimeout(() => finish(failed(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const stop = () => finish(failed("it was stopped"));
    signal.addEventListener("abort", stop, { once: true });
    const parser = createResponseParser({
      head: (head) => {
        status = head.status;
      },
      body: (piece) => {
        bytes += piece.length;
        if (bytes <= bytesMax) chunks.push(piece);
      },
    });

    const connection = openConnection(createSocketOpener(url, route), {
      received(received) {
        const result = parser.push(received);
        if (result.kind === "malformed") finish(failed("the answer is not HTTP"));
        else if (bytes > bytesMax) finish(failed(`the answer is larger than ${bytesMax} bytes`));
        else if (result.kind === "complete") finish(answered());
        return true;
      },
      closed: (error) =>
        finish(error === undefined && parser.endsHere() ? answered() : failed(error?.code ?? "the connection broke")),
    });
    const body = json === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(json), "utf8");
    connection.send(headOf(url, json === undefined ? undefined : body.length, headers), body);

    function answered(): FetchedText {
      return status === 200
        ? { ok: true, text: Buffer.concat(chunks).toString("utf8") }
        : { ...failed(`the answer has status ${status}`), status };
    }

    /** Also called by what comes after the end; a promise keeps its first result. */
    function finish(result: FetchedText): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      connection.close();
      resolve(result);
    }
  });
}

function headOf(url: URL, bodyBytes: number | undefined, headers: TextRequest["headers"] = {}): string {
  const path = `${url.pathname}${url.search}`;
  const lines = [
    `${bodyBytes === undefined ? "GET" : "POST"} ${path} HTTP/1.1`,
    `host: ${url.host}`,
    "accept: application/json",
    "connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(bodyBytes === undefined ? [] : ["content-type: application/json", `content-length: ${bodyBytes}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function failed(reason: string): Extract<FetchedText, { readonly ok: false }> {
  return { ok: false, reason };
}
