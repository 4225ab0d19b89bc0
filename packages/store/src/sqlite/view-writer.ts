/** Writes what the view fold changed into the tables of sessions, messages, parts, todos, usage and words. */
import type { MessageRow, PartView } from "@kedge/protocol";
import { type KnownStrings, packPart } from "../packed-part.ts";
import { type Redact, wordsOfPart } from "../part-search.ts";
import { indexedText } from "../search-words.ts";
import type { ViewTables } from "../view-batch.ts";
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

/** The columns of a STRICT table. */
type KeyAndTime = { readonly key: number; readonly time: number };

export function createViewWriter(
  connection: Connection,
  session: number,
  source: { readonly strings: KnownStrings; readonly redact: Redact },
): ViewTables {
  const places = new Map<string, number | undefined>();
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

  function savePart(part: PartView): void {
    const place = placeOf(part.messageId);
    if (place === undefined) return;
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

  function storedAt(messageId: string, partId: string): KeyAndTime | undefined {
    const place = placeOf(messageId);
    return place === undefined ? undefined : stored(place, partId);
  }

  return {
    saveSession: (shown) => void connection.run(viewSql.saveSession, session, JSON.stringify(shown)),
    saveMessage,
    savePart,
    dropPart(messageId, partId) {
      const before = storedAt(messageId, partId);
      if (before !== undefined) dropPart(before.key);
    },
    dropMessage(messageId) {
      const place = placeOf(messageId);
      if (place === undefined) return;
      for (const { key } of connection.all(viewSql.partKeys, session, place)) dropPart(key as number);
      connection.run(viewSql.dropMessage, session, place);
      places.delete(messageId);
    },
    clearOutput({ messageId, partId, compactedAt }) {
      const before = storedAt(messageId, partId);
      if (before !== undefined) connection.run(viewSql.clearOutput, compactedAt, before.key);
    },
    replaceTodos(todos) {
      connection.run(viewSql.dropTodos, session);
      for (const [position, { content, status, priority }] of todos.entries()) {
        connection.run(viewSql.saveTodo, session, position, content, status, priority);
      }
    },
    saveUsage({ seq, time, model, tokens, usd, isEstimated }) {
      connection.run(viewSql.saveUsage, session, seq, time, model, ...tokens, usd, isEstimated ? 1 : 0);
    },
  };
}

/** Takes away everything derived of a session, inside the caller's transaction. */
export function dropViews(connection: Connection, session: number): void {
  for (const text of [viewSql.dropAllWords, viewSql.dropParts, viewSql.dropMessages]) connection.run(text, session);
  for (const text of [viewSql.dropTodos, viewSql.dropUsage, viewSql.dropSession]) connection.run(text, session);
}
