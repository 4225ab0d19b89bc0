/** What the facts of long sessions added up to when they were left, so that opening them reads little else. */
import { applyRecord, emptySession, type SessionState } from "@kedge/protocol";
import { isStateOfTexts, stateOfTexts, textsOfState } from "../state-texts.ts";
import type { DerivedCheck } from "../verify-chain.ts";
import type { Connection } from "./sqlite-connection.ts";
import type { SessionEntry } from "./sqlite-rows.ts";

/** Folding so many takes about 20 ms; a shorter session is opened from its facts alone. */
const factsMinByDefault = 4_000;

/** Written anew once the session has grown by this share, so that all writing stays a small multiple of what is kept. */
const growthMin = 0.25;

const sql = {
  head: "SELECT seq, mark FROM kept_state WHERE session = ? AND piece = 0",
  texts: "SELECT data FROM kept_state WHERE session = ? ORDER BY piece",
  hash: "SELECT hash FROM fact WHERE session = ? AND seq = ?",
  insert: "INSERT INTO kept_state (session, piece, seq, mark, data) VALUES (?, ?, ?, ?, ?)",
  drop: "DELETE FROM kept_state WHERE session = ?",
  dropAll: "DELETE FROM kept_state",
} as const;

export type KeptStateOptions = {
  /** Another for every program that might fold otherwise: what one of them kept is nothing to the others. */
  readonly mark: string;
  /** The least number of facts of a session whose state is kept. */
  readonly factsMin?: number;
};

export type KeptStates = {
  /** The state as it was kept; undefined when there is none that is surely that of these facts. */
  read(sessionId: string, key: number): SessionState | undefined;
  /** Does nothing where it would gain little, or where the session has gone on meanwhile. */
  keep(state: SessionState): void;
  /** Compares what is kept with a fresh fold. */
  check(sessionId: string, key: number): DerivedCheck;
};

/** Without options nothing is kept, and nothing that was kept is looked at. */
export function createKeptStates(
  connection: Connection,
  find: (sessionId: string) => SessionEntry | undefined,
  options: KeptStateOptions | undefined,
): KeptStates {
  if (options === undefined) return { read: () => undefined, keep: () => undefined, check: () => nothingKept };
  const { mark, factsMin = factsMinByDefault } = options;

  /** With the hash of the last record it stands for, and so for all before it. */
  const markOf = (hash: unknown) => `${mark} ${hash}`;

  /** The number of the last fact that is in the kept state; 0 when there is none to be used. */
  function keptSeq(key: number): number {
    const head = connection.get(sql.head, key);
    if (head === undefined) return 0;
    const seq = head["seq"] as number;
    const isCurrent = head["mark"] === markOf(connection.get(sql.hash, key, seq)?.["hash"]);
    return isCurrent ? seq : 0;
  }

  function* textsOf(key: number): Generator<string> {
    const endPass = connection.startPass();
    try {
      for (const { data } of connection.each(sql.texts, key)) yield data as string;
    } finally {
      endPass();
    }
  }

  function write(state: SessionState): void {
    const entry = find(state.sessionId);
    if (entry === undefined || entry.isDeleted || entry.head.seq !== state.lastSeq) return;
    const { key, head } = entry;
    if (head.seq - keptSeq(key) < Math.max(factsMin, head.seq * growthMin)) return;
    dropKeptState(connection, key);
    let piece = 0;
    for (const text of textsOfState(state)) {
      connection.run(sql.insert, key, piece, head.seq, markOf(head.hash), text);
      piece += 1;
    }
  }

  return {
    read(sessionId, key) {
      const seq = keptSeq(key);
      if (seq === 0) return undefined;
      const state = stateOfTexts(sessionId, textsOf(key));
      return state?.lastSeq === seq ? state : undefined;
    },
    keep(state) {
      // Most sessions are short, and need no transaction to find that out.
      if (state.lastSeq >= factsMin) connection.write({ durable: false }, () => write(state));
    },
    check(sessionId, key) {
      const seq = keptSeq(key);
      if (seq === 0) return nothingKept;
      const state = emptySession(sessionId);
      return {
        follow(record) {
          if (record.seq <= seq) applyRecord(state, record);
        },
        problem: () => (isStateOfTexts(state, textsOf(key)) ? undefined : "the kept state"),
      };
    },
  };
}

const nothingKept: DerivedCheck = { follow: () => undefined, problem: () => undefined };

export function dropKeptState(connection: Connection, key: number): void {
  connection.run(sql.drop, key);
}

export function dropKeptStates(connection: Connection): void {
  connection.run(sql.dropAll);
}
