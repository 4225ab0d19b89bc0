/** The settings of MCP servers: the servers themselves, and which of them may be used at all. */
import { isJsonObject } from "@kedge/protocol";
import { list, said, satisfies } from "../configuration/checks.ts";
import { allowed, ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

/** What is in one is read when servers are captured: one that is wrong costs itself, not the whole file. */
const servers = satisfies("an object of servers by name", { type: "object" }, isJsonObject);

const entry = satisfies(
  "an object with serverName, serverCommand or serverUrl",
  { type: "object" },
  (value) =>
    isJsonObject(value) &&
    (typeof value["serverName"] === "string" ||
      typeof value["serverUrl"] === "string" ||
      (Array.isArray(value["serverCommand"]) && value["serverCommand"].every((word) => typeof word === "string"))),
);

export const mcpSettings: SettingDeclarations = {
  mcp: {
    check: said("MCP servers by name, each with a command or URL.", servers),
    // Each one of a project is approved by itself.
    project: allowed,
    counts: "at start",
  },
  allowedMcpServers: {
    check: said("Allowed MCP servers, by name, command or URL; default: all.", list(entry)),
    project: ignored("a project may not decide which servers are used"),
    counts: "at start",
  },
  deniedMcpServers: {
    check: said("Blocked MCP servers, by name, command or URL.", list(entry), []),
    project: { kind: "tightens", rule: "may only add", tighten: onlyAdded },
    counts: "at start",
    arrays: "united",
  },
};

function onlyAdded(value: unknown): { kept: unknown; ignored?: string } {
  return Array.isArray(value) ? { kept: value } : { kept: undefined, ignored: "a project may only block more servers" };
}
