/** Works on memory beside the sessions of a process: recalls for prompts, searches after turns, tidies up when it is due. */
import type { OpenSession } from "@kedge/engine";
import { extractionRange, hasSaved, isConsolidationDue } from "@kedge/memory/extraction";
import { type CoalescedRuns, createCoalescedRuns } from "@kedge/memory/topics";
import { FailureError } from "@kedge/protocol";
import { isWithinBackground } from "./background-budget.ts";
import { type ConsolidationEnd, consolidateTopics } from "./consolidate-topics.ts";
import { lastConsolidated } from "./consolidation-lock.ts";
import { type Extraction, extractSession, recordFailure, skipExtraction } from "./extract-session.ts";
import { recallNotes } from "./recall-notes.ts";
import { type OpenPairs, settleRelated } from "./settle-related.ts";
import type { WorkerParts } from "./worker-parts.ts";

export interface MemoryWorker {
  promptAdmitted(session: OpenSession, prompt: string): Promise<void>;
  runEnded(session: OpenSession): Promise<void>;
  related(session: OpenSession, pairs: OpenPairs): Promise<void>;
  consolidate(session: OpenSession, options: { readonly isTrial: boolean }): Promise<ConsolidationEnd>;
  /** Waits for searches that are under way, until the deadline; nothing else is waited for. */
  close(deadline: Promise<void>): Promise<void>;
}

export function createMemoryWorker(parts: WorkerParts): MemoryWorker {
  const { settings, background, store, cwd } = parts;
  const stop = new AbortController();
  const recalls = new Map<string, AbortController>();
  const searches = new Map<string, { readonly runs: CoalescedRuns<Extraction>; turns: number }>();
  let tidying: Promise<unknown> = Promise.resolve();

  /** Its failure is no failure of the session: nobody asked for it. */
  async function search(wish: Extraction, signal: AbortSignal): Promise<void> {
    try {
      await extractSession(wish, parts, signal);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      await recordFailure(wish.session);
    }
  }

  function searchesOf(sessionId: string) {
    const known = searches.get(sessionId) ?? { runs: createCoalescedRuns(search), turns: 0 };
    searches.set(sessionId, known);
    return known;
  }

  async function considerSearch(session: OpenSession): Promise<void> {
    const { state } = session;
    const range = extractionRange(state.items, state.extractedUpTo);
    if (range === undefined) return;
    const { directory } = store;
    if (hasSaved(range.items, { directory, cwd })) return skipExtraction(session, range.upTo);
    if (!isWithinBackground(state, background)) return;
    const known = searchesOf(state.sessionId);
    known.turns += 1;
    if (known.turns < settings.extractEvery) return;
    known.turns = 0;
    const prefix = await session.prefix();
    const reasoning = parts.reasoningOf(state.sessionId);
    if (prefix === undefined || stop.signal.aborted) return;
    known.runs.trigger({ session, model: state.model, range, prefix, ...(reasoning !== undefined && { reasoning }) });
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
    await tidy(session, { isTrial: false, trigger: "due" });
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
      const { sessionId } = session.state;
      recalls.get(sessionId)?.abort();
      const own = new AbortController();
      recalls.set(sessionId, own);
      await recallNotes(session, prompt, parts, AbortSignal.any([own.signal, stop.signal]));
    },
    async runEnded(session) {
      if (parts.isExtracting()) await considerSearch(session);
      await considerTidying(session);
    },
    related: (session, pairs) => settleRelated(pairs, session, parts, stop.signal),
    consolidate: (session, { isTrial }) => tidy(session, { isTrial, trigger: "asked" }),
    async close(deadline) {
      for (const recall of recalls.values()) recall.abort();
      await Promise.all([...searches.values()].map(({ runs }) => runs.drain(deadline)));
      stop.abort();
      await tidying;
    },
  };
}
