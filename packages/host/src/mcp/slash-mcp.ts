/** `/mcp`: the servers of this place of work, and what can be done with them while it runs. */
import type { HubServer } from "@kedge/extend/mcp";
import type { Json } from "@kedge/protocol";
import { serverData, serverLines, serverText } from "./list-servers.ts";
import type { OpenedMcp } from "./open-mcp.ts";

export type McpAnswer = { readonly text: string; readonly data?: Json; readonly isFailure?: true };

const usage = "Usage: /mcp, or /mcp show|connect|disconnect|approve|accept|auth|logs <name>.";

/** `opened` is undefined where no server is configured. */
export async function runSlashMcp(argument: string, opened: OpenedMcp | undefined): Promise<McpAnswer> {
  const [action = "list", name, ...rest] = argument.split(/\s+/).filter(Boolean);
  if (opened === undefined) return { text: serverLines([]), data: { servers: [] } };
  if (action === "list" && name === undefined) return listed(opened);
  if (name === undefined || rest.length > 0) return { text: usage, isFailure: true };
  if (action === "approve") {
    const isDone = await opened.approve(name);
    if (!isDone) return { text: `No MCP server named ${name} is waiting for approval.`, isFailure: true };
    await (await opened.hub()).find(name)?.live.connect();
    return listed(opened);
  }
  const found = (await opened.hub()).find(name);
  if (found === undefined) return { text: `No MCP server named ${name}. List servers with /mcp.`, isFailure: true };
  return act(action, found, opened);
}

async function act(action: string, found: HubServer, opened: OpenedMcp): Promise<McpAnswer> {
  const { live } = found;
  switch (action) {
    case "show":
    case "get": {
      const data = serverData(await partsOf(opened)).find(({ name }) => name === live.server.name) ?? {};
      return { text: serverText(data, found), data };
    }
    case "connect":
      await live.reconnect();
      return listed(opened);
    case "disconnect":
      await live.disconnect();
      return listed(opened);
    case "accept":
      opened.acceptTools(found);
      return { text: `Accepted the current tool descriptions of ${live.server.name}.` };
    case "auth":
      return { text: await opened.signIn(found) };
    case "logs":
      return { text: live.log.text() || "No output." };
    default:
      return { text: usage, isFailure: true };
  }
}

async function listed(opened: OpenedMcp): Promise<McpAnswer> {
  const servers = serverData(await partsOf(opened));
  return { text: serverLines(servers), data: { servers: [...servers] } };
}

async function partsOf(opened: OpenedMcp) {
  return { servers: opened.servers(), unused: opened.unused(), live: opened.loaded()?.servers() ?? [] };
}
