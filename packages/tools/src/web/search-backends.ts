/** The search services that can be configured: how each is asked and where its answer keeps the results. */
import { isJsonObject, parseJson } from "@kedge/protocol";

export type SearchBackend = {
  readonly kind: keyof typeof backends;
  /** Where the service is, without the path of its searches. */
  readonly url: string;
  readonly apiKey?: string;
};

export type SearchResult = { readonly title: string; readonly url: string; readonly snippet: string };

type BackendRow = {
  readonly path: string;
  readonly parameters: (query: string, count: number) => { readonly [name: string]: string };
  /** The header that carries the key. */
  readonly keyHeader: string;
  readonly keyPrefix: string;
  /** Names that lead from the answer to the list. */
  readonly list: readonly string[];
  readonly snippet: string;
};

const backends = {
  searxng: {
    path: "search",
    parameters: (query) => ({ q: query, format: "json" }),
    keyHeader: "authorization",
    keyPrefix: "Bearer ",
    list: ["results"],
    snippet: "content",
  },
  brave: {
    path: "res/v1/web/search",
    parameters: (query, count) => ({ q: query, count: String(count) }),
    keyHeader: "x-subscription-token",
    keyPrefix: "",
    list: ["web", "results"],
    snippet: "description",
  },
} as const satisfies { readonly [kind: string]: BackendRow };

export function searchRequest(
  backend: SearchBackend,
  query: string,
  count: number,
): { readonly url: URL; readonly headers: { readonly [name: string]: string } } {
  const row: BackendRow = backends[backend.kind];
  const url = new URL(row.path, backend.url.endsWith("/") ? backend.url : `${backend.url}/`);
  for (const [name, value] of Object.entries(row.parameters(query, count))) url.searchParams.set(name, value);
  const key = backend.apiKey === undefined ? {} : { [row.keyHeader]: `${row.keyPrefix}${backend.apiKey}` };
  return { url, headers: { accept: "application/json", ...key } };
}

/** Undefined when the text is no answer of this service. Results without an address are left out. */
export function readResults(backend: SearchBackend, text: string): readonly SearchResult[] | undefined {
  const row: BackendRow = backends[backend.kind];
  const answer = parseJson(text);
  if (!isJsonObject(answer)) return undefined;
  // A service without any match leaves the whole branch out.
  const list = row.list.reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), answer) ?? [];
  if (!Array.isArray(list)) return undefined;
  return list.filter(isJsonObject).flatMap((entry) => {
    const url = URL.parse(textAt(entry, "url"));
    if (url === null || !/^https?:$/.test(url.protocol)) return [];
    return [{ title: plain(textAt(entry, "title")), url: url.href, snippet: plain(textAt(entry, row.snippet)) }];
  });
}

function textAt(entry: { readonly [name: string]: unknown }, name: string): string {
  const value = entry[name];
  return typeof value === "string" ? value : "";
}

const entities: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** Services mark the words that were found with tags and send the rest as HTML. */
function plain(html: string): string {
  return html
    .replace(/<\/?[a-z][^<>]{0,100}>/gi, "")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, " ")
    .trim();
}
