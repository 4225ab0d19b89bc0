/** Writes what the view fold changed into the tables of sessions, messages, parts, todos, usage and words. */
import type { FactRecord, MessageRow, PartView, SessionView, ViewChange } from "@kedge/protocol";
import { type Redact, wordsOfPart } from "../part-search.ts";
import { indexedText } from "../search-words.ts";
import { type KnownStrings, packPart } from "./packed-part.ts";
import type { Connection } from "./sqlite-connection.ts";

export const viewSql = {
  place: "SELECT place FROM message WHERE session = ? AND id = ?",
  lastPlace: "SELECT max(place) AS place FROM message WHERE session = ?",
  saveMessage: `INSERT INTO message (session, place, id, role, data) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (session, place) DO UPDATE SET role = excluded.role, data = excluded.data`,
  dropMessage: "DELETE FROM message WHERE session = ? AND place = ?",
  part: "SELECT key, time FROM part WHERE session = ? AND message = ? AND id = ?",
  partKeys: "SELECT key FROM part WHERE session = ? AND message = ?",
  lastKey: "SELECT max(key) AS key FROM part WHERE key BETWEEN ? AND ?",
  savePart: `INSERT INTO part (key, session, message, id, time, tool, files, data, refs)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE
    SET tool = excluded.tool, files = excluded.files, data = excluded.data, refs = excluded.refs`,
  dropPart: "DELETE FROM part WHERE key = ?",
  clearOutput: `UPDATE part SET data = json_set(data, '$.state.compactedAt', ?)
    WHERE key = ? AND json_extract(data, '$.state.status') = 'completed'`,
  saveWords: "INSERT OR REPLACE INTO part_text (rowid, text) VALUES (?, ?)",
  dropWords: "DELETE FROM part_text WHERE rowid = ?",
  saveSession: `INSERT INTO session_view (session, data) VALUES (?, ?)
    ON CONFLICT (session) DO UPDATE SET data = excluded.data`,
  saveTodo: "INSERT INTO todo (session, position, content, status, priority) VALUES (?, ?, ?, ?, ?)",
  saveUsage: `INSERT OR REPLACE INTO usage (session, seq, time, model, input, output, reasoning, cache_read, cache_write,
    web_searches, usd, estimated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  dropAllWords: "DELETE FROM part_text WHERE rowid IN (SELECT key FROM part WHERE session = ?)",
  dropParts: "DELETE FROM part WHERE session = ?",
  dropMessages: "DELETE FROM message WHERE session = ?",
  dropTodos: "DELETE FROM todo WHERE session = ?",
  dropUsage: "DELETE FROM usage WHERE session = ?",
  dropSession: "DELETE FROM session_view WHERE session = ?",
} as const;

/** Keys per millisecond, so that keys have the order of times. Within what a number holds exactly until the year 2248. */
const keysPerMs = 1024;

export type ViewWriter = {
  /** Takes the changes of one record. The last state of each row is written by `flush`. */
  add(record: FactRecord, changes: readonly ViewChange[], model: string): void;
  flush(): void;
};

/** The columns of a STRICT table. */
type KeyAndTime = { readonly key: number; readonly time: number };

/** Without a part: it is to be taken away. */
type PendingPart = { readonly messageId: string; readonly id: string; part: PartView | undefined };

export function createViewWriter(
  connection: Connection,
  session: number,
  source: { readonly strings: KnownStrings; readonly redact: Redact },
): ViewWriter {
  const messages = new Map<string, MessageRow>();
  const parts = new Map<string, PendingPart>();
  const places = new Map<string, number | undefined>();
  let shown: SessionView | undefined;
  let lastKey = 0;

  function placeOf(messageId: string): number | undefined {
    if (!places.has(messageId)) {
      places.set(messageId, connection.get(viewSql.place, session, messageId)?.["place"] as number | undefined);
    }
    return places.get(messageId);
  }

  function saveMessage({ id, sessionId: _, role, ...data }: MessageRow): void {
    let place = placeOf(id);
    if (place === undefined) {
      place = ((connection.get(viewSql.lastPlace, session)?.["place"] as number | null) ?? 0) + 1;
      places.set(id, place);
    }
    connection.run(viewSql.saveMessage, session, place, id, role, JSON.stringify(data));
  }

  function stored(place: number, id: string): KeyAndTime | undefined {
    return connection.get(viewSql.part, session, place, id) as KeyAndTime | undefined;
  }

  /** The next free key at this time or, when very many parts share it, shortly after. */
  function newKey(time: number): number {
    for (let first = time * keysPerMs; ; first += keysPerMs) {
      const end = first + keysPerMs - 1;
      // Most parts of one millisecond come right behind each other.
      const from = lastKey > first && lastKey <= end ? lastKey : first;
      const last = connection.get(viewSql.lastKey, from, end)?.["key"] as number | null;
      if (last === end) continue;
      lastKey = last === null ? from : last + 1;
      return lastKey;
    }
  }

  function savePart(place: number, part: PartView): void {
    const before = stored(place, part.id);
    // The key tells the time.
    if (before !== undefined && before.time !== part.time) dropPart(before.key);
    const known = before?.time === part.time ? before.key : undefined;
    const key = known ?? newKey(part.time);
    const words = wordsOfPart(part, source.redact);
    const { data, refs } = packPart(part, source.strings);
    const found = [words?.tool ?? null, words?.files || null] as const;
    connection.run(viewSql.savePart, key, session, place, part.id, part.time, ...found, data, refs);
    if (words !== undefined) connection.run(viewSql.saveWords, key, indexedText(words.text));
    else if (known !== undefined) connection.run(viewSql.dropWords, key);
  }

  function dropPart(key: number): void {
    connection.run(viewSql.dropWords, key);
    connection.run(viewSql.dropPart, key);
  }

  function flush(): void {
    for (const message of messages.values()) saveMessage(message);
    for (const { messageId, id, part } of parts.values()) {
      const place = placeOf(messageId);
      if (place === undefined) continue;
      if (part !== undefined) {
        savePart(place, part);
        continue;
      }
      const before = stored(place, id);
      if (before !== undefined) dropPart(before.key);
    }
    if (shown !== undefined) connection.run(viewSql.saveSession, session, JSON.stringify(shown));
    messages.clear();
    parts.clear();
    shown = undefined;
  }

  function putPart(messageId: string, id: string, part: PartView | undefined): void {
    const name = `${messageId} ${id}`;
    // Parts of the same time are found in the order in which they came.
    if (parts.get(name)?.part?.time !== part?.time) parts.delete(name);
    parts.set(name, { messageId, id, part });
  }

  function removeMessage(messageId: string): void {
    flush();
    const place = placeOf(messageId);
    if (place === undefined) return;
    for (const { key } of connection.all(viewSql.partKeys, session, place)) dropPart(key as number);
    connection.run(viewSql.dropMessage, session, place);
    places.delete(messageId);
  }

  function clearOutput({ messageId, partId, compactedAt }: Extract<ViewChange, { kind: "output-cleared" }>): void {
    const pending = parts.get(`${messageId} ${partId}`);
    if (pending === undefined) {
      const place = placeOf(messageId);
      const before = place === undefined ? undefined : stored(place, partId);
      if (before !== undefined) connection.run(viewSql.clearOutput, compactedAt, before.key);
    } else if (pending.part?.type === "tool" && pending.part.state.status === "completed") {
      pending.part = { ...pending.part, state: { ...pending.part.state, compactedAt } };
    }
  }

  function apply(change: ViewChange): void {
    switch (change.kind) {
      case "message":
        messages.set(change.message.id, change.message);
        return;
      case "part":
        putPart(change.part.messageId, change.part.id, change.part);
        return;
      case "part-removed":
        putPart(change.messageId, change.partId, undefined);
        return;
      case "message-removed":
        removeMessage(change.messageId);
        return;
      case "output-cleared":
        clearOutput(change);
        return;
      case "session":
        shown = change.session;
        return;
      // Content is removed together with everything that was made of it.
      case "refused":
      case "content-removed":
        return;
    }
  }

  function saveTodos({ fact }: FactRecord, changes: readonly ViewChange[]): void {
    const todos = fact.type === "todos.replaced" ? fact.todos : todosAfterMove(fact, changes);
    if (todos === undefined) return;
    connection.run(viewSql.dropTodos, session);
    for (const [position, { content, status, priority }] of todos.entries()) {
      connection.run(viewSql.saveTodo, session, position, content, status, priority);
    }
  }

  function saveUsage({ seq, time, fact }: FactRecord, model: string): void {
    // The end of a run only repeats the sum of its steps.
    if (fact.type === "run.ended" || !("usage" in fact) || fact.usage === undefined) return;
    const { input, output, reasoning, cacheRead, cacheWrite, webSearches = 0 } = fact.usage;
    const { usd, estimated } = fact.cost ?? { usd: 0, estimated: false };
    const tokens = [input, output, reasoning, cacheRead, cacheWrite, webSearches] as const;
    connection.run(viewSql.saveUsage, session, seq, time, model, ...tokens, usd, estimated ? 1 : 0);
  }

  return {
    add(record, changes, model) {
      for (const change of changes) apply(change);
      saveTodos(record, changes);
      saveUsage(record, model);
    },
    flush,
  };
}

/** After these the conversation stands at another place of its tree, which has todos of its own. */
const moves: ReadonlySet<FactRecord["fact"]["type"]> = new Set<FactRecord["fact"]["type"]>([
  "leaf.moved",
  "conversation.rewound",
  "session.reverted",
  "session.unreverted",
]);

function todosAfterMove({ type }: FactRecord["fact"], changes: readonly ViewChange[]) {
  if (!moves.has(type)) return undefined;
  return changes.findLast((change) => change.kind === "session")?.session.todos;
}

/** Takes away everything derived of a session, inside the caller's transaction. */
export function dropViews(connection: Connection, session: number): void {
  for (const text of [viewSql.dropAllWords, viewSql.dropParts, viewSql.dropMessages]) connection.run(text, session);
  for (const text of [viewSql.dropTodos, viewSql.dropUsage, viewSql.dropSession]) connection.run(text, session);
}
