/** The tools of one server as a source of tools: they come when it connects, and change when it says so. */
import type { Tool, ToolSource } from "@kedge/protocol";
import type { Tool as Definition } from "@modelcontextprotocol/client";
import type { LiveServer } from "../connection/live-server.ts";
import type { McpServer } from "../server.ts";
import { describeUnavailable } from "./call-failure.ts";
import { type CleanDefinition, cleanDefinition, cleanText } from "./clean-definition.ts";
import { createMcpTool, isForModel, type McpToolParts } from "./mcp-tool.ts";
import { createServerSkillTool, skillToolName } from "./server-skill-tool.ts";
import { toolNames, toolPrefix, wireName } from "./tool-names.ts";

export type McpToolSourceParts = {
  readonly live: LiveServer;
  /** Its name as part of the names of its tools. */
  readonly serverId: string;
  readonly neutralise: (text: string) => string;
  /** What calls are given. */
  readonly calls: Pick<McpToolParts, "during" | "visit" | "elicit" | "tasks">;
  /** The digest under which a tool was first known to this user; learns it where there is none. */
  readonly firstDigest: (tool: string, digest: string) => string;
  readonly onNotice: (sentence: string) => void;
  /** A session wants its tools. */
  readonly onOpened: () => void;
};

export type McpTools = {
  readonly source: ToolSource;
  /** Names of tools that are described otherwise than when they were first used. */
  readonly changed: () => readonly string[];
  readonly tools: () => readonly Tool[];
  /** The name that the server has for a tool of ours. */
  readonly ownName: (name: string) => string | undefined;
  /** Takes the tools for known as they describe themselves now. */
  readonly accept: () => void;
};

export function createMcpTools(given: McpToolSourceParts): McpTools {
  const { live, onOpened } = given;
  const said = new Set<string>();
  const parts: McpToolSourceParts = {
    ...given,
    // Lists are read again and again, and nothing about them is news twice.
    onNotice(sentence) {
      if (!said.has(sentence)) given.onNotice(sentence);
      said.add(sentence);
    },
  };
  const { name } = live.server;
  let listed: readonly Definition[] | undefined;
  let listedSkills: unknown;
  let made: Made = { tools: [], changed: [], ownNames: new Map() };
  const accepted = new Set<() => void>();
  const current = () => {
    const { tools, skills } = live.offers();
    if (tools !== listed || skills !== listedSkills) {
      listed = tools;
      listedSkills = skills;
      made = makeTools(tools, parts);
      tellLeftOut(parts);
    }
    return made;
  };
  const source: ToolSource = {
    name,
    kind: "mcp",
    open() {
      onOpened();
      return {
        tools: () => current().tools,
        isPending: () => live.state().state === "pending" || live.reading() !== undefined,
        async settled() {
          if (live.state().state === "pending") await live.connect();
          await live.reading();
        },
        whyMissing: (tool) => whyMissing(tool, parts),
        subscribe(changed) {
          accepted.add(changed);
          const leave = live.subscribe((what) => what !== "prompts" && changed());
          return () => {
            accepted.delete(changed);
            leave();
          };
        },
      };
    },
  };
  return {
    source,
    changed: () => current().changed,
    tools: () => current().tools,
    ownName: (name) => current().ownNames.get(name),
    accept() {
      listed = undefined;
      for (const listener of accepted) listener();
    },
  };
}

function tellLeftOut({ live, onNotice }: McpToolSourceParts): void {
  const { tools, toolsLeftOut } = live.offers();
  if (toolsLeftOut === undefined) return;
  const { name } = live.server;
  onNotice(`Using the first ${tools.length} tools of MCP server ${name}; ${toolsLeftOut} more were left out.`);
}

/** A server without a connection has no tools, which is no reason to take its tools for inventions. */
function whyMissing(tool: string, { live, serverId }: McpToolSourceParts): string | undefined {
  if (!tool.toLowerCase().startsWith(toolPrefix(serverId).toLowerCase())) return undefined;
  const state = live.state();
  if (state.state !== "connected") return describeUnavailable(live.server.name, state);
  const tools = live.offers().tools.filter((each) => isWanted(each, live.server));
  const names = tools.slice(0, namesMax).map(({ name }) => nameOf(name));
  if (names.length === 0) return `The MCP server ${live.server.name} has no tools.`;
  const more = tools.length > names.length ? ` and ${tools.length - names.length} more` : "";
  return `The MCP server ${live.server.name} has no such tool. It has: ${names.join(", ")}${more}. Find one with tool_search.`;
}

const namesMax = 20;
const nameCharactersMax = 64;
const noticedMax = 5;

/** A name may be of any length and hold anything. */
function nameOf(tool: string): string {
  return cleanText(tool, (text) => text).slice(0, nameCharactersMax);
}

/** The first few, and how many there are beside them: a server may have a thousand of a kind. */
function some(names: readonly string[], put: (name: string) => string = (name) => name): string {
  const shown = names.slice(0, noticedMax).map(put).join(", ");
  return names.length > noticedMax ? `${shown} and ${names.length - noticedMax} more` : shown;
}

/** Diagnostics and code execution: the rest of what editors offer moves their windows. */
const ideTools: ReadonlySet<string> = new Set(["getDiagnostics", "executeCode"]);

function isWanted({ name }: Definition, { isIde, includeTools, excludeTools }: McpServer): boolean {
  if (isIde && !ideTools.has(name)) return false;
  return includeTools?.includes(name) !== false && excludeTools?.includes(name) !== true;
}

type Made = {
  readonly tools: readonly Tool[];
  readonly changed: readonly string[];
  readonly ownNames: ReadonlyMap<string, string>;
};

function makeTools(definitions: readonly Definition[], parts: McpToolSourceParts): Made {
  const { live, serverId, neutralise, firstDigest, onNotice, calls } = parts;
  const { name: server } = live.server;
  const hasSkills = live.offers().skills.length > 0;
  const own = definitions.map(({ name }) => name);
  // One that the server itself calls so keeps its name.
  const skillTool = own.includes(skillToolName) ? `kedge_${skillToolName}` : skillToolName;
  const { names, collided } = toolNames(serverId, hasSkills ? [...own, skillTool] : own);
  if (collided.length > 0)
    onNotice(
      `MCP server ${server} has tools with similar names: ${some(collided, (tool) => `its ${nameOf(tool)} is called ${nameOf(names.get(tool) ?? "")} here`)}.`,
    );
  const tools = new Map<string, Tool>();
  const changed: string[] = [];
  const skipped: string[] = [];
  const ownNames = new Map<string, string>();
  for (const definition of definitions.filter((each) => isForModel(each) && isWanted(each, live.server))) {
    const { name } = definition;
    const fullName = names.get(name);
    const clean: CleanDefinition | string = cleanDefinition(definition, neutralise);
    if (fullName === undefined || tools.has(fullName)) continue;
    if (typeof clean === "string") {
      skipped.push(`${nameOf(name)} (${clean})`);
      continue;
    }
    const isChanged = firstDigest(name, clean.digest) !== clean.digest;
    if (isChanged) changed.push(name);
    ownNames.set(wireName(fullName), name);
    tools.set(fullName, createMcpTool({ live, definition, clean, fullName, isChanged, ...calls }) as Tool);
  }
  const fullName = hasSkills ? names.get(skillTool) : undefined;
  if (fullName !== undefined)
    tools.set(fullName, createServerSkillTool({ live, serverId, neutralise, fullName: wireName(fullName) }) as Tool);
  if (skipped.length > 0) onNotice(`Skipped tools of MCP server ${server}: ${some(skipped)}.`);
  if (changed.length > 0)
    onNotice(`MCP server ${server} changed the description of ${some(changed, nameOf)}. Review it with /mcp.`);
  return { tools: [...tools.values()], changed, ownNames };
}
