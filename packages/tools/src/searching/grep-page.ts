/** Chooses a fair page of matches: one of each file in turn, so that no file fills it. */
import type { FileHits, Hit, Row } from "./grep-hits.ts";

export type PageRules = {
  /** How many matches were shown before. */
  readonly skip: number;
  readonly filesMax: number;
  /** Lines of output, headings included. */
  readonly rowsMax: number;
  readonly before: number;
  readonly after: number;
};

export type Page = {
  readonly files: readonly { readonly path: string; readonly rows: readonly Row[] }[];
  readonly hitCount: number;
  /** The matches of all pages. */
  readonly total: number;
};

export function choosePage(files: readonly FileHits[], rules: PageRules): Page {
  const turns = takeTurns(files, rules.filesMax);
  const shown = new Map<FileHits, Set<number>>();
  let rowCount = 0;
  let hitCount = 0;
  const group = turns[rules.skip]?.group;
  for (const { file, hit, group: ownGroup } of turns.slice(rules.skip)) {
    if (ownGroup !== group) break;
    const lines = shown.get(file);
    const added = file.rows.filter(
      ({ line }) => line >= hit.first - rules.before && line <= hit.last + rules.after && lines?.has(line) !== true,
    );
    const cost = added.length + (lines === undefined ? 1 : 0);
    // The first match is shown in any case, or its page would be empty for ever.
    if (hitCount > 0 && rowCount + cost > rules.rowsMax) break;
    const room = hitCount === 0 ? added.slice(0, Math.max(1, rules.rowsMax - 1)) : added;
    rowCount += cost;
    hitCount += 1;
    shown.set(file, new Set([...(lines ?? []), ...room.map(({ line }) => line)]));
  }
  return {
    files: files
      .filter((file) => shown.has(file))
      .map((file) => ({ path: file.path, rows: file.rows.filter(({ line }) => shown.get(file)?.has(line) === true) })),
    hitCount,
    total: turns.length,
  };
}

type Turn = { readonly file: FileHits; readonly hit: Hit; readonly group: number };

/** All matches in the order in which pages show them: group after group of files, and within one a match of each in turn. */
function takeTurns(files: readonly FileHits[], filesMax: number): readonly Turn[] {
  const turns: Turn[] = [];
  for (let start = 0; start < files.length; start += filesMax) {
    const group = files.slice(start, start + filesMax);
    const rounds = group.reduce((most, { hits }) => Math.max(most, hits.length), 0);
    for (let round = 0; round < rounds; round++) {
      for (const file of group) {
        const hit = file.hits[round];
        if (hit !== undefined) turns.push({ file, hit, group: start });
      }
    }
  }
  return turns;
}
