/** The state of a session as texts, none of them long, and back: the form in which a store keeps it. */
import { isDeepStrictEqual } from "node:util";
import { emptySession, isJsonObject, type SessionState, type TreeEntry } from "@kedge/protocol";

/** Half of it takes a tenth more time to read, a sixteenth of it twice the time; more of it only takes memory. */
const charactersPerText = 1024 * 1024;

/** Everything but the tree in one text, then the tree in the order in which it grew. */
export function* textsOfState({ tree, items, ...rest }: SessionState): Generator<string> {
  const plain = Object.entries(rest).map(([name, value]) => [name, isCollection(value) ? [...value] : value]);
  yield JSON.stringify({ ...Object.fromEntries(plain), items: items.map(({ id }) => id), entries: tree.size });
  let written: string[] = [];
  let characters = 0;
  for (const entry of tree.values()) {
    const text = JSON.stringify(entry);
    written.push(text);
    characters += text.length;
    if (characters < charactersPerText) continue;
    yield `[${written.join()}]`;
    written = [];
    characters = 0;
  }
  if (written.length > 0) yield `[${written.join()}]`;
}

/** Undefined when these are not all the texts of one state of this session. */
export function stateOfTexts(sessionId: string, texts: Iterable<string>): SessionState | undefined {
  let head: Record<string, unknown> | undefined;
  const tree: SessionState["tree"] = new Map();
  for (const text of texts) {
    const parsed = parseText(text);
    if (head === undefined) {
      if (!isJsonObject(parsed) || parsed["sessionId"] !== sessionId) return undefined;
      head = parsed;
    } else {
      if (!Array.isArray(parsed)) return undefined;
      // What follows the first text was written by `textsOfState` from such entries.
      for (const entry of parsed as TreeEntry[]) tree.set(entry.item.id, entry);
    }
  }
  if (head === undefined || head["entries"] !== tree.size) return undefined;
  const items: SessionState["items"] = [];
  for (const id of head["items"] as string[]) {
    const entry = tree.get(id);
    if (entry === undefined) return undefined;
    items.push(entry.item);
  }
  return { ...restOf(sessionId, head), tree, items };
}

/** Text by text, so that no second fold is in memory. What was folded live has fields in another order. */
export function areSameTexts(expected: Iterator<string>, texts: Iterable<string>): boolean {
  for (const text of texts) {
    const next = expected.next();
    const isSame =
      next.done !== true && (next.value === text || isDeepStrictEqual(parseText(next.value), parseText(text)));
    if (!isSame) return false;
  }
  return expected.next().done === true;
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
