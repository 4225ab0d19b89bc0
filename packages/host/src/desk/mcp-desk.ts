/** What clients ask of MCP servers: which there are, what they offer, and to add, connect, approve and sign in to them. */
import {
  type CommandAnswer,
  type CommandOf,
  notFound,
  type QueryAnswer,
  type QueryOf,
  refused,
  stripTerminalControls,
} from "@kedge/protocol";
import type { OpenDesk } from "./open-desk.ts";

type Desk = Pick<OpenDesk, "mcp">;

const done = { ok: true, value: {} } as const;
const none = () => refused("No MCP servers are set up in this session. Add one and restart kedge.");

export async function listServers({ mcp }: Desk): Promise<QueryAnswer<"mcp.list">> {
  if (mcp === undefined) return { ok: true, value: { servers: [] } };
  const { serverData } = await import("../mcp/list-servers.ts");
  const live = mcp.loaded()?.servers() ?? [];
  return { ok: true, value: { servers: serverData({ servers: mcp.servers(), unused: mcp.unused(), live }) } };
}

export async function readServer(desk: Desk, { name }: QueryOf<"mcp.read">): Promise<QueryAnswer<"mcp.read">> {
  const listed = await listServers(desk);
  const server = listed.ok ? listed.value.servers.find((each) => each["name"] === name) : undefined;
  if (server === undefined) return notFound("MCP server", name);
  const found = desk.mcp?.loaded()?.find(name);
  const { toolData } = await import("../mcp/list-servers.ts");
  const log = desk.mcp?.logText(name) ?? "";
  return { ok: true, value: { server: { ...server, toolList: toolData(found) }, log } };
}

const resourcesUsual = 50;

export async function findResources(
  { mcp }: Desk,
  { text, limit = resourcesUsual }: QueryOf<"resource.find">,
): Promise<QueryAnswer<"resource.find">> {
  const wanted = text.toLowerCase();
  const found = (mcp?.loaded()?.servers() ?? []).flatMap(({ live }) =>
    live.offers().resources.flatMap(({ uri, name, title, mimeType }) => {
      const shown = { server: live.server.name, uri, name: stripTerminalControls(title ?? name) };
      const isFitting = `${shown.server}/${uri} ${shown.name}`.toLowerCase().includes(wanted);
      return isFitting ? { ...shown, ...(mimeType !== undefined && { mediaType: mimeType }) } : [];
    }),
  );
  return { ok: true, value: { resources: found.slice(0, limit), isCut: found.length > limit } };
}

export async function addServer(
  { mcp }: Desk,
  { name, server, sessionId }: CommandOf<"mcp.add">,
): Promise<CommandAnswer<"mcp.add">> {
  if (mcp === undefined) return none();
  const added = await mcp.add(name, server, sessionId);
  return typeof added === "string" ? refused(`The MCP server ${name} is not used: ${added}.`) : done;
}

export async function removeServer(
  { mcp }: Desk,
  { name }: CommandOf<"mcp.remove">,
): Promise<CommandAnswer<"mcp.remove">> {
  return (await mcp?.remove(name)) === true ? done : notFound("MCP server", name);
}

export async function connectServer(
  { mcp }: Desk,
  { name }: CommandOf<"mcp.connect">,
): Promise<CommandAnswer<"mcp.connect">> {
  const found = (await mcp?.hub())?.find(name);
  if (found === undefined) return notFound("MCP server", name);
  await found.live.reconnect();
  const state = found.live.state();
  return { ok: true, value: { state: state.state, ...("error" in state && { error: state.error }) } };
}

export async function disconnectServer(
  { mcp }: Desk,
  { name }: CommandOf<"mcp.disconnect">,
): Promise<CommandAnswer<"mcp.disconnect">> {
  const found = (await mcp?.hub())?.find(name);
  if (found === undefined) return notFound("MCP server", name);
  await found.live.disconnect();
  return done;
}

export async function approveServer(
  { mcp }: Desk,
  { name }: CommandOf<"mcp.approve">,
): Promise<CommandAnswer<"mcp.approve">> {
  return (await mcp?.approve(name)) === true ? done : notFound("MCP server waiting for approval", name);
}

export async function acceptTools(
  { mcp }: Desk,
  { name }: CommandOf<"mcp.accept">,
): Promise<CommandAnswer<"mcp.accept">> {
  const found = (await mcp?.hub())?.find(name);
  if (mcp === undefined || found === undefined) return notFound("MCP server", name);
  mcp.acceptTools(found);
  return done;
}

export async function authoriseServer(
  { mcp }: Desk,
  { name }: CommandOf<"mcp.authorise">,
): Promise<CommandAnswer<"mcp.authorise">> {
  const found = (await mcp?.hub())?.find(name);
  if (mcp === undefined || found === undefined) return notFound("MCP server", name);
  return { ok: true, value: { text: await mcp.signIn(found) } };
}
