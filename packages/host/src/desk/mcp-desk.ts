/** What clients ask of MCP servers: which there are, and to add, remove, connect, disconnect and approve them. */
import { type CommandAnswer, type CommandOf, notFound, type QueryAnswer, refused } from "@kedge/protocol";
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
