/** The state of a session as texts, none of them very long, and back: the form in which a store keeps it. */
import { isDeepStrictEqual } from "node:util";
import { emptySession, isJsonObject, type SessionState, type TreeEntry, wholeItem } from "@kedge/protocol";
import { fillIn, type Hollow, hollowed } from "./hollow-json.ts";

/** Half of it takes a tenth more time to read, a sixteenth of it twice the time; more of it only takes memory. */
const charactersPerPiece = 1024 * 1024;

/** Everything but the tree in one text, then the tree in the order in which it grew, three texts for each piece of it. */
export function* textsOfState(state: SessionState): Generator<string> {
  yield headText(state);
  let entries: TreeEntry[] = [];
  let characters = 0;
  for (const entry of state.tree.values()) {
    entries.push(entry);
    characters += lengthOf(entry);
    if (characters < charactersPerPiece) continue;
    yield* textsOfPiece(hollowed(entries));
    entries = [];
    characters = 0;
  }
  if (entries.length > 0) yield* textsOfPiece(hollowed(entries));
}

/** Undefined when these are not all the texts of one state of this session. */
export function stateOfTexts(sessionId: string, texts: Iterable<string>): SessionState | undefined {
  const each = texts[Symbol.iterator]();
  const head = parseText(each.next().value ?? "");
  if (!isJsonObject(head) || head["sessionId"] !== sessionId) return undefined;
  const tree: SessionState["tree"] = new Map();
  for (const piece of piecesOf(each)) for (const entry of piece) tree.set(entry.item.id, entry);
  if (head["entries"] !== tree.size) return undefined;
  const items: SessionState["items"] = [];
  for (const id of head["items"] as string[]) {
    const entry = tree.get(id);
    if (entry === undefined) return undefined;
    items.push(wholeItem(entry.item));
  }
  const state = { ...restOf(sessionId, head), tree, items };
  return { ...state, todos: sharedTodos(state) };
}

/** The list is the one that its place of the tree has, and not only equal to it: so the fold tells that it stays. */
function sharedTodos({ tree, todosAt, leaf, todos }: SessionState): SessionState["todos"] {
  if (todosAt.size === 0) return todos;
  for (let id = leaf; id !== undefined; id = tree.get(id)?.parent) {
    const there = todosAt.get(id);
    if (there !== undefined) return there;
  }
  return todos;
}

/** Entry by entry, so that no second state is in memory. What was folded live has fields in another order. */
export function isStateOfTexts(state: SessionState, texts: Iterable<string>): boolean {
  const each = texts[Symbol.iterator]();
  if (!isSameText(headText(state), each.next().value)) return false;
  const expected = state.tree.values();
  for (const piece of piecesOf(each)) {
    for (const entry of piece) if (!isDeepStrictEqual(entry, expected.next().value)) return false;
  }
  return expected.next().done === true;
}

export function isSameText(expected: string, text: string | undefined): boolean {
  return text === expected || (text !== undefined && isDeepStrictEqual(parseText(text), parseText(expected)));
}

function headText({ tree, items, ...rest }: SessionState): string {
  const plain = Object.entries(rest).map(([name, value]) => [name, isCollection(value) ? [...value] : value]);
  return JSON.stringify({ ...Object.fromEntries(plain), items: items.map(({ id }) => id), entries: tree.size });
}

/** As many as can be read; whoever counts their entries notices where some are missing. */
function* piecesOf(texts: Iterator<string>): Generator<readonly TreeEntry[]> {
  for (let json = texts.next(); json.done !== true; json = texts.next()) {
    const entries = parseText(json.value);
    const [latin, wide] = [texts.next().value, texts.next().value];
    if (!Array.isArray(entries) || latin === undefined || wide === undefined) return;
    // What follows the first text was written by `textsOfState` from such entries.
    if (fillIn(entries, { latin, wide })) yield entries as TreeEntry[];
  }
}

function textsOfPiece({ json, latin, wide }: Hollow): readonly string[] {
  return [json, latin, wide];
}

/** About: results of tools are nearly all of it. */
function lengthOf(entry: TreeEntry): number {
  const own = 300;
  const item = wholeItem(entry.item);
  switch (item.type) {
    case "results":
      return item.results.reduce((sum, { output }) => sum + output.length, own);
    case "answer":
      return item.content.reduce((sum, block) => sum + ("text" in block ? block.text.length : own), own);
    case "prompt":
    case "reminder":
    case "record":
      return own + item.text.length;
    case "report":
    case "compaction":
      return charactersPerPiece / 8;
  }
}

/** An empty state tells which of its values are collections, and what stands for those that JSON leaves out. */
function restOf(sessionId: string, head: Record<string, unknown>): SessionState {
  const state: Record<string, unknown> = emptySession(sessionId);
  for (const [name, empty] of Object.entries(state)) {
    const value = head[name];
    if (empty instanceof Map) state[name] = new Map(value as [unknown, unknown][]);
    else if (empty instanceof Set) state[name] = new Set(value as unknown[]);
    else state[name] = value;
  }
  // Each value was one of the same name in a SessionState when `textsOfState` wrote it.
  return state as SessionState;
}

function isCollection(value: unknown): value is Map<unknown, unknown> | Set<unknown> {
  return value instanceof Map || value instanceof Set;
}

/** Undefined when it is no JSON. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
