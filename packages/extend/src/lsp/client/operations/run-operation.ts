/** Carries out one call of the `lsp` tool: finds the server, the place, and puts the answer into words. */
import { resolve } from "node:path";
import type { ToolContext, ToolOutput } from "@kedge/protocol";
import type { Hover, Position } from "vscode-languageserver-protocol";
import type { LspInput } from "../../lsp-tool.ts";
import { diagnosticLines } from "../diagnostic-lines.ts";
import type { LanguageServer } from "../language-server.ts";
import type { LanguageServers, Serving } from "../language-servers.ts";
import type { OpenDocument } from "../open-documents.ts";
import { type PositionEncoding, toServer } from "../position-encoding.ts";
import { type At, findCalls, findPlaces, hoverText, isDefinedInClosed, paramsOf } from "./find-places.ts";
import { outlineOf, workspaceSymbols } from "./find-symbols.ts";
import { listActions, previewRename } from "./preview-changes.ts";
import { diagnoseProject } from "./project-diagnostics.ts";
import { createShownPlaces, itemsMax, listed, type ShownPlaces } from "./shown-places.ts";

export type OperationParts = {
  readonly servers: LanguageServers;
  readonly serving: (path: string) => readonly Serving[];
  /** Those for questions about no file; the running ones, or those that the project shows to be of use. */
  readonly expected: () => readonly Serving[];
  /** Why nothing serves a file, as a sentence. */
  readonly whyNot: (path: string) => string;
  readonly isServed: (name: string) => boolean;
  readonly root: string;
  readonly shorten: (path: string) => string;
};

/** A server that has to start first may need so long. */
const operationMsMax = 30_000;

export async function runOperation(input: LspInput, parts: OperationParts, context: ToolContext): Promise<ToolOutput> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(operationMsMax)]);
  const title = [input.op, input.filePath ?? input.query].filter(Boolean).join(" ");
  try {
    return { output: await answer(input, parts, context, signal), title };
  } catch (error) {
    // What a server answers with an error is a result that the model can read.
    if (!(error instanceof Error)) throw error;
    const why = signal.aborted ? "it took too long or was interrupted" : error.message;
    return { output: `The language server did not respond: ${why}.`, title, isError: true };
  }
}

async function answer(
  input: LspInput,
  parts: OperationParts,
  context: ToolContext,
  signal: AbortSignal,
): Promise<string> {
  const { op, filePath, query = "" } = input;
  const shown = createShownPlaces(context, parts.shorten);
  if (op === "workspaceSymbols") return symbolsText(query, parts, shown, signal);
  if (filePath === undefined) return diagnoseProject(parts, context);
  const path = resolve(context.cwd, filePath);
  const serving = parts.serving(path);
  const servers = parts.servers.serve(serving);
  const [first] = servers;
  if (first === undefined) return parts.whyNot(path);
  if (op === "diagnostics") return diagnosticsText(path, servers, parts, signal);
  const ready = await first.ready(signal);
  if ("problem" in ready) return `The language server ${first.definition.name} is not running: ${ready.problem}.`;
  const document = ready.open(path);
  if (document === undefined) return `${filePath} is not a text file that a language server can open.`;
  if (op === "documentSymbols") return listed(await outlineOf(ready.server, document.uri, signal), "No symbols.");
  const position = positionIn(document, input, ready.server.encoding);
  if (typeof position === "string") return position;
  const at: At = { server: ready.server, uri: document.uri, position, signal };
  if (op === "codeActions") {
    const diagnostics = (await first.diagnose(path, signal)) ?? [];
    return listed(await listActions(at, diagnostics, shown), "No code actions here.");
  }
  return placedText(input, at, shown);
}

async function placedText({ op, newName = "" }: LspInput, at: At, shown: ShownPlaces): Promise<string> {
  switch (op) {
    case "hover": {
      const hover = await at.server.request<Hover | null>("textDocument/hover", paramsOf(at), at.signal);
      if (hover !== null && (await isDefinedInClosed(at, shown)))
        return "This name is defined in a file that may not be read.";
      return hoverText(hover?.contents).trim() || "The server has no information about this position.";
    }
    case "definition":
    case "references":
    case "implementations":
      return listed(await findPlaces(op, at, shown), `No ${op === "definition" ? "definition" : op} found.`);
    case "incomingCalls":
    case "outgoingCalls":
      return listed(await findCalls(op, at, shown), "No calls found.");
    case "renamePreview": {
      const lines = await previewRename(at, newName, shown);
      return lines.length === 0 ? "This cannot be renamed." : `${listed(lines, "")}\nNothing was changed.`;
    }
    default:
      return `${op} is not an operation on a position.`;
  }
}

async function diagnosticsText(
  path: string,
  servers: readonly LanguageServer[],
  { shorten }: OperationParts,
  signal: AbortSignal,
): Promise<string> {
  const found = await Promise.all(servers.map((server) => server.diagnose(path, signal)));
  if (found.every((each) => each === undefined)) return "The language server returned no diagnostics in time.";
  const all = found.flatMap((diagnostics, index) => {
    const server = servers[index]?.definition.name ?? "";
    return (diagnostics ?? []).map((diagnostic) => ({ path, server, diagnostic }));
  });
  return listed(diagnosticLines(all, { max: itemsMax, shorten }), "No diagnostics.");
}

async function symbolsText(
  query: string,
  parts: OperationParts,
  shown: ShownPlaces,
  signal: AbortSignal,
): Promise<string> {
  const found = await findWorkspaceSymbols(query, parts, signal);
  if (found === undefined) return "No language server serves this project.";
  const open = found.filter(({ path }) => shown.isOpen(path));
  const lines = open.map(({ path, line, column, name, kind, container, encoding }) => {
    const what = [kind, container === undefined ? name : `${container}.${name}`].join(" ");
    return shown.line({ path, position: { line: line - 1, character: column - 1 }, encoding }, what);
  });
  const closed = found.length - open.length;
  const left = closed === 0 ? "" : `\nLeft out: ${closed} in files that may not be read.`;
  return `${listed(lines, `No symbol matches ${query}.`)}${left}`;
}

/** Of all servers that can be asked; undefined where there is none. */
export async function findWorkspaceSymbols(
  query: string,
  { servers, expected }: Pick<OperationParts, "servers" | "expected">,
  signal: AbortSignal,
) {
  const asked = servers.running().length > 0 ? servers.running() : servers.serve(expected());
  if (asked.length === 0) return undefined;
  const found = await Promise.all(asked.map((server) => symbolsOf(server, query, signal)));
  return found.flat();
}

async function symbolsOf(server: LanguageServer, query: string, signal: AbortSignal) {
  const ready = await server.ready(signal);
  if ("problem" in ready || !ready.server.capabilities.workspaceSymbolProvider) return [];
  ready.openSamples();
  return workspaceSymbols(ready.server, query, signal);
}

/** A sentence where the place does not exist. */
function positionIn(
  { text }: OpenDocument,
  { line = 1, column, query }: LspInput,
  encoding: PositionEncoding,
): Position | string {
  const lines = text.split(/\r?\n/);
  const content = lines[line - 1];
  if (content === undefined) return `The file has only ${lines.length} lines.`;
  const at = column === undefined ? content.indexOf(query ?? "") : Math.min(column - 1, content.length);
  if (at === -1) return `Line ${line} does not contain ${query}: ${content.trim()}`;
  return { line: line - 1, character: toServer(content, at, encoding) };
}
