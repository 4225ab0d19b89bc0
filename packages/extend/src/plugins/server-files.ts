/** Reads the MCP and language servers that a plugin or a project lists: each one counts or is named with what it lacks. */
import { isJsonObject, type JsonObject } from "@kedge/protocol";

export type ServerKind = "mcp" | "lsp";

/** By name, as they were written. */
export type Servers = { readonly [name: string]: JsonObject };

export type ServerProblem = {
  /** Where it stands in the value. */
  readonly path: readonly string[];
  readonly why: string;
  readonly remedy: string;
};

export type ReadServers = { readonly servers: Servers; readonly problems: readonly ServerProblem[] };

const nameForm = /^[\w][\w .:@/-]{0,63}$/;
const wrappers = { mcp: ["mcpServers", "servers"], lsp: ["lspServers"] } as const;
const webTypes: readonly unknown[] = ["http", "sse", "ws", "streamable-http", "streamableHttp", "remote"];
const processTypes: readonly unknown[] = ["stdio", "local"];

/** The servers stand alone or below the key that other files have for them. */
export function readServers(value: unknown, kind: ServerKind): ReadServers {
  const wrapper = isJsonObject(value) ? wrappers[kind].find((key) => isJsonObject(value[key])) : undefined;
  const given = isJsonObject(value) && wrapper !== undefined ? value[wrapper] : value;
  const base = wrapper === undefined ? [] : [wrapper];
  if (!isJsonObject(given)) {
    const remedy = "Write an object with a member for each server.";
    return { servers: {}, problems: [{ path: base, why: "it lists no servers", remedy }] };
  }
  const servers: Record<string, JsonObject> = {};
  const problems: ServerProblem[] = [];
  for (const [name, server] of Object.entries(given)) {
    if (name.startsWith("$") || name.startsWith("//")) continue;
    const problem = problemOf(name, server, kind);
    if (problem !== undefined) problems.push({ path: [...base, name], ...problem });
    // Parsed from JSON, and an object, or there would be a problem.
    else servers[name] = server as JsonObject;
  }
  return { servers, problems };
}

type Problem = { readonly why: string; readonly remedy: string };

function problemOf(name: string, server: unknown, kind: ServerKind): Problem | undefined {
  const of = `the server ${JSON.stringify(name.slice(0, 64))}`;
  if (!nameForm.test(name)) return { why: `${of} has no usable name`, remedy: "Use letters, digits, - and _." };
  if (!isJsonObject(server)) return { why: `${of} is not an object`, remedy: "Add a command or a URL." };
  return kind === "mcp" ? mcpProblem(of, server) : lspProblem(of, server);
}

function mcpProblem(of: string, server: { readonly [field: string]: unknown }): Problem | undefined {
  const { command, url, type = url === undefined ? "stdio" : "http", args, env, headers } = server;
  const isWeb = webTypes.includes(type);
  if (!isWeb && !processTypes.includes(type))
    return { why: `${of} has the unknown type ${JSON.stringify(type)}`, remedy: "Use stdio, http, sse or ws." };
  if (isWeb) {
    if (!isText(url)) return { why: `${of} has no url`, remedy: "Add url." };
    // A variable may stand for all of it.
    if (!url.includes("$") && !/^(?:https?|wss?):$/.test(URL.parse(url)?.protocol ?? ""))
      return { why: `${of} has an invalid url`, remedy: "Write it with https://." };
  } else if (!isText(command) && !(isTexts(command) && command.length > 0))
    return { why: `${of} has no command`, remedy: "Add the program to start as command." };
  if (args !== undefined && !isTexts(args))
    return { why: `args of ${of} is not a list of strings`, remedy: "Quote each." };
  for (const [field, value] of Object.entries({ env, headers }))
    if (value !== undefined && !isJsonObject(value))
      return { why: `${field} of ${of} is not an object`, remedy: "Use names with values." };
  return undefined;
}

function lspProblem(of: string, server: { readonly [field: string]: unknown }): Problem | undefined {
  // GitHub Copilot has another word for it.
  const { command, args, extensionToLanguage = server["fileExtensions"] } = server;
  if (!isText(command)) return { why: `${of} has no command`, remedy: "Add the program to start as command." };
  if (!isJsonObject(extensionToLanguage) || Object.keys(extensionToLanguage).length === 0) {
    const remedy = 'Add extensionToLanguage, such as {".py": "python"}.';
    return { why: `${of} does not list file extensions`, remedy };
  }
  if (args !== undefined && !isTexts(args))
    return { why: `args of ${of} is not a list of strings`, remedy: "Quote each." };
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
