/** The `websearch` tool: asks the configured search service; without one there is no tool. */
import type { JsonSchema, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../tool-input.ts";
import { lookUpHost, type WebParts } from "./fetch-page.ts";
import { getOnce } from "./http-get.ts";
import { readResults, type SearchBackend, type SearchResult, searchRequest } from "./search-backends.ts";
import { wrapUntrusted } from "./untrusted-text.ts";

export type WebsearchInput = {
  readonly query: string;
  readonly count?: number;
  readonly domains?: readonly string[];
};

export type WebsearchParts = Pick<WebParts, "lookUp" | "ca"> & {
  /** Chosen by the user, who may well run it on this machine, so its address is not judged. */
  readonly backend?: SearchBackend;
};

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    query: { type: "string", minLength: 1, maxLength: 400 },
    count: { type: "integer", minimum: 1, description: "default and most 10" },
    domains: { type: "array", items: { type: "string", minLength: 1 }, maxItems: 10 },
  },
  required: ["query"],
};

const countMax = 10;
const timeoutSeconds = 30;
const snippetCharactersMax = 500;

export function createWebsearchTool(parts: WebsearchParts): Tool<WebsearchInput> | undefined {
  const { backend } = parts;
  if (backend === undefined) return undefined;
  return {
    name: "websearch",
    description: textBeside(import.meta.url, "./websearch.md"),
    inputSchema,
    searchHint: "search the web, internet, find pages, news, documentation online",
    resultCharactersMax: 20_000,
    parse: (input) => parseInput<WebsearchInput>(inputSchema, input),
    needs: ({ query }) => [{ permission: "websearch", patterns: [query], always: ["*"], access: "network" }],
    readOnly: () => true,
    concurrencySafe: () => true,
    run: (input, context) => websearch(input, context, { ...parts, backend }),
  };
}

async function websearch(
  input: WebsearchInput,
  context: ToolContext,
  { backend, lookUp, ca }: WebsearchParts & { readonly backend: SearchBackend },
): Promise<ToolOutput> {
  const title = input.query;
  const refuse = (output: string): ToolOutput => ({ output, isError: true, title });
  const count = Math.min(input.count ?? countMax, countMax);
  const domains = (input.domains ?? []).map(domainOf);
  const sites = domains.map((domain) => `site:${domain}`).join(" OR ");
  const { url, headers } = searchRequest(backend, sites === "" ? input.query : `${input.query} (${sites})`, count);

  const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
  const signal = AbortSignal.any([context.signal, timeout]);
  const addresses = (await lookUpHost(url, lookUp === undefined ? {} : { lookUp }, signal)) ?? [];
  if (addresses.length === 0)
    return refuse(`The search service ${url.host} was not found; the user must check its URL.`);
  const answer = await getOnce({ url, addresses, headers, signal, ...(ca !== undefined && { ca }) });
  if (context.signal.aborted) return refuse("Searching was interrupted.");
  if (timeout.aborted) return refuse(`The search service did not respond within ${timeoutSeconds} seconds. Try again.`);
  if (answer.kind === "failed") return refuse(`The search service ${url.host} failed: ${answer.reason}. Try again.`);
  if (answer.status !== 200) return refuse(describeStatus(answer.status));
  const all = readResults(backend, answer.body.toString("utf8"));
  if (all === undefined)
    return refuse(`The answer of ${url.host} is not one of ${backend.kind}; the user must check its URL and kind.`);

  const results = all.filter((result) => isWithin(result, domains)).slice(0, count);
  const metadata = { query: input.query, count: results.length };
  if (results.length === 0) return { output: "Nothing was found. Try other or fewer words.", title, metadata };
  return {
    output: wrapUntrusted({ source: "websearch", ...(await context.fence(results.map(listed).join("\n"))) }),
    title,
    metadata,
  };
}

/** Models also write whole addresses where a host is wanted. */
function domainOf(text: string): string {
  const host = URL.parse(text.includes("://") ? text : `https://${text.replace(/^\*\./, "")}`)?.hostname;
  return (host ?? text.toLowerCase()).replace(/\.$/, "");
}

/** Services take the sites in the query as a wish only. */
function isWithin({ url }: SearchResult, domains: readonly string[]): boolean {
  const { hostname } = new URL(url);
  return domains.length === 0 || domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
}

function listed({ title, url, snippet }: SearchResult, index: number): string {
  const lines = [`${index + 1}. ${title || "(no title)"}`, `   ${url}`];
  return [...lines, ...(snippet === "" ? [] : [`   ${snippet.slice(0, snippetCharactersMax).toWellFormed()}`])].join(
    "\n",
  );
}

function describeStatus(status: number): string {
  if (status === 401 || status === 403)
    return `The search service refused the key (status ${status}); the user must check it.`;
  if (status === 429) return "The search service is rate limiting (status 429). Wait, or continue without searching.";
  return `The search service answered with status ${status}. Continue without searching, or try again later.`;
}
