/** Symbols of a file as an outline, and symbols of the workspace by name. */
import type { DocumentSymbol, SymbolInformation, WorkspaceSymbol } from "vscode-languageserver-protocol";
import type { PositionEncoding } from "../position-encoding.ts";
import type { StartedServer } from "../start-server.ts";
import { pathOf } from "./shown-places.ts";

/** By the numbers of the protocol, which begin with 1. */
const kinds: readonly string[] = [
  ...["", "file", "module", "namespace", "package", "class", "method", "property", "field", "constructor", "enum"],
  ...["interface", "function", "variable", "constant", "string", "number", "boolean", "array", "object", "key", "null"],
  ...["enum member", "struct", "event", "operator", "type parameter"],
];

export type FoundSymbol = {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** How its server counts columns. */
  readonly encoding: PositionEncoding;
  readonly container?: string;
};

export async function outlineOf(server: StartedServer, uri: string, signal: AbortSignal): Promise<readonly string[]> {
  const method = "textDocument/documentSymbol";
  const answer = await server.request<(DocumentSymbol | SymbolInformation)[] | null>(
    method,
    { textDocument: { uri } },
    signal,
  );
  return (answer ?? []).flatMap((symbol) => outlineLines(symbol, 0));
}

function outlineLines(symbol: DocumentSymbol | SymbolInformation, depth: number): readonly string[] {
  const range = "location" in symbol ? symbol.location.range : symbol.selectionRange;
  const line = `${"  ".repeat(depth)}${range.start.line + 1}  ${kinds[symbol.kind] ?? ""} ${symbol.name}`;
  const below = "children" in symbol ? (symbol.children ?? []) : [];
  return [line, ...below.flatMap((child) => outlineLines(child, depth + 1))];
}

export async function workspaceSymbols(
  server: StartedServer,
  query: string,
  signal: AbortSignal,
): Promise<readonly FoundSymbol[]> {
  const answer = await server.request<(SymbolInformation | WorkspaceSymbol)[] | null>(
    "workspace/symbol",
    { query },
    signal,
  );
  return (answer ?? []).flatMap((symbol) => {
    const path = pathOf(symbol.location.uri);
    if (path === undefined) return [];
    const start = "range" in symbol.location ? symbol.location.range.start : { line: 0, character: 0 };
    const { name, containerName } = symbol;
    return [
      {
        name,
        kind: kinds[symbol.kind] ?? "",
        path,
        line: start.line + 1,
        column: start.character + 1,
        encoding: server.encoding,
        ...(containerName !== undefined && containerName !== "" && { container: containerName }),
      },
    ];
  });
}
