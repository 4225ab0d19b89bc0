/** The listing of sessions: one statement per combination of filters, newest first. */
import type { SQLInputValue } from "node:sqlite";
import type { SessionFilter, SessionSummary } from "@kedge/protocol";
import { type IsAlive, isHeld } from "../lease.ts";
import { titleWords } from "../session-filter.ts";
import type { Connection } from "./sqlite-connection.ts";
import { leaseEntry, sessionEntry } from "./sqlite-rows.ts";

type Condition = readonly [text: string, ...values: SQLInputValue[]];

export function listSessions(connection: Connection, filter: SessionFilter): readonly SessionSummary[] {
  const { text, values } = listSql(filter);
  return connection.all(text, ...values).flatMap((row) => sessionEntry(row)?.summary ?? []);
}

/** A lease that nobody gave back stays in its table until somebody takes it, so each one is judged. */
export function listHeld(
  connection: Connection,
  world: { readonly now: number; readonly isAlive: IsAlive },
): readonly string[] {
  return connection.all("SELECT * FROM lease ORDER BY session_id").flatMap((row) => {
    const lease = leaseEntry(row);
    // The column is never null.
    return lease !== undefined && isHeld(lease, world) ? [row["session_id"] as string] : [];
  });
}

/**
 * Sorted in memory: an index that holds the order would be written with every append. Equal times are told apart by the
 * id, so that the next page begins exactly where this one ends.
 */
export function listSql(filter: SessionFilter): { readonly text: string; readonly values: readonly SQLInputValue[] } {
  const { directory, projectId, parentId, isArchived, updatedAfter, updatedBefore, after, limit } = filter;
  const conditions: Condition[] = [["deleted = 0"], ["archived = ?", isArchived === true ? 1 : 0]];
  if (directory !== undefined) conditions.push(["directory = ?", directory]);
  if (projectId !== undefined) conditions.push(["project_id = ?", projectId]);
  if (parentId !== undefined) conditions.push(["parent_id = ?", parentId]);
  if (updatedAfter !== undefined) conditions.push(["updated > ?", updatedAfter]);
  if (updatedBefore !== undefined) conditions.push(["updated < ?", updatedBefore]);
  if (after !== undefined) conditions.push(["(updated, id) < (?, ?)", after.updatedAt, after.sessionId]);
  for (const word of titleWords(filter)) conditions.push(["instr(plain_title(title), ?) > 0", word]);
  const where = conditions.map(([condition]) => condition).join(" AND ");
  const values = [...conditions.flatMap(([, ...given]) => given), limit];
  return { text: `SELECT * FROM session WHERE ${where} ORDER BY updated DESC, id DESC LIMIT ?`, values };
}
