/** The Store contract on one SQLite file, with large content in files beside it. */
import type { DatabaseSync } from "node:sqlite";
import { emptySession, type Failure, type JournalKey, type SessionState, type Store } from "@kedge/protocol";
import { blobFiles } from "../blob-files.ts";
import { journalRow, type RandomBytes } from "../chain.ts";
import { foldFiles, foldsDirectory } from "../fold-files.ts";
import type { IsAlive } from "../lease.ts";
import { damageBehind } from "../read-row.ts";
import { verifyChain } from "../verify-chain.ts";
import { createCatchUp } from "./catch-up.ts";
import { foldFacts } from "./fold-facts.ts";
import { createKeptStates } from "./kept-states.ts";
import { createKeptTexts, type KeptTextOptions } from "./kept-texts.ts";
import { createLeases } from "./leases.ts";
import { listSessions } from "./session-list.ts";
import { createSessionViews } from "./session-views.ts";
import { createSignedHeads } from "./signed-heads.ts";
import { createBlobs } from "./sqlite-blobs.ts";
import { createConnection } from "./sqlite-connection.ts";
import { createGarbage } from "./sqlite-garbage.ts";
import { createJournal } from "./sqlite-journal.ts";
import { createRemoval } from "./sqlite-removal.ts";
import { createTail } from "./tail.ts";
import { createViewCheck } from "./verify-views.ts";
import { createViewQueries } from "./view-queries.ts";

export type SqliteStoreOptions = {
  readonly path: string;
  readonly blobsDirectory: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly isAlive: IsAlive;
  /** Takes secrets out of what the search keeps and shows. */
  readonly redact?: (text: string) => string;
  /** Without it nothing is signed, and no signature is looked at. */
  readonly journalKey?: JournalKey;
  /** Without it every session is opened from its facts alone. */
  readonly keptTexts?: KeptTextOptions;
};

/** `readOnly` is the failure that every write ends in when the database may only be read. */
export function createSqliteStore(
  database: DatabaseSync,
  readOnly: Failure | undefined,
  options: SqliteStoreOptions,
): Store {
  const connection = createConnection(database, options.path, readOnly);
  const files = blobFiles(options.blobsDirectory, options.randomBytes);
  const journal = createJournal(connection, files, options);
  const redact = options.redact ?? ((text) => text);
  const signedHeads = createSignedHeads(connection, options.journalKey);
  const keptTexts = createKeptTexts(connection, foldFiles(foldsDirectory(options.path)), options.keptTexts);
  const removal = createRemoval(connection, files, { journal, signedHeads, keptTexts });
  const { path, now, isAlive } = options;
  const garbage = createGarbage(connection, files, { path, now, settle: removal.settle, keptTexts });
  const catchUp = createCatchUp(connection, { journal, keptTexts, redact });
  const queries = createViewQueries(connection, journal, redact);
  const keptStates = createKeptStates(connection, keptTexts, { find: journal.find, foldAnew });

  function fold(state: SessionState): void {
    connection.read(() => {
      const entry = journal.find(state.sessionId);
      if (entry === undefined) return;
      if (state.lastSeq === 0) Object.assign(state, keptStates.read(state.sessionId, entry.key));
      try {
        foldFacts(connection, state, { key: entry.key, lastSeq: entry.head.seq }, journal.row);
      } catch (error) {
        throw damageBehind(state.sessionId, journal.rows(entry.key), error);
      }
    });
  }

  function foldAnew(sessionId: string): SessionState {
    const state = emptySession(sessionId);
    fold(state);
    return state;
  }

  return {
    ...createTail(connection, journal),
    ...createSessionViews(connection, { journal, catchUp, queries }),
    ...createLeases(connection, { signedHeads, now, isAlive }),
    ...createBlobs(connection, files, now),
    append: async (sessionId, facts, options) => journal.append(sessionId, facts, options),
    read(sessionId, afterSeq) {
      const find = () => {
        const entry = journal.find(sessionId);
        return entry && { sessionId, key: entry.key };
      };
      return journal.records.each(find, afterSeq);
    },
    fold: async (state) => fold(state),
    keepState: async (state) => keptStates.keep(state),
    async *rows(sessionId) {
      const entry = journal.find(sessionId);
      if (entry !== undefined) for (const row of journal.rows(entry.key)) yield journalRow(row);
    },
    sessions: async (filter) => listSessions(connection, filter),
    async session(sessionId) {
      const entry = journal.find(sessionId);
      return entry?.isDeleted ? undefined : entry?.summary;
    },
    unlistedChains: async () => signedHeads.unlisted(),
    deleteSession: async (sessionId, why) => removal.deleteSession(sessionId, why),
    thin: async (sessionId, why) => removal.thin(sessionId, why),
    storageUse: async ({ largestMax } = { largestMax: 0 }) => garbage.storageUse(largestMax),
    collectGarbage: async (wish) => garbage.collect(wish),
    async signHead(sessionId) {
      if (options.journalKey === undefined) return;
      connection.write({ durable: false }, () => signedHeads.sign(sessionId));
    },
    async verify(sessionId) {
      const endPass = connection.startPass();
      try {
        return connection.read(() => {
          const entry = journal.find(sessionId);
          if (entry === undefined) return verifyChain(sessionId, undefined);
          const derived = createViewCheck(connection, entry, { queries, keptTexts });
          const rows = journal.rows(entry.key);
          return verifyChain(sessionId, { ...entry, rows, derived, ...signedHeads.vouchers(entry) });
        });
      } finally {
        endPass();
      }
    },
    removeContent: async (sessionId, digests, why) => removal.removeContent(sessionId, new Set(digests), why),
    close: async () => connection.close(),
  };
}
