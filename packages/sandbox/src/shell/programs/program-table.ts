/** Finds the row of a program in the texts of tables. A row is parsed and checked when its program is met for the first time. */
import { checkRow, isRecord } from "./check-row.ts";
import { lazily } from "./option-set.ts";
import type { ProgramRow } from "./program-row.ts";

export type ProgramTable = {
  readonly names: () => Iterable<string>;
  readonly has: (name: string) => boolean;
  readonly find: (name: string) => ProgramRow | undefined;
};

type RawRow = Readonly<Record<string, unknown>>;
type Index = Readonly<Record<"names" | "set", Map<string, string>>>;

export function openTable(readTexts: () => readonly string[]): ProgramTable {
  const index = lazily(() => indexLines(readTexts()));
  return {
    names: () => index().names.keys(),
    has: (name) => index().names.has(name),
    find: (name) => {
      const line = index().names.get(name);
      return line === undefined ? undefined : checkRow(name, takeOver(parse(line), index()));
    },
  };
}

/** Every line begins with the names it is found under, so that the others need no parsing. */
function indexLines(texts: readonly string[]): Index {
  const index: Index = { names: new Map(), set: new Map() };
  for (const line of texts.flatMap((text) => text.split("\n"))) {
    const [, field, names] = /^\{"(names|set)":"([^"\\]+)"/.exec(line) ?? [];
    if ((field !== "names" && field !== "set") || names === undefined) throw new Error(`a row has no names: ${line}`);
    for (const name of names.split(" ")) {
      if (index[field].has(name)) throw new Error(`${name} has two rows`);
      index[field].set(name, line);
    }
  }
  return index;
}

function parse(line: string): RawRow {
  const { names: _, set: __, ...row }: RawRow = JSON.parse(line);
  return row;
}

/** Puts in what the row, and the tables within it, take over from others by `like`. */
function takeOver(row: RawRow, index: Index): RawRow {
  const inner = Object.entries(row).map(([field, value]) => [field, isRecord(value) ? takeOver(value, index) : value]);
  const { like, ...own }: RawRow = Object.fromEntries(inner);
  if (like === undefined) return own;
  const line = index.set.get(String(like)) ?? index.names.get(String(like));
  if (line === undefined) throw new Error(`there is no row ${like} to take over`);
  const { code: _, ...other } = takeOver(parse(line), index);
  return {
    ...other,
    ...own,
    ...(own["plain"] === undefined || other["plain"] === undefined
      ? {}
      : { plain: `${other["plain"]} ${own["plain"]}` }),
    ...(Array.isArray(own["special"]) && Array.isArray(other["special"])
      ? { special: [...other["special"], ...own["special"]] }
      : {}),
  };
}
