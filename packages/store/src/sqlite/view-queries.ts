/** Answers from the derived tables: pages of messages, and what a search finds. */
import type { SQLInputValue } from "node:sqlite";
import type {
  MessagePage,
  MessageRow,
  MessageView,
  PartView,
  SearchHit,
  SearchQuery,
  SessionView,
} from "@kedge/protocol";
import { damagedPart, messageOfColumns, type PartPlace, sessionOfText } from "../damaged-view.ts";
import { type PackedPart, unpackPart } from "../packed-part.ts";
import { type Redact, wordsOfPart } from "../part-search.ts";
import { readRow } from "../read-row.ts";
import { type Phrase, phrasesOf, snippetOf } from "../search-words.ts";
import type { Connection } from "./sqlite-connection.ts";
import type { SqliteJournal } from "./sqlite-journal.ts";
import { viewSql } from "./view-writer.ts";

export const querySql = {
  session: "SELECT data FROM session_view WHERE session = ?",
  lastMessages: "SELECT place, id, role, data FROM message WHERE session = ? AND place < ? ORDER BY place DESC LIMIT ?",
  partsBetween: `SELECT message, id, time, data, refs FROM part
    WHERE session = ? AND message BETWEEN ? AND ? ORDER BY message, id`,
} as const;

/** Above every place that a message can have. */
const pastTheEnd = Number.MAX_SAFE_INTEGER;

type Page = { readonly before?: string; readonly limit: number };

export type ViewQueries = {
  /** `key` is that of the session. */
  session(key: number): SessionView | "damaged" | undefined;
  messages(sessionId: string, key: number, page: Page): MessagePage;
  search(query: SearchQuery): readonly SearchHit[];
};

type Row = Record<string, unknown>;

export function createViewQueries(connection: Connection, journal: SqliteJournal, redact: Redact): ViewQueries {
  /** Facts are read once for a page, and only those that something on it refers to. */
  function factReader(sessionId: string, key: number): (seq: number) => unknown {
    const facts = new Map<number, unknown>();
    return (seq) => {
      if (!facts.has(seq)) {
        const row = journal.shown.row(key, seq);
        facts.set(seq, row && readRow(sessionId, row).fact);
      }
      return facts.get(seq);
    };
  }

  function placeBefore(key: number, before: string | undefined): number {
    if (before === undefined) return pastTheEnd;
    return (connection.get(viewSql.place, key, before)?.["place"] as number | undefined) ?? 0;
  }

  function session(key: number): SessionView | "damaged" | undefined {
    const row = connection.get(querySql.session, key);
    return row === undefined ? undefined : sessionOfText(row["data"]);
  }

  function messages(sessionId: string, key: number, { before, limit }: Page): MessagePage {
    const found = connection.all(querySql.lastMessages, key, placeBefore(key, before), limit + 1);
    const rows = found.slice(0, limit).reverse();
    const [oldest, newest] = [rows[0], rows.at(-1)];
    if (oldest === undefined || newest === undefined) return { messages: [] };
    const factAt = factReader(sessionId, key);
    const idOf = new Map(rows.map((row) => [row["place"], row["id"] as string]));
    const partsOf = new Map<string, PartView[]>();
    const places = [oldest["place"], newest["place"]] as [number, number];
    for (const row of connection.all(querySql.partsBetween, key, ...places)) {
      const messageId = idOf.get(row["message"]);
      if (messageId === undefined) continue;
      const parts = partsOf.get(messageId) ?? [];
      parts.push(partOf(row, messageId, factAt) ?? damagedPart(placeOf(row, messageId), sessionId));
      partsOf.set(messageId, parts);
    }
    const page = rows.map((row): MessageView => {
      const parts = partsOf.get(row["id"] as string) ?? [];
      const { id, role, data } = row;
      return { ...messageOfColumns({ id, role, data }, sessionId, parts[0]?.time ?? 0), parts };
    });
    return found.length > limit ? { messages: page, before: oldest["id"] as string } : { messages: page };
  }

  /** Undefined for a part that is damaged: what it said is unknown. */
  function hitOf(row: Row, phrases: readonly Phrase[]): SearchHit | undefined {
    const [sessionId, messageId] = [row["session_id"], row["message_id"]] as [string, string];
    const part = partOf(row, messageId, factReader(sessionId, row["session"] as number));
    if (part === undefined) return undefined;
    return {
      sessionId,
      messageId,
      title: row["title"] as string,
      time: part.time,
      // The role of a message is written from a MessageRow alone.
      role: row["role"] as MessageRow["role"],
      ...(part.type === "tool" && { tool: part.tool }),
      snippet: snippetOf(wordsOfPart(part, redact)?.text ?? "", phrases),
    };
  }

  return {
    session,
    messages,
    search(query) {
      const phrases = phrasesOf(query.text);
      if (phrases.length === 0 || query.limit <= 0) return [];
      const { text, values } = searchSql(query, matchOf(phrases));
      const hits = new Map<string, SearchHit>();
      for (const row of connection.each(text, ...values)) {
        const message = `${row["session"]} ${row["message"]}`;
        // The newest part of a message stands for it.
        const hit = hits.has(message) ? undefined : hitOf(row, phrases);
        if (hit !== undefined) hits.set(message, hit);
        if (hits.size >= query.limit) break;
      }
      return [...hits.values()];
    },
  };
}

/** Words are letters and digits alone, so nothing in them can be taken for an operator. */
function matchOf(phrases: readonly Phrase[]): string {
  return phrases.map(({ words, isBeginning }) => `"${words.join(" ")}"${isBeginning ? " *" : ""}`).join(" AND ");
}

/** Newest first, which is the order of the keys: the index gives it without sorting, and the rest is never looked at. */
function searchSql(query: SearchQuery, match: string) {
  const { sessionId, projectId, role, tool, file, after, before } = query;
  const conditions: (readonly [string, SQLInputValue])[] = [["part_text MATCH ?", match]];
  if (sessionId !== undefined) conditions.push(["session.id = ?", sessionId]);
  if (projectId !== undefined) conditions.push(["session.project_id = ?", projectId]);
  if (role !== undefined) conditions.push(["message.role = ?", role]);
  if (tool !== undefined) conditions.push(["part.tool = ?", tool]);
  if (after !== undefined) conditions.push(["part.time > ?", after]);
  if (before !== undefined) conditions.push(["part.time < ?", before]);
  if (file !== undefined) conditions.push([fileCondition, file]);
  const text = `SELECT part.session, part.message, part.id, part.time, part.data, part.refs,
      message.id AS message_id, message.role, session.id AS session_id, session.title
    FROM part_text CROSS JOIN part ON part.key = part_text.rowid
    CROSS JOIN session ON session.key = part.session
    CROSS JOIN message ON message.session = part.session AND message.place = part.message
    WHERE ${conditions.map(([condition]) => condition).join(" AND ")} ORDER BY part_text.rowid DESC`;
  return { text, values: conditions.map(([, value]) => value) };
}

const fileCondition = `EXISTS (SELECT 1 FROM part AS other
  WHERE other.session = part.session AND other.message = part.message AND instr(other.files, ?) > 0)`;

function partOf(row: Row, messageId: string, factAt: (seq: number) => unknown): PartView | undefined {
  const packed: PackedPart = { data: row["data"] as string, refs: row["refs"] as string | null };
  return unpackPart(packed, placeOf(row, messageId), factAt);
}

function placeOf(row: Row, messageId: string): PartPlace {
  return { id: row["id"] as string, messageId, time: row["time"] as number };
}
