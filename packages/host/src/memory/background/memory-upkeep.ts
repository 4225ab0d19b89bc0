/** Works on memory beside the sessions of a process: recalls for prompts, searches after turns, tidies up when it is due. */
import type { OpenSession } from "@kedge/engine";
import { extractionRange, hasSaved, isConsolidationDue } from "@kedge/memory/extraction";
import { type CoalescedRuns, createCoalescedRuns } from "@kedge/memory/topics";
import { FailureError, reasonOf, type SessionState } from "@kedge/protocol";
import { isWithinBackground } from "./background-budget.ts";
import { type ConsolidationEnd, consolidateTopics } from "./consolidate-topics.ts";
import { lastConsolidated } from "./consolidation-lock.ts";
import { type Extraction, extractSession, recordFailure, skipExtraction } from "./extract-session.ts";
import { recallNotes } from "./recall-notes.ts";
import { type OpenPairs, settleRelated } from "./settle-related.ts";
import type { UpkeepParts } from "./upkeep-parts.ts";
import { lintWeekly } from "./weekly-lint.ts";

export interface MemoryUpkeep {
  promptAdmitted(session: OpenSession, prompt: string): Promise<void>;
  runEnded(session: OpenSession): Promise<void>;
  related(session: OpenSession, pairs: OpenPairs): Promise<void>;
  consolidate(session: OpenSession, options: { readonly isTrial: boolean }): Promise<ConsolidationEnd>;
  /** Waits for searches that are under way, until the deadline; nothing else is waited for. */
  close(deadline: Promise<void>): Promise<void>;
}

/** Of one session. */
type Searches = {
  readonly runs: CoalescedRuns<Extraction>;
  /** Since the last search. */
  turns: number;
};

export function createMemoryUpkeep(parts: UpkeepParts): MemoryUpkeep {
  const { settings, background, store, cwd } = parts;
  const stop = new AbortController();
  const recalling = new AbortController();
  // By the state of each session, so that they go with it.
  const recalls = new WeakMap<object, AbortController>();
  const searches = new WeakMap<object, Searches>();
  const allRuns = new Set<CoalescedRuns<Extraction>>();
  const considering = new Set<Promise<void>>();
  let tidying: Promise<unknown> = Promise.resolve();

  /** Its failure is no failure of the session: nobody asked for it. */
  async function search(wish: Extraction, signal: AbortSignal): Promise<void> {
    try {
      await extractSession(wish, parts, signal);
    } catch (error) {
      if (!(error instanceof FailureError)) parts.onNotice(`Memory update failed: ${reasonOf(error)}.`);
      await recordFailure(wish.session).catch(() => undefined);
    }
  }

  function searchesOf(state: Readonly<SessionState>): Searches {
    const known = searches.get(state) ?? { runs: createCoalescedRuns(search), turns: 0 };
    searches.set(state, known);
    allRuns.add(known.runs);
    return known;
  }

  async function considerSearch(session: OpenSession): Promise<void> {
    const { state } = session;
    const range = extractionRange(state.items, state.extractedUpTo);
    if (range === undefined) return;
    const { directory } = store;
    if (hasSaved(range.items, { directory, cwd })) return skipExtraction(session, range.upTo);
    if (!isWithinBackground(state, background)) return;
    const known = searchesOf(state);
    known.turns += 1;
    if (known.turns < settings.extractEvery) return;
    known.turns = 0;
    const prefix = await session.prefix();
    if (!prefix.ok || stop.signal.aborted) return;
    known.runs.trigger({ session, range, prefix: prefix.value });
  }

  async function considerTidying(session: OpenSession): Promise<void> {
    const { consolidate: isWanted, dailyLog: isDailyLog, consolidateHours, consolidateSessions } = settings;
    const nowMs = parts.now();
    const lastAtMs = lastConsolidated({ directory: store.directory });
    const gate = {
      isWanted,
      isDailyLog,
      lastAtMs,
      nowMs,
      hoursMin: consolidateHours,
      sessionsMin: consolidateSessions,
    };
    // Counting sessions asks the store, so it comes last.
    if (!isConsolidationDue({ ...gate, sessions: consolidateSessions })) return;
    if (!isWithinBackground(session.state, background)) return;
    if (!isConsolidationDue({ ...gate, sessions: await parts.sessionsSince(lastAtMs) })) return;
    const end = await tidy(session, { isTrial: false, trigger: "due" });
    if (end.outcome === "done") await lintWeekly(parts);
  }

  /** One after the other in this process; other processes are kept out by the lock. */
  function tidy(
    session: OpenSession,
    wish: { readonly isTrial: boolean; readonly trigger: "asked" | "due" },
  ): Promise<ConsolidationEnd> {
    const next = tidying.then(() => consolidateTopics({ session, ...wish }, parts, stop.signal));
    tidying = next.catch(() => undefined);
    return next;
  }

  return {
    async promptAdmitted(session, prompt) {
      recalls.get(session.state)?.abort();
      const own = new AbortController();
      recalls.set(session.state, own);
      await recallNotes(session, prompt, parts, AbortSignal.any([own.signal, recalling.signal]));
    },
    async runEnded(session) {
      if (parts.isExtracting()) {
        const considered = considerSearch(session);
        considering.add(considered);
        await considered.finally(() => considering.delete(considered));
      }
      if (!stop.signal.aborted) await considerTidying(session);
    },
    related: (session, pairs) => settleRelated(pairs, session, parts, stop.signal),
    consolidate: (session, { isTrial }) => tidy(session, { isTrial, trigger: "asked" }),
    async close(deadline) {
      recalling.abort();
      // The last turn may have ended a moment ago.
      await Promise.race([Promise.allSettled(considering), deadline]);
      await Promise.all([...allRuns].map((runs) => runs.drain(deadline)));
      stop.abort();
      await tidying;
    },
  };
}
