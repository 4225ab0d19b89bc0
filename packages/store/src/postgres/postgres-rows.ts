/** From rows of the PostgreSQL store to our types. The types of columns are those of the schema. */
import type { SessionSummary } from "@kedge/protocol";
import type { Head, StoredRow } from "../chain.ts";
import { titleOf } from "../damaged-view.ts";
import { storedColumns, storedRow } from "../stored-row.ts";
import type { Queries, Row } from "./postgres-connection.ts";

export type SessionEntry = {
  readonly key: number;
  readonly head: Head;
  readonly summary: SessionSummary;
  readonly isDeleted: boolean;
  /** The last fact that everything derived was made of. */
  readonly projected: number;
};

const sql = {
  session: `SELECT s.*, coalesce(p.seq, 0) AS projected
    FROM kedge.session s LEFT JOIN kedge.projection p ON p.session = s.key WHERE s.id = $1`,
  facts: `SELECT ${storedColumns} FROM kedge.fact WHERE session = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
} as const;

/** Rows taken per query. */
const rowsPerPage = 256;

export async function findSession(queries: Queries, sessionId: string): Promise<SessionEntry | undefined> {
  const [row] = await queries.rows(sql.session, [sessionId]);
  return row && sessionEntry(row);
}

export function sessionEntry(row: Row): SessionEntry {
  const lastSeq = row["last_seq"] as number;
  return {
    key: row["key"] as number,
    head: { seq: lastSeq, hash: row["head"] as string },
    summary: {
      sessionId: row["id"] as string,
      ...(typeof row["parent_id"] === "string" && { parentId: row["parent_id"] }),
      isArchived: row["archived"] === true,
      projectId: row["project_id"] as string,
      directory: row["directory"] as string,
      title: titleOf(row["title"]),
      model: row["model"] as string,
      createdAt: row["created"] as number,
      updatedAt: row["updated"] as number,
      lastSeq,
    },
    isDeleted: row["deleted"] === true,
    projected: Number(row["projected"] ?? 0),
  };
}

/** All content lies in its row. */
function notSpilled(): undefined {}

export function rowOf(columns: readonly unknown[]): StoredRow {
  return storedRow(columns, notSpilled);
}

export async function rowsAfter(
  queries: Queries,
  key: number,
  afterSeq: number,
  limit: number = rowsPerPage,
): Promise<readonly StoredRow[]> {
  return (await queries.values(sql.facts, [key, afterSeq, limit])).map(rowOf);
}

export async function* allRows(queries: Queries, key: number, afterSeq = 0): AsyncGenerator<StoredRow> {
  let page = await rowsAfter(queries, key, afterSeq);
  while (page.length > 0) {
    yield* page;
    page = page.length < rowsPerPage ? [] : await rowsAfter(queries, key, page.at(-1)?.seq ?? 0);
  }
}
