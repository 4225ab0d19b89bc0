/** What `read` shows of an SQLite database: its tables, one of them, some rows, one row, or the answer to a query. */

import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { nearNames, type ToolOutput } from "@kedge/protocol";
import { nameInWords } from "../in-words.ts";
import type { Selection } from "../selection.ts";
import { parseRowsQuery, problemOfStatement } from "./database-statement.ts";
import { rowText, tableText } from "./database-text.ts";

export type DatabaseTarget = {
  readonly path: string;
  readonly title: string;
  /** Empty, `:table`, `:table:key`, `:table?limit=5` or `?q=SELECT 1`. */
  readonly inner: string;
  readonly selection: Selection;
  readonly signal: AbortSignal;
};

type Table = { readonly name: string; readonly type: string; readonly sql: string };
type Row = readonly SQLOutputValue[];

const busyTimeoutMs = 3_000;
const tablesMax = 500;
const sampleRows = 5;
const answerRowsMax = 1_000;
const nearNamesMax = 3;

/** A problem that the model can solve. */
class DatabaseProblem extends Error {}

export async function readFromDatabase(target: DatabaseTarget): Promise<ToolOutput> {
  const { path, title } = target;
  let database: DatabaseSync | undefined;
  try {
    if (target.selection.isPartial)
      throw new DatabaseProblem("A database has no lines; choose rows with TABLE?limit=&offset= behind its path.");
    database = await openReadOnly(path);
    return { output: await answer(database, target), title };
  } catch (error) {
    if (error instanceof DatabaseProblem) return { output: error.message, isError: true, title };
    const isFromSqlite = error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
    if (!isFromSqlite) throw error;
    return { output: `SQLite rejected the query of ${path}: ${error.message}.`, isError: true, title };
  } finally {
    database?.close();
  }
}

async function openReadOnly(path: string): Promise<DatabaseSync> {
  const { DatabaseSync, constants } = await import("node:sqlite");
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  database.exec("PRAGMA query_only=ON; PRAGMA trusted_schema=OFF");
  // Other files need permissions of their own, and a recursion without an end could not be interrupted.
  // Older runtimes lack this; there the first word of a statement keeps other files out.
  if (typeof database.setAuthorizer === "function") {
    const denied: readonly number[] = [constants.SQLITE_ATTACH, constants.SQLITE_DETACH, constants.SQLITE_RECURSIVE];
    database.setAuthorizer((action) => (denied.includes(action) ? constants.SQLITE_DENY : constants.SQLITE_OK));
  }
  return database;
}

async function answer(database: DatabaseSync, { inner, title, signal }: DatabaseTarget): Promise<string> {
  if (inner.startsWith("?")) return answerQuery(database, inner);
  const tables = tablesOf(database);
  const wanted = inner.slice(1);
  if (wanted === "") return listTables(database, tables, signal);
  const table = tableAt(tables, wanted);
  if (table === undefined) {
    const names = tables.map(({ name }) => name);
    const near = nearNames(wanted, names, { countMax: nearNamesMax }).map(nameInWords);
    const advice = near.length === 0 ? `Read ${title} to see its tables.` : `Similar names: ${near.join(", ")}`;
    throw new DatabaseProblem(`There is no table ${wanted} in ${title}. ${advice}`);
  }
  const rest = wanted.slice(table.name.length);
  if (rest.length <= 1) return describeTable(database, table);
  return rest.startsWith("?") ? showRows(database, table, rest.slice(1)) : showRow(database, table, rest.slice(1));
}

function tablesOf(database: DatabaseSync): readonly Table[] {
  const sql = "SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name";
  return rowsOf(database, sql).rows.map(([name, type, sql]) => ({
    name: String(name),
    type: String(type),
    sql: String(sql ?? ""),
  }));
}

/** The longest name that fits: a name may have the signs in it that end one. */
function tableAt(tables: readonly Table[], wanted: string): Table | undefined {
  const lower = wanted.toLowerCase();
  return tables
    .filter(({ name }) => lower.startsWith(name.toLowerCase()) && /^(?:$|[:?])/.test(wanted.slice(name.length)))
    .toSorted((left, right) => right.name.length - left.name.length)[0];
}

async function listTables(database: DatabaseSync, tables: readonly Table[], signal: AbortSignal): Promise<string> {
  const own = tables.filter(({ name }) => !name.startsWith("sqlite_"));
  let text = "";
  for (const { name, type } of own.slice(0, tablesMax)) {
    // Counting takes long in a large table, so an interruption must get its turn.
    await nextTurn();
    if (signal.aborted) throw new DatabaseProblem("Reading was interrupted.");
    text += `${nameInWords(name)} (${type === "view" ? "view" : countOf(database, name)})\n`;
  }
  return `${text}(${Math.min(own.length, tablesMax)} of ${own.length} tables and views)`;
}

/** A table whose module is missing cannot be counted, and does not hide the others. */
function countOf(database: DatabaseSync, name: string): string {
  try {
    const count = rowsOf(database, `SELECT count(*) FROM ${quote(name)}`).rows[0]?.[0];
    return `${count} ${count === 1n ? "row" : "rows"}`;
  } catch (error) {
    return `cannot be counted: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function describeTable(database: DatabaseSync, { name, sql }: Table): string {
  const { columns, rows } = rowsOf(database, `SELECT * FROM ${quote(name)} LIMIT ${sampleRows}`);
  return `${sql};\n\n${tableText(columns, rows)}(the first ${rows.length} rows; more with ${name}?limit=&offset=)`;
}

function showRows(database: DatabaseSync, { name }: Table, text: string): string {
  const parsed = parseRowsQuery(text);
  if (!parsed.ok) throw new DatabaseProblem(parsed.problem);
  const { limit, offset, where, order } = parsed.value;
  const condition = where === undefined ? "" : ` WHERE (${where})`;
  const sorted = order === undefined ? "" : ` ORDER BY ${orderOf(database, name, order)}`;
  const sql = `SELECT * FROM ${quote(name)}${condition}${sorted} LIMIT ${limit + 1} OFFSET ${offset}`;
  const { columns, rows } = rowsOf(database, sql);
  if (rows.length === 0) return offset === 0 ? "(no rows)" : `(no rows from offset ${offset} on)`;
  const shown = rows.slice(0, limit);
  const more = rows.length > limit ? `; continue with offset=${offset + limit}` : "";
  return `${tableText(columns, shown)}(rows ${offset + 1}-${offset + shown.length}${more})`;
}

/** `name`, `-name`, `name asc` or `name desc`. */
function orderOf(database: DatabaseSync, table: string, order: string): string {
  const match = /^(-?)(.*?)(?:[\s:]+(asc|desc))?$/is.exec(order);
  const wanted = match?.[2]?.toLowerCase();
  const names = columnsOf(database, table).map(({ name }) => name);
  const column = names.find((name) => name.toLowerCase() === wanted);
  if (column === undefined)
    throw new DatabaseProblem(`order=${order} is not a column of ${table}; it has ${names.join(", ")}`);
  return `${quote(column)} ${match?.[1] === "-" || match?.[3]?.toLowerCase() === "desc" ? "DESC" : "ASC"}`;
}

function showRow(database: DatabaseSync, { name, type }: Table, key: string): string {
  const keys = columnsOf(database, name).filter(({ keyPosition }) => keyPosition > 0);
  if (type === "view" || keys.length > 1)
    throw new DatabaseProblem(`${name} has no key of one column; use ${name}?where= to choose a row.`);
  const column = keys[0] === undefined ? "rowid" : quote(keys[0].name);
  const { columns, rows } = rowsOf(database, `SELECT * FROM ${quote(name)} WHERE ${column} = ? LIMIT 1`, key);
  const [row] = rows;
  if (row === undefined) throw new DatabaseProblem(`${name} has no row with the key ${key}.`);
  return rowText(columns, row);
}

function columnsOf(database: DatabaseSync, table: string) {
  const { rows } = rowsOf(database, "SELECT name, pk FROM pragma_table_info(?)", table);
  return rows.map(([name, position]) => ({ name: String(name), keyPosition: Number(position) }));
}

function answerQuery(database: DatabaseSync, inner: string): string {
  if (!inner.startsWith("?q="))
    throw new DatabaseProblem(
      "Behind a database follows ?q=SELECT …, or :TABLE and perhaps ?limit=&offset=&order=&where=.",
    );
  const sql = inner.slice("?q=".length).trim();
  const problem = problemOfStatement(sql);
  if (problem !== undefined) throw new DatabaseProblem(problem);
  // The engine keeps the first statement only; what it left over would be a second one.
  const first = database.prepare(sql).sourceSQL;
  if (sql.slice(first.length).trim() !== "")
    throw new DatabaseProblem("?q= takes one statement; nothing may follow its semicolon.");
  const { columns, rows } = rowsOf(database, sql);
  const shown = rows.slice(0, answerRowsMax);
  const more = rows.length > answerRowsMax ? "the first " : "";
  return `${tableText(columns, shown)}(${more}${shown.length} ${shown.length === 1 ? "row" : "rows"})`;
}

/** One row more than may be shown at most, so that it is seen whether there are more. */
function rowsOf(database: DatabaseSync, sql: string, ...values: readonly string[]) {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const rows: Row[] = [];
  // Typed as objects; with the setting above each row is an array.
  for (const row of statement.iterate(...values) as Iterable<unknown> as Iterable<Row>) {
    rows.push(row);
    if (rows.length > answerRowsMax) break;
  }
  return { columns: statement.columns().map(({ name }) => name), rows };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
