/** Has a conversation summed up at an address of the user's own: one POST, to no address but those that were judged. */
import type { IncomingMessage, RequestOptions } from "node:http";
import { isIP } from "node:net";
import type { EngineParts } from "@kedge/engine";
import { type Failure, isJsonObject, lookupAmong } from "@kedge/protocol";
import { judgeUrl } from "@kedge/sandbox";

export type RemoteSummarySettings = {
  readonly endpoint: string;
  /** Hosts that may be private, such as one on this machine, which then need no encryption either. */
  readonly allowedHosts: readonly string[];
};

export type RemoteSummaryParts = RemoteSummarySettings & {
  /** Certificates, as PEM text, of authorities that are trusted besides those of the system. */
  readonly ca?: string;
  /** Every address of a name, none when it has none; the system's look-up if left out. */
  readonly lookUp?: (name: string) => Promise<readonly string[]>;
  readonly timeoutMs?: number;
};

type RemoteSummary = NonNullable<NonNullable<EngineParts["compaction"]>["remoteSummary"]>;
type RemoteAnswer = Awaited<ReturnType<RemoteSummary>>;

const timeoutMsDefault = 60_000;
const answerBytesMax = 1024 * 1024;

/** For the engine; nothing where the user named no address. */
export function remoteSummaryOf(
  settings: RemoteSummarySettings | undefined,
  { ca }: Pick<RemoteSummaryParts, "ca">,
): { readonly remoteSummary?: RemoteSummary } {
  if (settings === undefined) return {};
  return { remoteSummary: createRemoteSummary({ ...settings, ...(ca !== undefined && { ca }) }) };
}

/** What is sent was redacted before. Follows no redirection, keeps no connection, and throws only for bugs. */
export function createRemoteSummary(parts: RemoteSummaryParts): RemoteSummary {
  return async (request, stopped) => {
    const timeout = AbortSignal.timeout(parts.timeoutMs ?? timeoutMsDefault);
    const signal = AbortSignal.any([stopped, timeout]);
    try {
      const found = await findAddresses(parts, signal);
      if (!found.ok) return failed(`It is not allowed: ${found.why}.`);
      await using exchange = await post(parts, { addresses: found.addresses, body: JSON.stringify(request), signal });
      return await readAnswer(exchange.response);
    } catch (error) {
      // Node throws these for calls that are wrong in themselves.
      if (error instanceof TypeError || error instanceof RangeError) throw error;
      if (timeout.aborted) return failed(`No response within ${parts.timeoutMs ?? timeoutMsDefault} ms.`);
      if (stopped.aborted) return failed("It was canceled.");
      if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error;
      return failed(`The connection failed (${error.code}).`);
    }
  };
}

type Found =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly why: string };

async function findAddresses(parts: RemoteSummaryParts, signal: AbortSignal): Promise<Found> {
  const { endpoint: url, allowedHosts, lookUp = lookUpBySystem } = parts;
  const policy = { allowHosts: allowedHosts };
  const byText = judgeUrl({ url, policy });
  if (byText.verdict === "block") return { ok: false, why: byText.why };
  const { hostname, protocol } = new URL(url);
  if (protocol !== "https:" && !byText.isNamed) return { ok: false, why: "it is not encrypted. Use https" };
  const host = hostname.replace(/^\[|\]$/g, "");
  signal.throwIfAborted();
  const addresses = isIP(host) === 0 ? await Promise.race([lookUp(host), whenAborted(signal)]) : [host];
  const { verdict, why } = judgeUrl({ url, addresses, policy });
  return verdict === "allow" ? { ok: true, addresses } : { ok: false, why };
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** A look-up that fails is a name without addresses: nothing can be connected to in either case. */
async function lookUpBySystem(name: string): Promise<readonly string[]> {
  const { lookup } = await import("node:dns/promises");
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch (error) {
    if (error instanceof Error && "syscall" in error && error.syscall === "getaddrinfo") return [];
    throw error;
  }
}

type Posted = { readonly addresses: readonly string[]; readonly body: string; readonly signal: AbortSignal };

/** The modules are loaded by the first request, since most sessions never send one. */
async function post({ endpoint, ca }: RemoteSummaryParts, { addresses, body, signal }: Posted) {
  const url = new URL(endpoint);
  const isEncrypted = url.protocol === "https:";
  const { request: send } = isEncrypted ? await import("node:https") : await import("node:http");
  const authorities =
    isEncrypted && ca !== undefined ? { ca: [...(await import("node:tls")).rootCertificates, ca] } : {};
  const options: RequestOptions = {
    method: "POST",
    // A pooled connection could lead to an address that was judged for another request.
    agent: false,
    lookup: lookupAmong(addresses),
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      accept: "application/json",
      "user-agent": "kedge",
    },
    signal,
    ...authorities,
  };
  const exchange = send(url, options);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    exchange.once("response", resolve);
    // Stays after the answer began, because a late error without a listener would end the process.
    exchange.on("error", reject);
    exchange.end(body);
  });
  return { response, [Symbol.asyncDispose]: async () => void exchange.destroy() };
}

async function readAnswer(response: IncomingMessage): Promise<RemoteAnswer> {
  if (response.statusCode !== 200) return failed(`The response has status ${response.statusCode}.`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) return failed(`The response is larger than ${answerBytesMax} bytes.`);
    chunks.push(chunk);
  }
  const summary = summaryOf(Buffer.concat(chunks).toString("utf8"));
  return summary === undefined
    ? failed('The response is not a JSON object with a string "summary".')
    : { ok: true, summary };
}

function summaryOf(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  const summary = isJsonObject(value) ? value["summary"] : undefined;
  return typeof summary === "string" ? summary : undefined;
}

function failed(message: string): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { code: "connection_error", message, retryable: true } };
}
