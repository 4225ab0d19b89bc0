/** The servers of a place of work for people and scripts: used or not, and why. Values that may be secret are left out. */
import type { HubServer } from "@kedge/extend/mcp";
import type { McpServer, UnusedServer } from "@kedge/extend/mcp-servers";
import { counted, type JsonObject, stripTerminalControls, type Tool } from "@kedge/protocol";

export type ListedServers = {
  readonly servers: readonly McpServer[];
  readonly unused: readonly UnusedServer[];
  readonly live: readonly HubServer[];
};

/** Everything that is shown of one. */
export function serverData({ servers, unused, live }: ListedServers): readonly JsonObject[] {
  const known = new Set(servers.map(({ name }) => name));
  const added = live.flatMap(({ live: { server } }) => (known.has(server.name) ? [] : server));
  const used = [...servers, ...added].map((server) => {
    const found = live.find((each) => each.live.server.name === server.name);
    return { ...configurationData(server), ...stateData(found) };
  });
  const others = unused.map(({ name, scope, file, reason, unapproved }) => ({
    ...(unapproved === undefined ? { name, scope, file } : configurationData(unapproved)),
    ...{ state: "disabled", reason, ...(unapproved !== undefined && { needsApproval: true }) },
  }));
  return [...used, ...others];
}

function configurationData(server: McpServer): JsonObject {
  const { name, scope, file, transport, signature, alwaysLoad } = server;
  const shape: JsonObject =
    transport.type === "stdio"
      ? { command: transport.command, args: [...transport.args], env: Object.keys(transport.env) }
      : transport.type === "sdk"
        ? {}
        : { url: transport.url, headers: Object.keys(transport.headers) };
  return { name, scope, file, type: transport.type, ...shape, ...(alwaysLoad && { alwaysLoad }), signature };
}

function stateData(found: HubServer | undefined): JsonObject {
  if (found === undefined) return { state: "pending", attempt: 0 };
  const offers = found.live.offers();
  const changed = found.tools.changed();
  return {
    ...found.live.state(),
    id: found.id,
    tools: found.tools.tools().map(({ name }) => name),
    tokens: found.tools.tools().reduce((sum, tool) => sum + tokensOf(tool), 0),
    prompts: offers.prompts.length,
    resources: offers.resources.length,
    ...(offers.skills.length > 0 && { skills: offers.skills.map(({ name }) => name) }),
    ...(offers.protocolVersion !== "" && { protocolVersion: offers.protocolVersion }),
    ...(offers.toolsLeftOut !== undefined && { toolsLeftOut: offers.toolsLeftOut }),
    ...(changed.length > 0 && { changedTools: [...changed] }),
  };
}

/** Each tool with what it says of itself, and what its definition costs a request that carries it. */
export function toolData(found: HubServer | undefined): readonly JsonObject[] {
  const changed = new Set(found?.tools.changed() ?? []);
  return (found?.tools.tools() ?? []).map((tool) => {
    const ownName = found === undefined ? tool.name : (found.tools.ownName(tool.name) ?? tool.name);
    return {
      name: tool.name,
      description: stripTerminalControls(tool.description),
      tokens: tokensOf(tool),
      ...(changed.has(ownName) && { isChanged: true }),
    };
  });
}

/** As everywhere where nobody has counted: four characters make a token. */
const charactersPerToken = 4;

function tokensOf({ name, description, inputSchema }: Tool): number {
  return Math.ceil((name.length + description.length + JSON.stringify(inputSchema).length) / charactersPerToken);
}

/** One line per server. */
export function serverLines(data: readonly JsonObject[]): string {
  if (data.length === 0) return "No MCP servers. Add one with: kedge mcp add <name> <url | command>.";
  const rows = data.map((each) => [`${each["name"]}`, stateText(each), `${each["scope"]}`, `${each["file"]}`]);
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => (row[at] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function stateText({ state, attempt, error, reason, tools, tokens }: JsonObject): string {
  switch (state) {
    case "connected":
      return `connected, ${counted(Array.isArray(tools) ? tools.length : 0, "tool")}, about ${Number(tokens ?? 0).toLocaleString("en-US")} tokens`;
    case "pending":
      return attempt === 0 ? "configured" : "connecting";
    case "failed":
      return `failed: ${error}`;
    case "needs-auth":
      return "needs sign-in";
    default:
      return `not used: ${reason}`;
  }
}

/** All of one server, with the descriptions of its tools. */
export function serverText(data: JsonObject, found: HubServer | undefined): string {
  const lines = Object.entries(data)
    .filter(([key]) => key !== "tools" && key !== "signature")
    .map(([key, value]) => `${key.padEnd(15)}  ${typeof value === "string" ? value : JSON.stringify(value)}`);
  const changed = new Set(found?.tools.changed() ?? []);
  const tools = (found?.live.offers().tools ?? []).map(({ name, description = "" }) => {
    const mark = changed.has(name) ? " (its description changed since it was first used)" : "";
    return `  ${name}${mark}\n    ${description.split("\n", 1)[0]?.slice(0, 200) ?? ""}`;
  });
  return [...lines, ...(tools.length > 0 ? ["tools", ...tools] : [])].join("\n");
}
