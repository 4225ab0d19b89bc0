/** Answers from the derived tables: pages of messages, and what a search finds. */
import type {
  MessagePage,
  MessageRow,
  MessageView,
  PartView,
  SearchHit,
  SearchQuery,
  SessionView,
} from "@kedge/protocol";
import type { StoredRow } from "../chain.ts";
import { damagedPart, messageOfColumns, type PartPlace, sessionOfText, titleOf } from "../damaged-view.ts";
import { factsReferredTo, type PackedPart, unpackPart } from "../packed-part.ts";
import { type Redact, wordsOfPart } from "../part-search.ts";
import { RecordDamaged, readRow } from "../read-row.ts";
import { holdsAll, indexedForm, type Phrase, phrasesOf, snippetOf } from "../search-words.ts";
import { storedColumns } from "../stored-row.ts";
import type { Queries, Row } from "./postgres-connection.ts";
import { rowOf } from "./postgres-rows.ts";

const sql = {
  session: "SELECT data FROM kedge.session_view WHERE session = $1",
  lastMessages: `SELECT place, id, role, data FROM kedge.message WHERE session = $1 AND place < $2
    ORDER BY place DESC LIMIT $3`,
  place: "SELECT place FROM kedge.message WHERE session = $1 AND id = $2",
  partsBetween: `SELECT message, id, time, data, refs FROM kedge.part
    WHERE session = $1 AND message BETWEEN $2 AND $3 ORDER BY message, id`,
  factsAt: `SELECT f.session, ${storedColumns.replaceAll(/\w+/g, "f.$&")} FROM kedge.fact f
    JOIN unnest($1::bigint[], $2::bigint[]) AS wanted (session, seq) ON f.session = wanted.session AND f.seq = wanted.seq`,
} as const;

/** Above every place that a message can have. */
const pastTheEnd = Number.MAX_SAFE_INTEGER;

/** Parts looked at per query of a search, with the facts that they refer to. */
const partsPerPage = 50;

type Page = { readonly before?: string; readonly limit: number };

/** `key` is that of the session. */
export async function sessionOf(queries: Queries, key: number): Promise<SessionView | "damaged" | undefined> {
  const [row] = await queries.rows(sql.session, [key]);
  return row && sessionOfText(row["data"]);
}

/** `key` is that of the session. */
export async function messagesOf(
  queries: Queries,
  { sessionId, key }: { readonly sessionId: string; readonly key: number },
  { before, limit }: Page,
): Promise<MessagePage> {
  const end = before === undefined ? pastTheEnd : await placeOf(queries, key, before);
  const found = await queries.rows(sql.lastMessages, [key, end, limit + 1]);
  const rows = found.slice(0, limit).reverse();
  const [oldest, newest] = [rows[0], rows.at(-1)];
  if (oldest === undefined || newest === undefined) return { messages: [] };
  const idOf = new Map(rows.map((row) => [row["place"], row["id"] as string]));
  const partRows = await queries.rows(sql.partsBetween, [key, oldest["place"], newest["place"]]);
  const factAt = await factReader(queries, { sessionId, key }, partRows);
  const partsOf = new Map<string, PartView[]>();
  for (const row of partRows) {
    const messageId = idOf.get(row["message"]);
    if (messageId === undefined) continue;
    const parts = partsOf.get(messageId) ?? [];
    parts.push(partOf(row, messageId, factAt) ?? damagedPart(placeIn(row, messageId), sessionId));
    partsOf.set(messageId, parts);
  }
  const messages = rows.map((row): MessageView => {
    const parts = partsOf.get(row["id"] as string) ?? [];
    const { id, role, data } = row;
    return { ...messageOfColumns({ id, role, data }, sessionId, parts[0]?.time ?? 0), parts };
  });
  return found.length > limit ? { messages, before: oldest["id"] as string } : { messages };
}

async function placeOf(queries: Queries, key: number, messageId: string): Promise<number> {
  return Number((await queries.rows(sql.place, [key, messageId]))[0]?.["place"] ?? 0);
}

/** Reads the facts that the parts refer to, all at once. */
async function factReader(
  queries: Queries,
  { sessionId, key }: { readonly sessionId: string; readonly key: number },
  parts: readonly Row[],
): Promise<(seq: number) => unknown> {
  const named = parts.map((row) => ({ ...row, session: key, session_id: sessionId }));
  const facts = await factsOf(queries, named);
  return (seq) => factIn(facts, `${key} ${seq}`);
}

function factIn(facts: ReadonlyMap<string, unknown>, name: string): unknown {
  const fact = facts.get(name);
  if (fact instanceof RecordDamaged) throw fact;
  return fact;
}

/** By the key of the session and the number of the fact; in the place of a damaged one stands why. */
async function factsOf(queries: Queries, parts: readonly Row[]): Promise<ReadonlyMap<string, unknown>> {
  const wanted = new Map<string, readonly [session: unknown, seq: number, sessionId: string]>();
  for (const row of parts) {
    const { session, session_id: sessionId } = row;
    for (const seq of factsReferredTo(packedPart(row)))
      wanted.set(`${session} ${seq}`, [session, seq, String(sessionId)]);
  }
  const facts = new Map<string, unknown>();
  if (wanted.size === 0) return facts;
  const places = [...wanted.values()];
  const rows = await queries.values(sql.factsAt, [places.map(([session]) => session), places.map(([, seq]) => seq)]);
  for (const [session, ...columns] of rows) {
    const row = rowOf(columns);
    const name = `${session} ${row.seq}`;
    facts.set(name, factOrDamage(wanted.get(name)?.[2] ?? "", row));
  }
  return facts;
}

function factOrDamage(sessionId: string, row: StoredRow): unknown {
  try {
    return readRow(sessionId, row).fact;
  } catch (error) {
    if (error instanceof RecordDamaged) return error;
    throw error;
  }
}

/**
 * The index says which parts hold all the words, not whether those of a phrase follow one another: it keeps no places,
 * which it would cut off in long texts. So each part that it names is looked at.
 */
export async function searchParts(queries: Queries, query: SearchQuery, redact: Redact): Promise<readonly SearchHit[]> {
  const phrases = phrasesOf(query.text);
  if (phrases.length === 0 || query.limit <= 0) return [];
  const hits = new Map<string, SearchHit>();
  let after: Row | undefined;
  for (;;) {
    const { text, values } = searchSql(query, phrases, after);
    const page = await queries.rows(text, values);
    const facts = await factsOf(queries, page);
    for (const row of page) {
      const message = `${row["session"]} ${row["message"]}`;
      // The newest part of a message stands for it.
      const factAt = (seq: number) => factIn(facts, `${row["session"]} ${seq}`);
      const hit = hits.has(message) ? undefined : hitOf(row, factAt, phrases, redact);
      if (hit !== undefined) hits.set(message, hit);
      if (hits.size >= query.limit) return [...hits.values()];
    }
    after = page.at(-1);
    if (page.length < partsPerPage) return [...hits.values()];
  }
}

function hitOf(
  row: Row,
  factAt: (seq: number) => unknown,
  phrases: readonly Phrase[],
  redact: Redact,
): SearchHit | undefined {
  // The types of the columns are those of the schema.
  const [sessionId, messageId] = [row["session_id"], row["message_id"]] as [string, string];
  const part = partOf(row, messageId, factAt);
  if (part === undefined) return undefined;
  const text = wordsOfPart(part, redact)?.text ?? "";
  if (!holdsAll(text, phrases)) return undefined;
  return {
    sessionId,
    messageId,
    title: titleOf(row["title"]),
    time: part.time,
    // The role of a message is written from a MessageRow alone.
    role: row["role"] as MessageRow["role"],
    ...(part.type === "tool" && { tool: part.tool }),
    snippet: snippetOf(text, phrases),
  };
}

function searchSql(query: SearchQuery, phrases: readonly Phrase[], last: Row | undefined) {
  const { sessionId, projectId, role, tool, file, after, before } = query;
  const values: unknown[] = [];
  const put = (value: unknown) => `$${values.push(value)}`;
  const conditions = [`p.words @@ ${put(matchOf(phrases))}::tsquery`];
  if (sessionId !== undefined) conditions.push(`s.id = ${put(sessionId)}`);
  if (projectId !== undefined) conditions.push(`s.project_id = ${put(projectId)}`);
  if (role !== undefined) conditions.push(`m.role = ${put(role)}`);
  if (tool !== undefined) conditions.push(`p.tool = ${put(tool)}`);
  if (after !== undefined) conditions.push(`p.time > ${put(after)}`);
  if (before !== undefined) conditions.push(`p.time < ${put(before)}`);
  if (last !== undefined) conditions.push(`(p.time, p.key) < (${put(last["time"])}, ${put(last["key"])})`);
  if (file !== undefined) {
    conditions.push(`EXISTS (SELECT 1 FROM kedge.part o
      WHERE o.session = p.session AND o.message = p.message AND strpos(o.files, ${put(file)}) > 0)`);
  }
  const text = `SELECT p.session, p.message, p.id, p.key, p.time, p.data, p.refs,
      m.id AS message_id, m.role, s.id AS session_id, s.title
    FROM kedge.part p JOIN kedge.session s ON s.key = p.session
    JOIN kedge.message m ON m.session = p.session AND m.place = p.message
    WHERE ${conditions.join(" AND ")} ORDER BY p.time DESC, p.key DESC LIMIT ${partsPerPage}`;
  return { text, values };
}

/** Words are letters, digits and marks alone, so nothing in them can be taken for an operator or an end of a quote. */
function matchOf(phrases: readonly Phrase[]): string {
  const words = phrases.flatMap(({ words, isBeginning }) =>
    words.map((word, index) => `'${indexedForm(word)}'${isBeginning && index === words.length - 1 ? ":*" : ""}`),
  );
  return words.join(" & ");
}

function packedPart(row: Row): PackedPart {
  return { data: row["data"] as string, refs: row["refs"] as string | null };
}

function partOf(row: Row, messageId: string, factAt: (seq: number) => unknown): PartView | undefined {
  return unpackPart(packedPart(row), placeIn(row, messageId), factAt);
}

function placeIn(row: Row, messageId: string): PartPlace {
  return { id: row["id"] as string, messageId, time: row["time"] as number };
}
