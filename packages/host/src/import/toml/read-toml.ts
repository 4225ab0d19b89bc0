/** Reads TOML, the language of Codex's and Gemini CLI's files, into plain values; what is wrong is told with its line. */
import { addToList, newTable, putAt, type TomlTable, tableAt } from "./toml-table.ts";
import { createTomlText, TomlProblem, type TomlText } from "./toml-text.ts";
import { readTomlKey, readTomlValue } from "./toml-value.ts";

export type TomlRead =
  | { readonly ok: true; readonly table: TomlTable }
  | { readonly ok: false; readonly line: number; readonly why: string };

export function readToml(source: string): TomlRead {
  const text = createTomlText(source);
  try {
    return { ok: true, table: readDocument(text) };
  } catch (error) {
    if (error instanceof TomlProblem) return { ok: false, line: text.line(), why: error.message };
    throw error;
  }
}

function readDocument(text: TomlText): TomlTable {
  const root = newTable();
  /** Tables that a header opened, which may be done only once. */
  const opened = new Set<TomlTable>();
  let table = root;
  for (text.skipLines(); !text.isEnd(); text.skipLines()) {
    if (text.peek() === "[") table = openTable(root, text, opened);
    else {
      const path = readTomlKey(text);
      text.skipBlanks();
      text.expect("=");
      text.skipBlanks();
      putAt(table, path, readTomlValue(text, 0));
    }
    text.endLine();
  }
  return root;
}

function openTable(root: TomlTable, text: TomlText, opened: Set<TomlTable>): TomlTable {
  const isList = text.peek(2) === "[[";
  text.expect(isList ? "[[" : "[");
  text.skipBlanks();
  const path = readTomlKey(text);
  text.skipBlanks();
  text.expect(isList ? "]]" : "]");
  const parent = path.slice(0, -1).reduce(tableAt, root);
  const name = path.at(-1) ?? "";
  if (isList) return addToList(parent, name);
  const table = tableAt(parent, name);
  if (opened.has(table)) throw new TomlProblem(`duplicate table ${name}`);
  opened.add(table);
  return table;
}
