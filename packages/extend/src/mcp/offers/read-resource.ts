/** Reads `mcp://`: servers with their resources, the resources of one, or one resource. */
import { counted, type Media } from "@kedge/protocol";
import { connectMs } from "../connection/limits.ts";
import type { LiveServer } from "../connection/live-server.ts";
import { describeState } from "../connection/server-state.ts";
import { picture } from "../tools/result-output.ts";

const mcpPrefix = "mcp://";

export type ResourceReading =
  | { readonly ok: true; readonly text: string; readonly media: readonly Media[]; readonly server?: string }
  | { readonly ok: false; readonly sentence: string };

const perPage = 100;

/** Lists have pages of 100: `mcp://server?page=2`. The text is the server's word, for the caller to fence. */
export async function readMcpUrl(
  url: string,
  servers: readonly LiveServer[],
  { signal, onRead }: ReadOptions,
): Promise<ResourceReading> {
  const rest = url.slice(mcpPrefix.length);
  if (rest === "") return { ok: true, media: [], text: listServers(servers) };
  const [, name = "", uri] = /^([^/?]+)(?:\/(.*))?/s.exec(rest) ?? [];
  const live = servers.find(({ server }) => server.name === decoded(name));
  if (live === undefined)
    return { ok: false, sentence: `There is no MCP server ${decoded(name)}. Read mcp:// to list them.` };
  if (live.state().state === "pending") await live.connect();
  if (uri === undefined || uri === "") return listResources(live, Number(/\?page=(\d+)$/.exec(rest)?.[1] ?? 1));
  const reading = await readOne(live, uri, signal);
  if (reading.ok) onRead?.(live, uri);
  return reading;
}

export type ReadOptions = {
  readonly signal: AbortSignal;
  /** Told of a resource whose text was given out. */
  readonly onRead?: (live: LiveServer, uri: string) => void;
};

function listServers(servers: readonly LiveServer[]): string {
  if (servers.length === 0) return "No MCP servers.";
  return servers
    .map((live) => {
      const { resources, templates } = live.offers();
      return `${mcpPrefix}${encodeURIComponent(live.server.name)}  ${counted(resources.length, "resource")}, ${counted(templates.length, "template")}, ${describeState(live.state())}`;
    })
    .join("\n");
}

function listResources(live: LiveServer, page: number): ResourceReading {
  const { resources, templates } = live.offers();
  const lines = [
    ...resources.map(({ name, uri, mimeType }) => `${name}  ${uri}  ${mimeType ?? ""}`.trimEnd()),
    ...templates.map(({ name, uriTemplate, mimeType }) =>
      `${name}  ${uriTemplate} (template)  ${mimeType ?? ""}`.trimEnd(),
    ),
  ];
  const shown = lines.slice((page - 1) * perPage, page * perPage);
  const { name } = live.server;
  const left = lines.length - page * perPage;
  const next = left > 0 ? [`${left} more: ${mcpPrefix}${encodeURIComponent(name)}?page=${page + 1}`] : [];
  const text = lines.length === 0 ? `${name} has no resources.` : [...shown, ...next].join("\n");
  return { ok: true, server: name, media: [], text };
}

async function readOne(live: LiveServer, uri: string, signal: AbortSignal): Promise<ResourceReading> {
  const { name } = live.server;
  try {
    const used = await live.use(
      (client) => client.readResource({ uri }, { signal, timeout: live.server.timeoutMs ?? connectMs }),
      () => true,
    );
    if (!used.ok) return { ok: false, sentence: `The MCP server ${name} is ${describeState(used.state)}.` };
    const media: Media[] = [];
    const texts = used.value.contents.map((content) =>
      "text" in content ? content.text : picture(content.blob, content.mimeType ?? "", content.uri, media),
    );
    return { ok: true, server: name, media, text: texts.join("\n\n") };
  } catch {
    return { ok: false, sentence: `The MCP server ${name} could not read ${uri.slice(0, 200)}.` };
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
