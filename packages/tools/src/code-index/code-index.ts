/** The local index of code: kept up to date by each search, ranked by words, rebuilt when its file is damaged. */
import { dirname, join } from "node:path";
import { orAborted, type ReadRights } from "@kedge/protocol";
import type { RipgrepParts } from "../searching/ripgrep.ts";
import type { Grammars } from "../syntax/grammars.ts";
import type { Hit } from "./find-chunks.ts";
import { openIndexDatabase, patiently, removeIndexDatabase, troubleOf } from "./index-database.ts";
import { createIndexRows } from "./index-rows.ts";
import { type Refreshed, type RefreshParts, refreshIndex } from "./refresh-index.ts";
import { createWordSplitter, wordsOfQuery } from "./words.ts";

export type CodeIndexParts = RipgrepParts & {
  /** The file of the index, such as `<data>/code-index/<projectId>.db`; it may be removed at any time. */
  readonly path: string;
  readonly grammars: Grammars;
  /** Absolute paths of which nothing may be kept. */
  readonly isSecret: (path: string) => boolean;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly sizeBytesMax?: number;
  /** How long one search may bring the index up to date. */
  readonly refreshTimeoutMs?: number;
};

export type CodeQuery = {
  /** The directory to search, absolute. */
  readonly root: string;
  readonly query: string;
  readonly hitsMax: number;
  readonly reading: ReadRights;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
};

export type CodeFindings =
  | {
      readonly kind: "found";
      readonly words: readonly string[];
      /** The best ones, best first, and how many there are in all. */
      readonly hits: readonly Hit[];
      readonly count: number;
      readonly coverage: Extract<Refreshed, { readonly ok: true }>;
      readonly wasDamaged: boolean;
    }
  /** Busy: another process did not let go of the index in time. */
  | { readonly kind: "no-words" | "interrupted" | "busy" }
  /** A sentence for the model. */
  | { readonly kind: "failed"; readonly problem: string };

/** One for the process: searches take turns, so that two at once do not do the same work twice. */
export interface CodeIndex {
  search(query: CodeQuery): Promise<CodeFindings>;
}

const sizeBytesMaxDefault = 200 * 1_024 * 1_024;
const refreshTimeoutMsDefault = 30_000;
const rootProblem = "The root of the file system is too large to index; use grep in a directory.";

export function createCodeIndex(parts: CodeIndexParts): CodeIndex {
  const refreshParts = (): RefreshParts => ({
    ...parts,
    splitWords: createWordSplitter(),
    sizeBytesMax: parts.sizeBytesMax ?? sizeBytesMaxDefault,
    refreshTimeoutMs: parts.refreshTimeoutMs ?? refreshTimeoutMsDefault,
  });
  let lastTurn: Promise<void> = Promise.resolve();

  async function searchOnce(query: CodeQuery, words: readonly string[], wasDamaged: boolean): Promise<CodeFindings> {
    const { signal, root } = query;
    const database = await openIndexDatabase(parts.path, signal);
    try {
      const rows = createIndexRows(database);
      const rootId = await patiently(signal, () => rows.useRoot(root));
      const coverage = await refreshIndex(refreshParts(), { ...query, rows, rootId });
      if (signal.aborted) return { kind: "interrupted" };
      if (!coverage.ok) return { kind: "failed", problem: coverage.problem };
      const { hits, count } = await patiently(signal, () => rows.find(rootId, words, query.hitsMax));
      // A listing that was cut short could not remove what an earlier search with other rights took in.
      const mayShow = query.reading.below(root);
      const shown = hits.filter(({ path }) => mayShow(join(root, path)));
      return {
        kind: "found",
        words,
        hits: shown,
        count: shown.length < hits.length ? shown.length : count,
        coverage,
        wasDamaged,
      };
    } finally {
      database.close();
    }
  }

  async function search(query: CodeQuery): Promise<CodeFindings> {
    if (dirname(query.root) === query.root) return { kind: "failed", problem: rootProblem };
    const words = wordsOfQuery(query.query);
    if (words.length === 0) return { kind: "no-words" };
    for (let wasDamaged = false, attempt = 1; ; attempt += 1) {
      try {
        return await searchOnce(query, words, wasDamaged);
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble === undefined) throw error;
        if (query.signal.aborted) return { kind: "interrupted" };
        if (trouble === "busy") return { kind: "busy" };
        if (trouble === "unusable" || attempt > 1) return { kind: "failed", problem: describeUnusable(error) };
        if (trouble === "moved") continue;
        wasDamaged ||= trouble === "damaged";
        removeIndexDatabase(parts.path);
      }
    }
  }

  return {
    async search(query) {
      const turn = Promise.withResolvers<void>();
      const before = lastTurn;
      lastTurn = before.then(() => turn.promise);
      try {
        await orAborted(before, query.signal);
        return query.signal.aborted ? { kind: "interrupted" } : await search(query);
      } finally {
        turn.resolve();
      }
    },
  };
}

function describeUnusable(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The code index cannot be used (${reason}). Search with grep instead.`;
}
