/** `kedge mcp`: which MCP servers there are, whether they work, and changes to your own files of them. */
import { findProject, homeDirectory, judgeWorkspace, openHome } from "@kedge/host";
import type { ChangeParts } from "@kedge/host/configuration";
import { isJsonObject, type Json, type JsonObject, showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { mcpTexts } from "../texts/setup.ts";

export async function runMcpCommand(words: readonly string[], flags: Flags): Promise<number> {
  const [action = "list", name, ...rest] = words;
  switch (action) {
    case "list":
      if (name !== undefined) return usage();
      break;
    case "get":
    case "approve":
    case "accept":
    case "test":
    case "logs":
      if (name === undefined || rest.length > 0) return usage();
      break;
    case "add":
      return name === undefined || rest.length === 0 ? usage() : add(name, fieldsOf(rest, flags), flags);
    case "add-json":
      return name === undefined || rest.length !== 1 ? usage() : add(name, parsed(rest[0] ?? ""), flags);
    case "import":
      return name === undefined || rest.length > 0 ? usage() : importFile(name, flags);
    case "remove":
      return name === undefined || rest.length > 0 ? usage() : remove(name, flags);
    case "auth":
    case "logout": {
      if (name === undefined || rest.length > 0) return usage();
      const { runMcpSignInCommand } = await import("./mcp-sign-in-command.ts");
      return runMcpSignInCommand({ action, name }, flags);
    }
    case "serve": {
      const { runMcpServeCommand } = await import("./mcp-serve-command.ts");
      return runMcpServeCommand(words.slice(1), flags);
    }
    default:
      return usage();
  }
  const { showServers } = await import("./mcp-servers-command.ts");
  return showServers({ action, name }, flags);
}

function usage(): number {
  writeNotice(mcpTexts.usage);
  return exitCodes.usage;
}

/** An address alone is asked, anything else is started. */
function fieldsOf(words: readonly string[], flags: Flags): JsonObject | string {
  const [first = "", ...args] = words;
  const headers = pairsOf(flags.header ?? [], /^([^:=\s]+)\s*[:=]\s*(.*)$/s);
  const env = pairsOf(flags.env ?? [], /^(\w+)=(.*)$/s);
  if (headers === undefined) return mcpTexts.headerForm;
  if (env === undefined) return mcpTexts.variableForm;
  if (args.length === 0 && /^(?:https?|wss?):\/\//.test(first)) {
    if (flags.transport === "stdio") return mcpTexts.stdioNeedsCommand;
    const type = flags.transport ?? (first.startsWith("ws") ? "ws" : "http");
    return { type, url: first, ...(Object.keys(headers).length > 0 && { headers }) };
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(first)?.[1];
  if (scheme !== undefined) return mcpTexts.badScheme(scheme);
  if (flags.transport !== undefined && flags.transport !== "stdio") return mcpTexts.needsUrl(flags.transport);
  return {
    type: "stdio",
    command: first,
    ...(args.length > 0 && { args: [...args] }),
    ...(Object.keys(env).length > 0 && { env }),
  };
}

function pairsOf(texts: readonly string[], form: RegExp): { readonly [name: string]: string } | undefined {
  const pairs: [string, string][] = [];
  for (const text of texts) {
    const [, name, value] = form.exec(text) ?? [];
    if (name === undefined || value === undefined) return undefined;
    pairs.push([name, value]);
  }
  return Object.fromEntries(pairs);
}

function parsed(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text);
    // Parsed from JSON, so it holds nothing else.
    if (isJsonObject(value)) return value as { readonly [name: string]: Json };
  } catch {
    // Said below.
  }
  return mcpTexts.notAnObject;
}

async function add(name: string, fields: JsonObject | string, flags: Flags): Promise<number> {
  if (typeof fields === "string") {
    writeNotice(fields);
    return exitCodes.usage;
  }
  return change(
    flags,
    (file) => mcpTexts.added(name, file),
    async (parts, place) => {
      const { addServer } = await import("@kedge/host/mcp");
      return addServer(place, { name, fields }, parts);
    },
  );
}

async function remove(name: string, flags: Flags): Promise<number> {
  return change(
    flags,
    (file) => mcpTexts.removed(name, file),
    async (parts, place) => {
      const { removeServer } = await import("@kedge/host/mcp");
      return removeServer(place, name, parts);
    },
  );
}

async function importFile(file: string, flags: Flags): Promise<number> {
  const { addServer, serversOfFile } = await import("@kedge/host/mcp");
  const read = await serversOfFile(file, findProject(readSurroundings().cwd).root);
  if (!read.ok) {
    writeDiagnostic(failureText(read.failure));
    return exitCodes.error;
  }
  let worst: number = exitCodes.success;
  for (const server of read.servers) {
    const code = await change(
      flags,
      (file) => mcpTexts.added(server.name, file),
      (parts, place) => addServer(place, server, parts),
    );
    if (code !== exitCodes.success) worst = code;
  }
  if (read.servers.length === 0) writeNotice(mcpTexts.noServersIn(file));
  return worst;
}

type Place = "user" | "local" | "project";
type Changing = (
  parts: ChangeParts,
  place: Place,
) => Promise<{ ok: true; file: string } | { ok: false; failure: Parameters<typeof failureText>[0] }>;

/** `did` says what was done to the file. */
async function change(flags: Flags, did: (file: string) => string, work: Changing): Promise<number> {
  const { cwd, environment, userDirectory } = readSurroundings();
  const project = findProject(cwd);
  const opened = openHome(homeDirectory(environment, userDirectory));
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const { home } = opened;
  const { state } = judgeWorkspace({ home, root: project.root, userDirectory, now: Date.now });
  const sources = {
    ...{ home: home.directory, userDirectory, cwd: project.cwd, projectRoot: project.root, environment },
    files: flags.settings ?? [],
    isTrusted: state === "trusted" || state === "nothing",
  };
  const place = flags.project ? "project" : flags.local ? "local" : "user";
  const changed = await work({ home, sources, now: Date.now }, place);
  if (!changed.ok) {
    writeDiagnostic(failureText(changed.failure));
    return exitCodes.error;
  }
  const { file } = changed;
  writeResult(flags.json ? `${JSON.stringify({ file })}\n` : `${showTerminalControls(did(file))}\n`);
  return exitCodes.success;
}
