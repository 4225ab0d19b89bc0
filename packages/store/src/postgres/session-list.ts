/** The listing of sessions: one statement per combination of filters, newest first. */
import type { SessionFilter, SessionSummary } from "@kedge/protocol";
import { titleWords } from "../session-filter.ts";
import type { Queries } from "./postgres-connection.ts";
import { sessionEntry } from "./postgres-rows.ts";

/** Equal times are told apart by the id, so that the next page begins exactly where this one ends. */
export async function listSessions(queries: Queries, filter: SessionFilter): Promise<readonly SessionSummary[]> {
  const { directory, projectId, parentId, isArchived, updatedAfter, updatedBefore, after, limit } = filter;
  const values: unknown[] = [];
  const put = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["NOT deleted", `archived = ${put(isArchived === true)}`];
  if (directory !== undefined) conditions.push(`directory = ${put(directory)}`);
  if (projectId !== undefined) conditions.push(`project_id = ${put(projectId)}`);
  if (parentId !== undefined) conditions.push(`parent_id = ${put(parentId)}`);
  if (updatedAfter !== undefined) conditions.push(`updated > ${put(updatedAfter)}`);
  if (updatedBefore !== undefined) conditions.push(`updated < ${put(updatedBefore)}`);
  if (after !== undefined) conditions.push(`(updated, id) < (${put(after.updatedAt)}, ${put(after.sessionId)})`);
  for (const word of titleWords(filter)) conditions.push(`strpos(plain_title, ${put(word)}) > 0`);
  const text = `SELECT * FROM kedge.session WHERE ${conditions.join(" AND ")}
    ORDER BY updated DESC, id DESC LIMIT ${put(limit)}`;
  return (await queries.rows(text, values)).map((row) => sessionEntry(row).summary);
}
