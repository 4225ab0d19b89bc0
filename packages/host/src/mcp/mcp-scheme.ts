/** `mcp://`: what MCP servers offer to read. Nobody here vouches for it. */
import type { AddressScheme } from "@kedge/protocol";
import type { OpenedMcp } from "./open-mcp.ts";

const prefix = "mcp://";

export function createMcpScheme(mcp: Pick<OpenedMcp, "hub">): AddressScheme {
  return {
    name: "mcp",
    holds: "resources of MCP servers",
    async read(name, { sessionId, signal }) {
      const { readMcpUrl } = await import("@kedge/extend/mcp");
      const hub = await mcp.hub();
      const servers = hub.servers(sessionId).map(({ live }) => live);
      await Promise.all(servers.map((live) => live.state().state === "pending" && live.connect()));
      const reading = await readMcpUrl(prefix + name, servers, {
        signal,
        onRead: (live, uri) => hub.resourceRead(live, uri, sessionId),
      });
      if (!reading.ok) return { ok: false, problem: reading.sentence };
      return { ok: true, text: reading.text, media: reading.media, isForeign: true };
    },
  };
}
