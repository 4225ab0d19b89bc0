/** Definitions, references, implementations, callers and callees of the name at a place. */
import { isJsonObject } from "@kedge/protocol";
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  Location,
  LocationLink,
  Position,
} from "vscode-languageserver-protocol";
import { isOffered, type StartedServer } from "../start-server.ts";
import { type Place, pathOf, type ShownPlaces } from "./shown-places.ts";

export type At = {
  readonly server: StartedServer;
  readonly uri: string;
  readonly position: Position;
  readonly signal: AbortSignal;
};

const methods = {
  definition: "textDocument/definition",
  references: "textDocument/references",
  implementations: "textDocument/implementation",
} as const;

export async function findPlaces(op: keyof typeof methods, at: At, shown: ShownPlaces): Promise<readonly string[]> {
  return unique((await askPlaces(op, at)).map((each) => placeLine(each, at.server, shown)));
}

/** Whether the name at a place is defined in a file that may not be read: what a server tells of it is told of that file. */
export async function isDefinedInClosed(at: At, shown: ShownPlaces): Promise<boolean> {
  if (!isOffered(at.server.capabilities.definitionProvider)) return false;
  const paths = (await askPlaces("definition", at)).map((each) =>
    pathOf("targetUri" in each ? each.targetUri : each.uri),
  );
  return paths.some((path) => path !== undefined && !shown.isOpen(path));
}

async function askPlaces(op: keyof typeof methods, at: At): Promise<readonly (Location | LocationLink)[]> {
  const params = { ...paramsOf(at), ...(op === "references" && { context: { includeDeclaration: true } }) };
  const answer = await at.server.request<Location | (Location | LocationLink)[] | null>(methods[op], params, at.signal);
  return [answer].flat().filter((each) => each !== null && isJsonObject(each));
}

function placeLine(each: Location | LocationLink, { encoding }: StartedServer, shown: ShownPlaces): string {
  const [uri, range] = "targetUri" in each ? [each.targetUri, each.targetSelectionRange] : [each.uri, each.range];
  const path = pathOf(uri);
  return path === undefined ? uri : shown.line({ path, position: range.start, encoding });
}

export async function findCalls(
  op: "incomingCalls" | "outgoingCalls",
  at: At,
  shown: ShownPlaces,
): Promise<readonly string[]> {
  const { server, signal } = at;
  const { encoding } = server;
  const items = await server.request<CallHierarchyItem[] | null>(
    "textDocument/prepareCallHierarchy",
    paramsOf(at),
    signal,
  );
  const lines: string[] = [];
  for (const item of items ?? []) {
    if (op === "incomingCalls") {
      const calls = await server.request<CallHierarchyIncomingCall[] | null>(
        "callHierarchy/incomingCalls",
        { item },
        signal,
      );
      for (const { from, fromRanges } of calls ?? [])
        lines.push(...fromRanges.map(({ start }) => callLine(from, { position: start, encoding }, shown)));
    } else {
      const calls = await server.request<CallHierarchyOutgoingCall[] | null>(
        "callHierarchy/outgoingCalls",
        { item },
        signal,
      );
      lines.push(
        ...(calls ?? []).map(({ to }) => callLine(to, { position: to.selectionRange.start, encoding }, shown)),
      );
    }
  }
  return unique(lines);
}

function callLine({ uri, name }: CallHierarchyItem, at: Omit<Place, "path">, shown: ShownPlaces): string {
  const path = pathOf(uri);
  return path === undefined ? `${uri}  ${name}` : shown.line({ path, ...at }, name);
}

export function paramsOf({ uri, position }: Pick<At, "uri" | "position">) {
  return { textDocument: { uri }, position };
}

function unique(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)];
}

/** What a server writes about a name, as one text. */
export function hoverText(contents: unknown): string {
  if (typeof contents === "string") return contents;
  if (Array.isArray(contents)) return contents.map(hoverText).filter(Boolean).join("\n\n");
  return isJsonObject(contents) && typeof contents["value"] === "string" ? contents["value"] : "";
}
