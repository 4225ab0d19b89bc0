/** Writes one row of an SQLite database: inserts it, changes it by its key, or deletes it. */

import { resolve } from "node:path";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { ToolContext, ToolOutput } from "@kedge/protocol";
import { inTransaction } from "../../database-transaction.ts";
import { rowText } from "../../reading/database/database-text.ts";
import { shortPath } from "../../tool-path.ts";
import { findPlace } from "../change-guards.ts";
import { diffTexts } from "../file-diff.ts";
import { findRow, type NamedRow, quoteName, RowProblem, type Rows, rowsOf } from "./database-table.ts";
import type { InnerWrite } from "./inner-write.ts";
import { checkWritable, findDatabase, openDatabase } from "./open-database.ts";
import { type RowValue, rowValuesOf } from "./row-values.ts";
import type { RowTarget } from "./write-target.ts";

export type RowWrite = { readonly target: RowTarget; readonly content: string };

type KnownRow = { readonly columns: readonly string[]; readonly row: readonly SQLOutputValue[] };

type KeyedRow = NamedRow & { readonly key: string };

type RowChange =
  | { readonly kind: "insert"; readonly named: NamedRow; readonly values: readonly RowValue[] }
  | {
      readonly kind: "update";
      readonly named: KeyedRow;
      readonly before: KnownRow;
      readonly values: readonly RowValue[];
    }
  | { readonly kind: "delete"; readonly named: KeyedRow; readonly before: KnownRow };

/** The row afterwards, with its key; without one it is gone. */
type Changed = { readonly change: RowChange; readonly after?: KnownRow & { readonly key: string } };

function isRowDeletion({ content }: RowWrite): boolean {
  return content.trim() === "";
}

export function writeRow(write: RowWrite): InnerWrite {
  return {
    async look(context) {
      const change = await orProblem(write, () => planAlone(write, context));
      if (typeof change === "string") return { ok: false, problem: change };
      const before = change.kind === "insert" ? undefined : textOf(change.before);
      const { text } = await diffTexts(titleOf(write, context.cwd), before, expectedText(change));
      return {
        ok: true,
        preview: change.kind === "delete" ? `Deletes a row of ${change.named.table}.\n${text}` : text,
      };
    },
    async run(context) {
      const changed = await orProblem(write, () => changeRow(write, context));
      if (typeof changed === "string") return { output: changed, isError: true, title: titleOf(write, context.cwd) };
      return report(changed, shortPath(resolve(context.cwd, write.target.container), context.cwd));
    },
  };
}

function titleOf({ target }: RowWrite, cwd: string): string {
  return `${shortPath(resolve(cwd, target.container), cwd)}:${target.inner}`;
}

/** The result, or what was wrong as a sentence for the model. */
async function orProblem<Result>({ target }: RowWrite, work: () => Promise<Result>): Promise<Result | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RowProblem) return error.message;
    const isFromSqlite = error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
    if (!isFromSqlite) throw error;
    return `SQLite rejected the change to ${target.container}: ${error.message}. Nothing was changed.`;
  }
}

async function planAlone(write: RowWrite, context: ToolContext): Promise<RowChange> {
  const database = await openDatabase(findDatabase(write.target.container, context), { readOnly: true });
  try {
    return planChange(database, write);
  } finally {
    database.close();
  }
}

async function changeRow(write: RowWrite, context: ToolContext): Promise<Changed> {
  const place = findPlace(write.target.container, context.cwd);
  if (!place.ok) throw new RowProblem(place.problem);
  return context.files.exclusively(place.path, async () => {
    if (context.signal.aborted) throw new RowProblem("Interrupted before anything was written.");
    const path = findDatabase(write.target.container, context);
    await checkWritable(path);
    const database = await openDatabase(path, { readOnly: false });
    try {
      return inTransaction(database, () => apply(database, planChange(database, write)));
    } finally {
      database.close();
    }
  });
}

function planChange(database: DatabaseSync, write: RowWrite): RowChange {
  const named = findRow(database, write.target.inner);
  const { table, columns, keyColumn, key } = named;
  if (key === undefined) {
    if (isRowDeletion(write))
      throw new RowProblem(
        'The content is empty; write {"column": value, …} to insert a row, or name a key to delete one.',
      );
    return { kind: "insert", named, values: valuesOf(write.content, columns) };
  }
  const found = rowsOf(database, `SELECT * FROM ${quoteName(table)} WHERE ${keyColumn} = ?`, [key]);
  const [row] = found.rows;
  if (row === undefined)
    throw new RowProblem(`${table} has no row with the key ${key}; write to ${table} alone to insert one.`);
  const known = { named: { ...named, key }, before: { columns: found.columns, row } };
  if (isRowDeletion(write)) return { kind: "delete", ...known };
  return { kind: "update", ...known, values: valuesOf(write.content, columns) };
}

function valuesOf(content: string, columns: readonly string[]): readonly RowValue[] {
  const values = rowValuesOf(content, columns);
  if (!values.ok) throw new RowProblem(values.problem);
  return values.values;
}

function apply(database: DatabaseSync, change: RowChange): Changed {
  const { named } = change;
  const table = quoteName(named.table);
  const returning = `RETURNING ${named.keyColumn}, *`;
  switch (change.kind) {
    case "insert": {
      const columns = change.values.map(({ column }) => quoteName(column)).join(", ");
      const places = change.values.map(() => "?").join(", ");
      const sql = `INSERT INTO ${table} (${columns}) VALUES (${places}) ${returning}`;
      return { change, after: onlyRow(rowsOf(database, sql, bound(change.values))) };
    }
    case "update": {
      const places = change.values.map(({ column }) => `${quoteName(column)} = ?`).join(", ");
      const sql = `UPDATE ${table} SET ${places} WHERE ${named.keyColumn} = ? ${returning}`;
      return { change, after: onlyRow(rowsOf(database, sql, [...bound(change.values), change.named.key])) };
    }
    case "delete":
      onlyRow(rowsOf(database, `DELETE FROM ${table} WHERE ${named.keyColumn} = ? ${returning}`, [change.named.key]));
      return { change };
  }
}

function bound(values: readonly RowValue[]): readonly RowValue["value"][] {
  return values.map(({ value }) => value);
}

/** The key stands before the other columns. */
function onlyRow({ columns, rows }: Rows): KnownRow & { readonly key: string } {
  const [row] = rows;
  // A trigger can ignore a change without any error.
  if (row === undefined || rows.length > 1)
    throw new RowProblem("The table did not accept the change. Nothing was changed.");
  return { key: String(row[0]), columns: columns.slice(1), row: row.slice(1) };
}

/** What the database itself adds, such as defaults, is seen only when it is done. */
function expectedText(change: RowChange): string {
  if (change.kind === "delete") return "";
  const { values } = change;
  const columns = change.kind === "insert" ? values.map(({ column }) => column) : change.before.columns;
  const row = columns.map((name, index) => {
    const given = values.find(({ column }) => column === name);
    if (given !== undefined) return given.value;
    return change.kind === "insert" ? null : (change.before.row[index] ?? null);
  });
  return textOf({ columns, row });
}

function textOf({ columns, row }: KnownRow): string {
  return `${rowText(columns, row)}\n`;
}

const reportWords = {
  insert: { verb: "Inserted", op: "create" },
  update: { verb: "Changed", op: "update" },
  delete: { verb: "Deleted", op: "delete" },
} as const;

async function report({ change, after }: Changed, database: string): Promise<ToolOutput> {
  const { named } = change;
  const title = `${database}:${named.table}:${after?.key ?? named.key}`;
  const before = change.kind === "insert" ? undefined : textOf(change.before);
  const { text, additions, deletions } = await diffTexts(title, before, after === undefined ? "" : textOf(after));
  const { verb, op } = reportWords[change.kind];
  const metadata = { diff: text, additions, deletions, op, ...(change.kind === "delete" && { destructive: true }) };
  return { output: `${verb} ${title}.`, title, metadata };
}
