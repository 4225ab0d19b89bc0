/** Texts of folds that are kept of long sessions: each the work of one program, up to one fact. */
import type { Connection } from "./sqlite-connection.ts";

/** Written anew once the session has grown by this share, so that all writing stays a small multiple of what is kept. */
const growthMin = 1 / 8;

const sql = {
  head: "SELECT seq, mark FROM kept_text WHERE session = ? AND kind = ? AND piece = 0",
  texts: "SELECT data FROM kept_text WHERE session = ? AND kind = ? ORDER BY piece",
  hash: "SELECT hash FROM fact WHERE session = ? AND seq = ?",
  insert: "INSERT INTO kept_text (session, kind, piece, seq, mark, data) VALUES (?, ?, ?, ?, ?, ?)",
  drop: "DELETE FROM kept_text WHERE session = ? AND kind = ?",
  dropSession: "DELETE FROM kept_text WHERE session = ?",
  dropAll: "DELETE FROM kept_text",
} as const;

/** The session's own fold, and that of its messages and parts. */
export type KeptKind = "state" | "view";

export type KeptTexts = {
  /** The last fact that is in it; 0 when there is none, or none that is surely of these facts and this program. */
  seq(key: number, kind: KeptKind): number;
  /** To be read to the end. */
  texts(key: number, kind: KeptKind): Iterable<string>;
  /** Whether a fold up to this fact is worth its writing. */
  isWorth(seq: number, key: number, kind: KeptKind): boolean;
  /** In the caller's transaction. */
  keep(key: number, kind: KeptKind, fold: { readonly seq: number; readonly texts: Iterable<string> }): void;
};

export type KeptTextOptions = {
  /** Another for every program that might fold otherwise: what one of them kept is nothing to the others. */
  readonly mark: string;
  /** The least number of facts of a session whose folds are kept. */
  readonly factsMin?: number;
};

/**
 * Reading so many facts takes about 20 ms for a state and 10 ms for a view. A state is as long as all texts of the
 * session together, a view a tenth of it.
 */
const factsMinByDefault: { readonly [Kind in KeptKind]: number } = { state: 4_000, view: 400 };

/** Without options nothing is kept, and nothing that was kept is looked at. */
export function createKeptTexts(connection: Connection, options: KeptTextOptions | undefined): KeptTexts {
  /** With the hash of the last record it stands for, and so for all before it. */
  const markOf = (key: number, seq: number) => `${options?.mark} ${connection.get(sql.hash, key, seq)?.["hash"]}`;

  function seqOf(key: number, kind: KeptKind): number {
    if (options === undefined) return 0;
    const head = connection.get(sql.head, key, kind);
    if (head === undefined) return 0;
    const seq = head["seq"] as number;
    return head["mark"] === markOf(key, seq) ? seq : 0;
  }

  return {
    seq: seqOf,
    *texts(key, kind) {
      const endPass = connection.startPass();
      try {
        for (const { data } of connection.each(sql.texts, key, kind)) yield data as string;
      } finally {
        endPass();
      }
    },
    isWorth(seq, key, kind) {
      if (options === undefined) return false;
      const factsMin = options.factsMin ?? factsMinByDefault[kind];
      return seq >= factsMin && seq - seqOf(key, kind) >= Math.max(factsMin, seq * growthMin);
    },
    keep(key, kind, { seq, texts }) {
      connection.run(sql.drop, key, kind);
      const mark = markOf(key, seq);
      let piece = 0;
      for (const text of texts) {
        connection.run(sql.insert, key, kind, piece, seq, mark, text);
        piece += 1;
      }
    },
  };
}

export function dropKeptTexts(connection: Connection, key: number): void {
  connection.run(sql.dropSession, key);
}

export function dropAllKeptTexts(connection: Connection): void {
  connection.run(sql.dropAll);
}
