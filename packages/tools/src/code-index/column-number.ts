/** Reads a number from a row of the index. */
import type { SQLOutputValue } from "node:sqlite";

/** The columns asked have no other type; anything else means that the tables are not ours. */
export function columnNumber(value: SQLOutputValue | undefined): number {
  if (typeof value !== "number") throw new Error(`the index has ${typeof value} where a number belongs`);
  return value;
}
