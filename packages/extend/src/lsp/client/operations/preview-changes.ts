/** What a rename or a code action would change, as lines; nothing is changed. */
import { isJsonObject } from "@kedge/protocol";
import type {
  AnnotatedTextEdit,
  CodeAction,
  Command,
  Diagnostic,
  SnippetTextEdit,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver-protocol";
import type { PositionEncoding } from "../position-encoding.ts";
import { isOffered, type StartedServer } from "../start-server.ts";
import { type At, paramsOf } from "./find-places.ts";
import { pathOf, type ShownPlaces } from "./shown-places.ts";

type AnyEdit = TextEdit | AnnotatedTextEdit | SnippetTextEdit;

const actionsMax = 20;
const editLinesMax = 20;
const newTextCharactersMax = 300;

export async function previewRename(at: At, newName: string, shown: ShownPlaces): Promise<readonly string[]> {
  const edit = await at.server.request<WorkspaceEdit | null>(
    "textDocument/rename",
    { ...paramsOf(at), newName },
    at.signal,
  );
  return isJsonObject(edit) ? editLines(edit, at.server, shown) : [];
}

export async function listActions(
  at: At,
  diagnostics: readonly Diagnostic[],
  shown: ShownPlaces,
): Promise<readonly string[]> {
  const { server, uri, position, signal } = at;
  const here = diagnostics.filter(({ range }) => range.start.line <= position.line && position.line <= range.end.line);
  const range = here[0]?.range ?? { start: position, end: position };
  const params = { textDocument: { uri }, range, context: { diagnostics: here, triggerKind: 1 } };
  const answer = await server.request<(Command | CodeAction)[] | null>("textDocument/codeAction", params, signal);
  const actions = (answer ?? []).filter((action): action is CodeAction => typeof action.command !== "string");
  const lines: string[] = [];
  for (const action of actions.slice(0, actionsMax)) {
    const resolved = await withEdit(action, at);
    lines.push(`${action.title}${action.kind === undefined ? "" : ` (${action.kind})`}`);
    const changes = resolved.edit === undefined ? [] : editLines(resolved.edit, server, shown);
    lines.push(...changes.slice(0, editLinesMax).map((line) => `  ${line}`));
  }
  return lines;
}

async function withEdit(action: CodeAction, { server, signal }: At): Promise<CodeAction> {
  const provider = server.capabilities.codeActionProvider;
  const resolves = typeof provider === "object" && provider.resolveProvider === true;
  if (action.edit !== undefined || !resolves || !isOffered(provider)) return action;
  // An action that cannot be resolved is still worth its title.
  return server.request<CodeAction>("codeAction/resolve", action, signal).catch(() => action);
}

function editLines(
  { changes, documentChanges }: WorkspaceEdit,
  { encoding }: StartedServer,
  shown: ShownPlaces,
): readonly string[] {
  const linesOf = (uri: string, edits: readonly AnyEdit[]) => editsOf(uri, edits, { encoding, shown });
  const plain = Object.entries(changes ?? {}).flatMap(([uri, edits]) => linesOf(uri, edits));
  const documents = (documentChanges ?? []).flatMap((change) => {
    if ("edits" in change) return linesOf(change.textDocument.uri, change.edits);
    const { name } = shown;
    if (change.kind === "rename") return [`rename ${name(change.oldUri)} to ${name(change.newUri)}`];
    return [`${change.kind} ${name(change.uri)}`];
  });
  return [...plain, ...documents];
}

type Shown = { readonly encoding: PositionEncoding; readonly shown: ShownPlaces };

function editsOf(uri: string, edits: readonly AnyEdit[], { encoding, shown }: Shown): readonly string[] {
  const path = pathOf(uri);
  if (path === undefined) return [];
  return edits.map((edit) => {
    const text = "newText" in edit ? edit.newText : edit.snippet.value;
    const cut = text.length > newTextCharactersMax ? `${text.slice(0, newTextCharactersMax)}…` : text;
    return shown.line({ path, position: edit.range.start, encoding }, `→ ${JSON.stringify(cut)}`);
  });
}
