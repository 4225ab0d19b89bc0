/** Turns the content of a write into the values of a row. */
import { isJsonObject } from "@kedge/protocol";
import { parseJson5 } from "./json5-text.ts";

export type RowValue = {
  readonly column: string;
  readonly value: string | number | bigint | null;
};

export type RowValues =
  | { readonly ok: true; readonly values: readonly RowValue[] }
  | { readonly ok: false; readonly problem: string };

/** Names of columns are told apart as the database does, without regard to case. */
export function rowValuesOf(content: string, columns: readonly string[]): RowValues {
  const row = parseJson5(content);
  const shape = 'write the row as {"column": value, …} in JSON5';
  if (!isJsonObject(row)) return { ok: false, problem: `The content is not an object; ${shape}.` };
  const values: RowValue[] = [];
  for (const [name, value] of Object.entries(row)) {
    const column = columns.find((column) => column.toLowerCase() === name.toLowerCase());
    if (column === undefined)
      return { ok: false, problem: `There is no column ${name}; the table has ${columns.join(", ")}.` };
    if (values.some((other) => other.column === column))
      return { ok: false, problem: `The column ${column} is named twice; give it one value.` };
    values.push({ column, value: asValue(value) });
  }
  if (values.length === 0) return { ok: false, problem: `The object contains no columns; ${shape}.` };
  return { ok: true, values };
}

/** Lists and objects are kept as JSON, which is how databases hold them. */
function asValue(value: unknown): RowValue["value"] {
  switch (typeof value) {
    case "string":
      return value;
    case "boolean":
      return value ? 1n : 0n;
    case "number":
      // As a plain number it would be kept with a decimal point where the column has no type.
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    default:
      return value === null ? null : JSON.stringify(value);
  }
}
