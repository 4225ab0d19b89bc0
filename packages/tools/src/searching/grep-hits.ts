/** Gathers what ripgrep prints in content mode: per file its rows, and which of them are matches. */

export type Row = { readonly line: number; readonly text: string; readonly isMatch: boolean };

/** One match: a line, or several if the pattern spans lines. */
export type Hit = { readonly first: number; readonly last: number };

export type FileHits = {
  readonly path: string;
  readonly rows: readonly Row[];
  readonly hits: readonly Hit[];
  /** There are more matches than may be shown of one file. */
  readonly more: boolean;
};

export type HitRules = {
  readonly hitsMax: number;
  readonly hitsPerFileMax: number;
  readonly lineCharactersMax: number;
  readonly accepts: (path: string) => boolean;
  /** Only matches on these lines count. */
  readonly lineCounts: (path: string, line: number) => boolean;
  readonly multiline: boolean;
};

const binaryNote =
  /^(.*): (?:WARNING: stopped searching binary file after match|binary file matches) \(found .*\)\r?$/s;

export function createHitCollector(rules: HitRules) {
  const files = new Map<string, { path: string; rows: Row[]; hits: Hit[]; more: boolean }>();
  const rejected = new Set<string>();
  const binary = new Set<string>();
  let pathStart = "";
  let total = 0;

  function addRow(path: string, row: Row): void {
    let file = files.get(path);
    if (file === undefined) {
      file = { path, rows: [], hits: [], more: false };
      files.set(path, file);
    }
    // Places that overlap show a file twice.
    if (row.line <= (file.rows.at(-1)?.line ?? 0)) return;
    const before = file.rows.at(-1);
    file.rows.push(row);
    if (!row.isMatch || !rules.lineCounts(path, row.line)) return;
    const last = file.hits.at(-1);
    if (rules.multiline && last !== undefined && before?.isMatch === true && last.last === row.line - 1)
      file.hits[file.hits.length - 1] = { first: last.first, last: row.line };
    else if (file.hits.length >= rules.hitsPerFileMax) file.more = true;
    else {
      file.hits.push({ first: row.line, last: row.line });
      total += 1;
    }
  }

  return {
    /** Takes a line of output: path, NUL, line number, `:` or `-`, text. */
    add(record: string): "more" | "enough" {
      const nul = record.indexOf("\0");
      if (nul === -1) {
        // Ripgrep speaks of binary files without a NUL; everything else is the beginning of a path with a line feed.
        const [, path] = binaryNote.exec(pathStart + record) ?? [];
        if (path !== undefined && rules.accepts(path)) binary.add(path);
        pathStart = path === undefined ? `${pathStart}${record}\n` : "";
        return "more";
      }
      const path = pathStart + record.slice(0, nul);
      pathStart = "";
      if (rejected.has(path)) return "more";
      if (!files.has(path) && !rules.accepts(path)) {
        rejected.add(path);
        return "more";
      }
      const row = parseRow(record, nul + 1, rules.lineCharactersMax);
      if (row !== undefined) addRow(path, row);
      return total >= rules.hitsMax ? "enough" : "more";
    },
    /** In the order of their paths. */
    result: (): { readonly files: readonly FileHits[]; readonly binary: readonly string[] } => ({
      files: [...files.values()].filter(({ hits }) => hits.length > 0).sort(byPath),
      binary: [...binary].sort(),
    }),
  };
}

function parseRow(record: string, start: number, charactersMax: number): Row | undefined {
  let end = start;
  while (record.charCodeAt(end) >= 48 && record.charCodeAt(end) <= 57) end += 1;
  const mark = record[end];
  if (end === start || (mark !== ":" && mark !== "-")) return undefined;
  const stop = record.endsWith("\r") ? record.length - 1 : record.length;
  const [columnText, column] = (mark === ":" && /^(\d+):/.exec(record.slice(end + 1, end + 1 + digitsMax))) || [
    "",
    "1",
  ];
  const text = record.slice(end + 1 + columnText.length, stop);
  return {
    line: Number(record.slice(start, end)),
    text: text.length > charactersMax ? cutAround(text, Number(column), charactersMax) : text,
    isMatch: mark === ":",
  };
}

const digitsMax = 12;
/** What stands before a match that is far along a line tells what it is part of. */
const leadCharacters = 120;

/** Keeps the match inside; `column` is the first byte of it, counted from one. */
function cutAround(text: string, column: number, charactersMax: number): string {
  const at = Buffer.from(text)
    .subarray(0, column - 1)
    .toString("utf8").length;
  const isNear = at + leadCharacters <= charactersMax || at === 0;
  const from = isNear ? 0 : Math.min(at - Math.min(leadCharacters, charactersMax >> 1), text.length - charactersMax);
  const to = from + charactersMax;
  return `${from > 0 ? "…" : ""}${text.slice(from, to).toWellFormed()}${to < text.length ? "…" : ""}`;
}

export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}
