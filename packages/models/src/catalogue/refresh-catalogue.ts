/** Fetches a newer list of vendors, at most once a day, and keeps the last good one when the answer is not better. */
import { isJsonObject } from "@kedge/protocol";
import { type FetchedText, getText } from "../http/get-text.ts";
import { type Network, routeTo } from "../http/network.ts";
import { type Imported, importModelsDev } from "./import-models-dev.ts";

export type RefreshOptions = {
  /** Of a list in the form of models.dev. */
  readonly url: string;
  readonly fetchText?: (url: URL, signal: AbortSignal) => Promise<FetchedText>;
  readonly network?: Network;
  readonly readCached: () => string | undefined;
  /** Replaces the file in one step, so that a reader sees the old text or the new one. */
  readonly writeCached: (text: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Asks even when the list is of today. */
  readonly force?: boolean;
};

export type Refreshed =
  | { readonly kind: "fresh" }
  | ({ readonly kind: "refreshed" } & Omit<Imported, "text">)
  | { readonly kind: "kept"; readonly reason: string };

const dayMs = 24 * 60 * 60 * 1000;
const answerBytesMax = 8 * 1024 * 1024;
const timeoutMs = 20_000;

/** A list that shrank to less than this share of the last one is broken, not short. */
const keptShareMin = 0.5;

export async function refreshCatalogue(options: RefreshOptions): Promise<Refreshed> {
  const { readCached, writeCached, now, signal, network = {} } = options;
  const fetchText = options.fetchText ?? ((url) => getListText(url, network, signal));
  const cached = readCached();
  const ageMs = now() - dateOf(cached);
  if (options.force !== true && ageMs >= 0 && ageMs < dayMs) return { kind: "fresh" };
  const url = URL.parse(options.url);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return { kind: "kept", reason: "its URL is not valid" };
  const fetched = await fetchText(url, signal);
  if (!fetched.ok) return { kind: "kept", reason: fetched.reason };
  const imported = readList(fetched.text, new Date(now()).toISOString());
  if (imported === undefined) return { kind: "kept", reason: "the response is not a list of providers" };
  const { text, ...counts } = imported;
  if (counts.models === 0 || counts.providers < countLines(cached) * keptShareMin) {
    return { kind: "kept", reason: `the response lists only ${counts.providers} providers` };
  }
  writeCached(text);
  return { kind: "refreshed", ...counts };
}

function getListText(url: URL, network: Network, signal: AbortSignal): Promise<FetchedText> {
  return getText({ url, bytesMax: answerBytesMax, timeoutMs, signal, route: routeTo(url, network) });
}

function readList(text: string, date: string): Imported | undefined {
  const list = parsed(text);
  return list === undefined ? undefined : importModelsDev(list, date);
}

/** The beginning of time for a file that does not say its date. */
function dateOf(cached: string | undefined): number {
  const first = cached === undefined ? undefined : parsed(cached.slice(0, cached.indexOf("\n")));
  const date = isJsonObject(first) && typeof first["date"] === "string" ? Date.parse(first["date"]) : Number.NaN;
  return Number.isNaN(date) ? 0 : date;
}

function countLines(cached: string | undefined): number {
  return cached === undefined ? 0 : cached.split('\n{"id":"').length - 1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
