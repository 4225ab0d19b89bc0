/** Writes what the view fold changed into the tables of messages, parts, todos, usage and words, many rows at a time. */
import type { MessageRow, PartView, SessionView, Todo, ViewChange } from "@kedge/protocol";
import { type KnownStrings, type PackedPart, packPart } from "../packed-part.ts";
import { type PartWords, type Redact, wordsOfPart } from "../part-search.ts";
import { wordsForIndex } from "../search-words.ts";
import type { UsageRow, ViewTables } from "../view-batch.ts";
import type { Queries } from "./postgres-connection.ts";

const sql = {
  /** New messages come behind all others, in their order; a known one keeps its place. */
  saveMessages: `WITH given AS (SELECT g.*, known.place,
        row_number() OVER (PARTITION BY known.place IS NULL ORDER BY g.ord) AS nth
      FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS g (id, role, data, ord)
      LEFT JOIN kedge.message known ON known.session = $1 AND known.id = g.id),
    last AS (SELECT coalesce(max(place), 0) AS place FROM kedge.message WHERE session = $1)
    INSERT INTO kedge.message (session, place, id, role, data)
    SELECT $1, coalesce(given.place, last.place + given.nth), given.id, given.role, given.data FROM given, last
    ON CONFLICT (session, place) DO UPDATE SET role = excluded.role, data = excluded.data`,
  /** What was found before under another time is found again. */
  saveParts: `INSERT INTO kedge.part (session, message, id, key, time, tool, files, data, refs, words)
    SELECT $1, m.place, g.id, nextval('kedge.part_order'), g.time, g.tool, g.files, g.data, g.refs,
      array_to_tsvector(string_to_array(g.words, ' '))
    FROM (SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
        $9::text[]) WITH ORDINALITY AS g (message, id, time, tool, files, data, refs, words, ord) ORDER BY ord) AS g
    JOIN kedge.message m ON m.session = $1 AND m.id = g.message
    ORDER BY g.ord
    ON CONFLICT (session, message, id) DO UPDATE SET tool = excluded.tool, files = excluded.files,
      data = excluded.data, refs = excluded.refs, words = excluded.words, time = excluded.time,
      key = CASE WHEN part.time = excluded.time THEN part.key ELSE excluded.key END`,
  dropParts: `DELETE FROM kedge.part p USING unnest($2::text[], $3::text[]) AS g (message, id), kedge.message m
    WHERE m.session = $1 AND m.id = g.message AND p.session = $1 AND p.message = m.place AND p.id = g.id`,
  dropMessage: `WITH gone AS (DELETE FROM kedge.message WHERE session = $1 AND id = $2 RETURNING place)
    DELETE FROM kedge.part USING gone WHERE session = $1 AND message = gone.place`,
  partData: `SELECT p.data FROM kedge.part p JOIN kedge.message m ON m.session = p.session AND m.place = p.message
    WHERE p.session = $1 AND m.id = $2 AND p.id = $3`,
  saveData: `UPDATE kedge.part p SET data = $4 FROM kedge.message m
    WHERE m.session = p.session AND m.place = p.message AND p.session = $1 AND m.id = $2 AND p.id = $3`,
  dropTodos: "DELETE FROM kedge.todo WHERE session = $1",
  saveTodos: `INSERT INTO kedge.todo (session, position, data)
    SELECT $1, g.ord - 1, g.data FROM unnest($2::text[]) WITH ORDINALITY AS g (data, ord)`,
  saveUsage: `INSERT INTO kedge.usage
    SELECT $1, g.* FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[],
      $8::bigint[], $9::bigint[], $10::bigint[], $11::double precision[], $12::boolean[]) AS g
    ON CONFLICT (session, seq) DO NOTHING`,
  dropPartsOf: "DELETE FROM kedge.part WHERE session = $1",
  dropMessagesOf: "DELETE FROM kedge.message WHERE session = $1",
  dropUsage: "DELETE FROM kedge.usage WHERE session = $1",
  saveSession: `INSERT INTO kedge.session_view (session, data) VALUES ($1, $2)
    ON CONFLICT (session) DO UPDATE SET data = excluded.data`,
  dropSession: "DELETE FROM kedge.session_view WHERE session = $1",
} as const;

/** Gathers rows, which `write` puts into the tables: in the order in which they came, where that matters. */
export type GatheredTables = ViewTables & { write(queries: Queries): Promise<void> };

type Act = (queries: Queries) => Promise<unknown>;

type PreparedPart = {
  readonly part: PartView;
  readonly packed: PackedPart;
  readonly words: PartWords | undefined;
};

/** `session` is its key. */
export function gatherTables(
  session: number,
  source: { readonly strings: KnownStrings; readonly redact: Redact },
): GatheredTables {
  const acts: Act[] = [];
  let messages: MessageRow[] = [];
  let parts: PreparedPart[] = [];
  let dropped: (readonly [messageId: string, partId: string])[] = [];
  let shown: SessionView | undefined;
  let todos: readonly Todo[] | undefined;
  const usages: UsageRow[] = [];

  /** Whatever must not come before the rows that were gathered so far. */
  function then(act?: Act): void {
    const [saved, savedParts, gone] = [messages, parts, dropped];
    [messages, parts, dropped] = [[], [], []];
    if (saved.length > 0) acts.push((queries) => queries.rows(sql.saveMessages, messageValues(session, saved)));
    if (savedParts.length > 0) acts.push((queries) => queries.rows(sql.saveParts, partValues(session, savedParts)));
    if (gone.length > 0) {
      const values = [session, gone.map(([messageId]) => messageId), gone.map(([, partId]) => partId)];
      acts.push((queries) => queries.rows(sql.dropParts, values));
    }
    if (act !== undefined) acts.push(act);
  }

  return {
    saveSession(given) {
      shown = given;
    },
    saveMessage: (message) => void messages.push(message),
    dropMessage: (messageId) => then((queries) => queries.rows(sql.dropMessage, [session, messageId])),
    savePart(part) {
      // Now, because the strings that it may refer to are forgotten later.
      const packed = packPart(part, source.strings);
      parts.push({ part, packed, words: wordsOfPart(part, source.redact) });
    },
    dropPart: (messageId, partId) => void dropped.push([messageId, partId]),
    clearOutput: (change) => then((queries) => clearOutput(queries, session, change)),
    replaceTodos(given) {
      todos = given;
    },
    saveUsage: (usage) => void usages.push(usage),
    async write(queries) {
      then();
      for (const act of acts) await act(queries);
      if (shown !== undefined) await queries.rows(sql.saveSession, [session, JSON.stringify(shown)]);
      if (todos !== undefined) {
        await queries.rows(sql.dropTodos, [session]);
        await queries.rows(sql.saveTodos, [session, todos.map((todo) => JSON.stringify(todo))]);
      }
      if (usages.length > 0) await queries.rows(sql.saveUsage, usageValues(session, usages));
    },
  };
}

async function clearOutput(
  queries: Queries,
  session: number,
  { messageId, partId, compactedAt }: Extract<ViewChange, { kind: "output-cleared" }>,
): Promise<void> {
  const [row] = await queries.rows(sql.partData, [session, messageId, partId]);
  if (row === undefined) return;
  // Rows are written from a part alone.
  const body = JSON.parse(String(row["data"])) as PartView;
  if (body.type !== "tool" || body.state.status !== "completed") return;
  const cleared = { ...body, state: { ...body.state, compactedAt } };
  await queries.rows(sql.saveData, [session, messageId, partId, JSON.stringify(cleared)]);
}

function messageValues(session: number, messages: readonly MessageRow[]): readonly unknown[] {
  return [
    session,
    messages.map(({ id }) => id),
    messages.map(({ role }) => role),
    messages.map(({ id: _, sessionId: __, role: ___, ...data }) => JSON.stringify(data)),
  ];
}

function partValues(session: number, parts: readonly PreparedPart[]): readonly unknown[] {
  return [
    session,
    parts.map(({ part }) => part.messageId),
    parts.map(({ part }) => part.id),
    parts.map(({ part }) => part.time),
    parts.map(({ words }) => words?.tool ?? null),
    parts.map(({ words }) => words?.files || null),
    parts.map(({ packed }) => packed.data),
    parts.map(({ packed }) => packed.refs),
    parts.map(({ words }) => (words === undefined ? null : wordsForIndex(words.text).join(" "))),
  ];
}

function usageValues(session: number, usages: readonly UsageRow[]): readonly unknown[] {
  return [
    session,
    usages.map(({ seq }) => seq),
    usages.map(({ time }) => time),
    usages.map(({ model }) => model),
    ...[0, 1, 2, 3, 4, 5].map((kind) => usages.map(({ tokens }) => tokens[kind])),
    usages.map(({ usd }) => usd),
    usages.map(({ isEstimated }) => isEstimated),
  ];
}

/** Takes away everything derived of a session, inside a transaction that has both of its locks. */
export async function dropViews(queries: Queries, session: number): Promise<void> {
  const rest = [sql.dropTodos, sql.dropUsage, sql.dropSession];
  for (const text of [sql.dropPartsOf, sql.dropMessagesOf, ...rest]) {
    await queries.rows(text, [session]);
  }
}
