/** Finds the chunks of the index that answer best to some words. */
import type { DatabaseSync } from "node:sqlite";
import { columnNumber } from "./column-number.ts";

export type Hit = {
  readonly path: string;
  readonly contentHash: string;
  readonly first: number;
  readonly last: number;
  readonly symbol: string;
};

export type ChunkQuestion = { readonly words: readonly string[]; readonly countMax: number };

/** How much more a word counts in the name of a definition and in the path than in the code. */
const titleWeight = 2;
const placeShare = 0.3;

/** The best chunks that have at least one of the words, and how many there are in all. */
export function findChunks(
  database: DatabaseSync,
  root: number,
  { words, countMax }: ChunkQuestion,
): { hits: readonly Hit[]; count: number } {
  const question = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ");
  const ranked = database
    .prepare(`WITH scored AS MATERIALIZED (
        SELECT rowid AS chunk, ${titleWeight} * bm25(titles, 1, ${placeShare}) AS score FROM titles WHERE titles MATCH ?1
        UNION ALL SELECT rowid, bm25(bodies) FROM bodies WHERE bodies MATCH ?1
      ), summed AS (SELECT chunk, sum(score) AS score FROM scored GROUP BY chunk)
      SELECT chunk, count(*) OVER () AS count FROM summed CROSS JOIN chunks ON chunks.id = chunk AND root = ?2
      ORDER BY score, chunk LIMIT ?3`)
    .all(question, root, countMax);
  const details = database.prepare(`SELECT path, hash, first, last, symbol
    FROM chunks JOIN files ON files.id = chunks.file WHERE chunks.id = ?`);
  const hits = ranked.flatMap(({ chunk }) => {
    const row = details.get(columnNumber(chunk));
    if (row === undefined) return [];
    const { path, hash, first, last, symbol } = row;
    return [
      {
        path: String(path),
        contentHash: String(hash),
        first: columnNumber(first),
        last: columnNumber(last),
        symbol: String(symbol),
      },
    ];
  });
  return { hits, count: columnNumber(ranked[0]?.["count"] ?? 0) };
}
