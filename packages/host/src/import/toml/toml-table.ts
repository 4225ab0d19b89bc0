/** Tables of TOML: found, made and filled by the path of a key. */
import { TomlProblem } from "./toml-text.ts";

/** Times stay texts, as nobody here counts with them. */
export type TomlValue = string | number | boolean | TomlValue[] | TomlTable;

export type TomlTable = { [name: string]: TomlValue };

/** Without a prototype, so that no key has a meaning of its own. */
export function newTable(): TomlTable {
  return Object.create(null);
}

/** Of a list of tables the last one is meant. */
export function tableAt(parent: TomlTable, name: string): TomlTable {
  const existing = parent[name];
  const found = Array.isArray(existing) ? existing.at(-1) : existing;
  if (found === undefined) {
    const table = newTable();
    parent[name] = table;
    return table;
  }
  if (typeof found !== "object" || Array.isArray(found)) throw new TomlProblem(`${name} is not a table`);
  return found;
}

export function putAt(table: TomlTable, path: readonly string[], value: TomlValue): void {
  const parent = path.slice(0, -1).reduce(tableAt, table);
  const name = path.at(-1) ?? "";
  if (parent[name] !== undefined) throw new TomlProblem(`duplicate key ${name}`);
  parent[name] = value;
}

export function addToList(parent: TomlTable, name: string): TomlTable {
  const table = newTable();
  const existing = parent[name];
  if (existing === undefined) parent[name] = [table];
  else if (Array.isArray(existing)) existing.push(table);
  else throw new TomlProblem(`${name} is not a list of tables`);
  return table;
}
