/**
 * What is done for sessions beside their work: search and transcripts are kept up to date, and trees are pinned. Search is
 * brought up to date while nobody waits, never on the way out: after 100 turns it takes 60 ms, and whoever searches next
 * does it as well.
 */
import { type Fact, FailureError, type SnapshotUpkeep, type Store } from "@kedge/protocol";
import type { TranscriptFiles } from "../transcripts/transcript-file.ts";
import { treesOf } from "./session-place.ts";

/** Nobody waits for anything so long after a run. */
const idleMs = 1_000;

/** At the end, transcripts that others left out of date and that are longer than this are left to the next one. */
const factsAtCloseMax = 500;

export type UpkeepParts = {
  readonly store: Store;
  readonly snapshots: SnapshotUpkeep;
  /** Where transcripts are kept: loads what writes them, after the first run. */
  readonly transcripts?: { readonly load: () => Promise<TranscriptFiles>; readonly projectId: string };
};

export type SessionUpkeep = {
  /** The same store; remembers what was appended through it. */
  readonly store: Store;
  /** Does what is left to do. */
  close(): Promise<void>;
};

export function createSessionUpkeep({ store, snapshots, transcripts }: UpkeepParts): SessionUpkeep {
  const trees = new Map<string, Set<string>>();
  const pinned = new Set<string>();
  /** Sessions with runs since the last time. */
  const ran = new Set<string>();
  let files: TranscriptFiles | undefined;
  let working = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function note(sessionId: string, facts: readonly Fact[]): void {
    for (const fact of facts) {
      for (const tree of treesOf(fact)) {
        const named = trees.get(sessionId) ?? new Set();
        trees.set(sessionId, named.add(tree));
      }
      if (fact.type === "run.ended") {
        ran.add(sessionId);
        waitForIdle();
      }
    }
  }

  function waitForIdle(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      working = working.then(keepUp);
    }, idleMs);
    timer.unref();
  }

  async function keepUp(): Promise<void> {
    for (const sessionId of ran) await quietly(() => store.catchUp(sessionId));
    await keepFiles(Number.POSITIVE_INFINITY);
  }

  async function keepFiles(factsMax: number): Promise<void> {
    await quietly(pinTrees);
    const sessionIds = [...ran];
    ran.clear();
    if (sessionIds.length > 0) await quietly(() => keepTranscripts(sessionIds, factsMax));
  }

  /** Those that a process was killed before writing are looked for once. */
  async function keepTranscripts(sessionIds: readonly string[], factsMax: number): Promise<void> {
    if (transcripts === undefined) return;
    const isFirst = files === undefined;
    files ??= await transcripts.load();
    for (const sessionId of sessionIds) await files.write(sessionId);
    if (isFirst) await files.writeOutdated(transcripts.projectId, (facts) => facts <= factsMax);
  }

  /** Nothing is collected before a week, so late is early enough. */
  async function pinTrees(): Promise<void> {
    for (const [sessionId, named] of trees) {
      for (const tree of named) {
        const name = `${sessionId} ${tree}`;
        if (!pinned.has(name)) await snapshots.pin(tree, sessionId);
        pinned.add(name);
        named.delete(tree);
      }
    }
  }

  return {
    store: {
      ...store,
      async append(sessionId, facts, options) {
        const outcome = await store.append(sessionId, facts, options);
        if (outcome.ok) note(sessionId, facts);
        return outcome;
      },
    },
    async close() {
      clearTimeout(timer);
      await working;
      await keepFiles(factsAtCloseMax);
    },
  };
}

/** All of this only spares later work: what the user did is stored, and whoever asks next does the same again. */
async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
  }
}
