/** What a plugin can do here, one row each: shown before it is installed, and compared when it is updated. */
import type { JsonObject } from "@kedge/protocol";
import type { DefinitionKind } from "../definitions/definition.ts";
import type { FoundDefinitions } from "../definitions/find-definitions.ts";
import type { HookAction } from "../hooks/hook.ts";
import { readHooks } from "../hooks/read-hooks.ts";
import { broughtBy } from "../skills/skill.ts";
import { codeRights, type PluginManifest } from "./plugin-manifest.ts";
import type { PluginParts } from "./plugin-parts.ts";

export type Capability = {
  readonly kind:
    | "skill"
    | "command"
    | "agent"
    | "output style"
    | "hook"
    | "MCP server"
    | "language server"
    | "program"
    | "code"
    | "right";
  readonly name: string;
  /** What it runs or asks, where it does. */
  readonly does?: string;
};

export type Brought = { readonly manifest: PluginManifest; readonly parts: PluginParts };

/** What was found in the folders of a plugin. */
export type FoundKinds = { readonly [Kind in DefinitionKind]: FoundDefinitions };

/** In a fixed order. */
export function capabilitiesOf({ manifest, parts }: Brought, found: FoundKinds): readonly Capability[] {
  const named = (kind: Capability["kind"], of: DefinitionKind) =>
    found[of].used.map((definition) => {
      const { name } = definition;
      // What an agent may use is decided by the session that starts it.
      const brought = of === "agent" ? [] : broughtBy(definition);
      return { kind, name, ...(brought.length > 0 && { does: brought.join(", ") }) };
    });
  const servers = (kind: Capability["kind"], of: { readonly [name: string]: JsonObject }) =>
    Object.entries(of).map(([name, server]) => ({ kind, name, does: startOf(server) }));
  return [
    ...rightsOf({ manifest, parts }).map((each) => ({ kind: "right", name: codeRights[each] ?? each }) as const),
    ...hooksOf({ manifest, parts }),
    ...servers("MCP server", parts.mcpServers),
    ...servers("language server", parts.lspServers),
    ...parts.code.map((name) => ({ kind: "code", name }) as const),
    ...parts.programs.map((name) => ({ kind: "program", name: `bin/${name}` }) as const),
    ...named("skill", "skill"),
    ...named("command", "command"),
    ...named("agent", "agent"),
    ...named("output style", "style"),
  ];
}

/** What its code may do; nothing where it has none. */
export function rightsOf({ manifest, parts }: Brought): readonly string[] {
  if (parts.code.length === 0) return [];
  return (manifest.capabilities ?? []).filter((each) => Object.hasOwn(codeRights, each));
}

function hooksOf({ manifest, parts }: Brought): readonly Capability[] {
  const sources = parts.hooks.map(({ file, hooks }) => ({
    dialect: manifest.dialect,
    scope: "user" as const,
    file,
    hooks,
    // Read as they will be when they run.
    plugin: { environment: {} },
  }));
  return readHooks(sources).hooks.map(({ event, matcher, action }) => {
    const name = matcher === undefined ? event : `${event} (${matcher})`;
    return { kind: "hook", name, does: hookText(action) };
  });
}

function hookText(action: HookAction): string {
  switch (action.type) {
    case "command":
      return `runs ${[action.command, ...(action.args ?? [])].join(" ")}`;
    case "http":
      return `sends to ${action.url}`;
    case "mcp_tool":
      return `calls ${action.tool} of the MCP server ${action.server}`;
    case "prompt":
    case "agent":
      return "asks the model";
  }
}

function startOf({ command, args, url }: JsonObject): string {
  if (typeof url === "string") return `connects to ${url}`;
  const words = [command, args].flat().filter((each) => typeof each === "string");
  return `starts ${words.join(" ")}`;
}

/** One line. */
export function capabilityText({ kind, name, does }: Capability): string {
  return `${kind === "right" ? "may" : kind} ${name}${does === undefined ? "" : `: ${does}`}`;
}

export type CapabilityChange = { readonly added: readonly Capability[]; readonly removed: readonly Capability[] };

export function changedCapabilities(before: readonly Capability[], after: readonly Capability[]): CapabilityChange {
  const lacking = (from: readonly Capability[], other: readonly Capability[]) => {
    const texts = new Set(other.map(capabilityText));
    return from.filter((each) => !texts.has(capabilityText(each)));
  };
  return { added: lacking(after, before), removed: lacking(before, after) };
}
