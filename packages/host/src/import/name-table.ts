/** A table by names that others choose: a name such as `constructor` finds nothing in it. */

export type NameTable = ReadonlyMap<string, string>;

export function nameTable(rows: { readonly [theirs: string]: string }): NameTable {
  return new Map(Object.entries(rows));
}
