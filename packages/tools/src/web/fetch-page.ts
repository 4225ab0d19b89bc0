/** Fetches one page: every station is judged by name and address, and a redirection away from the host is not followed. */
import { isIP } from "node:net";
import { type GetAnswer, getOnce } from "./http-get.ts";
import { type JudgeAddress, readWebAddress } from "./web-address.ts";

export type WebParts = {
  readonly judgeAddress: JudgeAddress;
  /** Milliseconds of any steady clock. */
  readonly now: () => number;
  /** Every address of a name, none when it has none; the system's look-up if left out. */
  readonly lookUp?: (name: string) => Promise<readonly string[]>;
  /** Certificates, as PEM text, of authorities that are trusted besides those of the system. */
  readonly ca?: string;
};

export type WebPage = { readonly url: string; readonly contentType: string; readonly body: Buffer };

export type Fetched =
  | { readonly kind: "page"; readonly page: WebPage }
  | { readonly kind: "moved"; readonly to: string }
  | { readonly kind: "failed"; readonly problem: string };

const redirectsMax = 5;
const accept = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/*;q=0.8, */*;q=0.5";

/** `start` was read by `readWebAddress`. The signal ends all stations together. */
export async function fetchPage(start: URL, parts: WebParts, signal: AbortSignal): Promise<Fetched> {
  let url = start;
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const found = await findAddresses(url, parts, signal);
    if (!found.ok) return failed(`${url.href} may not be fetched: ${found.why}.`);
    const { addresses } = found;
    const { ca } = parts;
    const answer = await getOnce({ url, addresses, headers: { accept }, signal, ...(ca !== undefined && { ca }) });
    if (answer.kind === "failed") return failed(`${url.href} could not be fetched: ${answer.reason}.`);
    const location = redirection(answer, url);
    if (location === undefined) return pageOf(url, answer);
    const next = readWebAddress(location, parts.judgeAddress);
    if (!next.ok) return failed(`${url.href} redirects to an address that is refused. ${next.problem}`);
    if (next.url.host !== url.host) return { kind: "moved", to: next.url.href };
    url = next.url;
  }
  return failed(`${start.href} redirects more than ${redirectsMax} times; its last target was ${url.href}.`);
}

type FoundAddresses =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly why: string };

async function findAddresses(url: URL, parts: WebParts, signal: AbortSignal): Promise<FoundAddresses> {
  const addresses = await lookUpHost(url, parts, signal);
  if (addresses === undefined) return { ok: false, why: "its name could not be looked up in time" };
  const { verdict, why } = parts.judgeAddress(url.href, addresses);
  return verdict === "allow" ? { ok: true, addresses } : { ok: false, why };
}

/** Undefined when the signal came first. */
export async function lookUpHost(
  url: URL,
  { lookUp = lookUpBySystem }: Pick<WebParts, "lookUp">,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return [host];
  if (signal.aborted) return undefined;
  const { promise: aborted, resolve: abort } = Promise.withResolvers<undefined>();
  const onAbort = () => abort(undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([lookUp(host), aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
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

type Answer = Extract<GetAnswer, { kind: "answer" }>;

const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

function redirection({ status, location }: Answer, from: URL): string | undefined {
  if (location === undefined || !redirectStatuses.includes(status)) return undefined;
  // Header values come as Latin-1, but paths in other alphabets are sent as UTF-8.
  const text = Buffer.from(location, "latin1").toString("utf8");
  return URL.parse(text, from.href)?.href ?? text;
}

function pageOf(url: URL, { status, contentType, body }: Answer): Fetched {
  if (status >= 200 && status < 300) return { kind: "page", page: { url: url.href, contentType, body } };
  return failed(`${url.href} answered with status ${status}${statusAdvice(status)}`);
}

function statusAdvice(status: number): string {
  if (status === 401 || status === 403)
    return "; it requires a sign-in or refuses automated access. Try another source.";
  if (status === 404 || status === 410) return "; there is no such page. Check the address or search for it.";
  if (status === 429 || status >= 500) return "; try again later or use another source.";
  return ".";
}

function failed(problem: string): Fetched {
  return { kind: "failed", problem };
}
