/** Finds the table and the row that a target names in a database, and what can be written there. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { nearNames } from "@kedge/protocol";
import { nameInWords } from "../../reading/in-words.ts";

/** A problem that the model can solve. */
export class RowProblem extends Error {}

export type NamedRow = {
  readonly table: string;
  readonly columns: readonly string[];
  /** The column whose value tells one row from the others, quoted. */
  readonly keyColumn: string;
  /** Undefined for a row that does not exist yet. */
  readonly key: string | undefined;
};

type Table = { readonly name: string; readonly type: string; readonly hasRowId: boolean };

const nearNamesMax = 3;
const rowIdNames = ["rowid", "_rowid_", "oid"] as const;

/** `inner` is `TABLE` or `TABLE:KEY`. */
export function findRow(database: DatabaseSync, inner: string): NamedRow {
  const tables = tablesOf(database);
  const found = tables
    .filter(({ name }) => `${inner}:`.toLowerCase().startsWith(`${name}:`.toLowerCase()))
    // A name may have colons in it, so the longest that fits is meant.
    .toSorted((left, right) => right.name.length - left.name.length)[0];
  if (found === undefined) {
    const [wanted = inner] = inner.split(":");
    const names = tables.map(({ name }) => name);
    const near = nearNames(wanted, names, { countMax: nearNamesMax }).map(nameInWords);
    throw new RowProblem(
      `There is no table ${wanted}. ${near.length === 0 ? "Read the database to see its tables." : `Similar names: ${near.join(", ")}`}`,
    );
  }
  const key = inner.length > found.name.length ? inner.slice(found.name.length + 1) : undefined;
  if (key === "") throw new RowProblem(`The key is empty; write to ${found.name}:KEY, or to ${found.name} to insert.`);
  return { ...describeTable(database, found), key };
}

function tablesOf(database: DatabaseSync): readonly Table[] {
  const sql =
    "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
  return rowsOf(database, sql).rows.map(([name, type, wr]) => ({
    name: String(name),
    type: String(type),
    hasRowId: Number(wr) === 0,
  }));
}

function describeTable(database: DatabaseSync, { name, type, hasRowId }: Table): Omit<NamedRow, "key"> {
  const { rows } = rowsOf(database, "SELECT name, pk FROM pragma_table_info(?)", [name]);
  const columns = rows.map(([column]) => String(column));
  const keys = rows.flatMap(([column, position]) => (Number(position) > 0 ? [String(column)] : []));
  const refuse = (why: string) =>
    new RowProblem(`${name} ${why}; change it with bash (sqlite3). Its columns: ${columns.join(", ")}.`);
  if (type !== "table") throw refuse(`is a ${type === "view" ? type : `${type} table`}`);
  if (!hasRowId) throw refuse("has no row id");
  if (keys.length > 1) throw refuse(`has a key of several columns (${keys.join(", ")})`);
  const [key] = keys;
  const rowId = rowIdNames.find((id) => !columns.some((column) => column.toLowerCase() === id));
  if (key === undefined && rowId === undefined) throw refuse("hides its row id behind columns");
  return { table: name, columns, keyColumn: key === undefined ? String(rowId) : quoteName(key) };
}

export type Rows = { readonly columns: readonly string[]; readonly rows: readonly (readonly SQLOutputValue[])[] };

export function rowsOf(database: DatabaseSync, sql: string, values: readonly SQLInputValue[] = []): Rows {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  // Typed as objects; with the setting above each row is an array.
  const rows = statement.all(...values) as unknown as Rows["rows"];
  return { columns: statement.columns().map(({ name }) => name), rows };
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
