/** `mcp://`: what MCP servers offer to read. Nobody here vouches for it. */
import type { LiveServer } from "@kedge/extend/mcp";
import type { AddressScheme } from "@kedge/protocol";
import type { OpenedMcp } from "./open-mcp.ts";

const prefix = "mcp://";
/** A list of servers waits no longer for those that are slow; one that is read is waited for alone. */
const listMsMax = 3_000;

async function connectAll(servers: readonly LiveServer[]): Promise<void> {
  const pending = servers.filter((live) => live.state().state === "pending").map((live) => live.connect());
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, listMsMax);
  await Promise.race([Promise.all(pending), late.promise]);
  clearTimeout(timer);
}

export function createMcpScheme(mcp: Pick<OpenedMcp, "hub">): AddressScheme {
  return {
    name: "mcp",
    holds: "resources of MCP servers",
    async read(name, { sessionId, signal }) {
      const { readMcpUrl } = await import("@kedge/extend/mcp");
      const hub = await mcp.hub();
      const servers = hub.servers(sessionId).map(({ live }) => live);
      if (name === "") await connectAll(servers);
      const reading = await readMcpUrl(prefix + name, servers, {
        signal,
        onRead: (live, uri) => hub.resourceRead(live, uri, sessionId),
      });
      if (!reading.ok) return { ok: false, problem: reading.sentence };
      return { ok: true, text: reading.text, media: reading.media, isForeign: true };
    },
  };
}
