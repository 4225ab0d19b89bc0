/** Watches the sessions of a process and has memory looked after when they give reason to; loads nothing before that. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Engine, OpenSession } from "@kedge/engine";
import { draftFromText, indexFile, keepNotes, type MemoryEvent } from "@kedge/memory/topics";
import { type Event, type FactOf, FailureError, reasonOf, type SideFact, type Usage } from "@kedge/protocol";
import { answerSources } from "../answer-sources.ts";
import type { ConsolidationEnd } from "./consolidate-topics.ts";
import type { MemoryUpkeep } from "./memory-upkeep.ts";
import type { UpkeepParts } from "./upkeep-parts.ts";

export type FollowParts = Omit<UpkeepParts, "isExtracting" | "requestUsageOf"> & {
  readonly engine: Pick<Engine, "openSessions" | "subscribeAll">;
};

export interface FollowedSessions {
  heard(event: MemoryEvent): void;
  consolidate(sessionId: string, options: { readonly isTrial: boolean }): Promise<ConsolidationEnd>;
  /** Gives what is under way a few seconds, and then gives it up. */
  close(): Promise<void>;
}

const drainMsMax = 5_000;
/** An answer that drew on fewer is found again as quickly. */
const suggestedSourcesMin = 3;

export function followSessions(parts: FollowParts): FollowedSessions {
  const { engine, store, settings, onNotice } = parts;
  /** Of steps whose run is under way, and of the last step of each session. */
  const stepUsage = new Map<string, Usage>();
  const requestUsage = new WeakMap<object, Usage>();
  const underWay = new Set<Promise<void>>();
  const suggested = new Set<string>();
  let opening: Promise<MemoryUpkeep> | undefined;
  let isClosing = false;
  const hasIndex = () => existsSync(join(store.directory, indexFile));
  const hasInbox = () => existsSync(join(store.directory, "inbox"));
  const isExtracting = () => settings.extract === "on" || (settings.extract === "auto" && (hasIndex() || hasInbox()));

  async function open(): Promise<MemoryUpkeep> {
    const { createMemoryUpkeep } = await import("./memory-upkeep.ts");
    const requestUsageOf = (state: object) => requestUsage.get(state);
    return createMemoryUpkeep({ ...parts, isExtracting, requestUsageOf });
  }

  const upkeep = () => {
    opening ??= open();
    return opening;
  };

  const find = (sessionId: string) => engine.openSessions().find(({ state }) => state.sessionId === sessionId);

  /** Nobody waits for it and nobody asked for it; what goes wrong with it is told, and the session goes on. */
  function beside(work: () => Promise<void>): void {
    const task = work().catch((error: unknown) => {
      // A disk or a vendor that refuses says so where it matters.
      if (!(error instanceof FailureError)) onNotice(`Memory update failed: ${reasonOf(error)}.`);
    });
    underWay.add(task);
    void task.finally(() => underWay.delete(task));
  }

  function promptAdmitted(sessionId: string, { text }: FactOf<"prompt.admitted">): void {
    const session = mainSession(find(sessionId));
    if (session === undefined) return;
    parts.recalled.begin(sessionId);
    if (settings.recall && hasIndex()) beside(async () => (await upkeep()).promptAdmitted(session, text));
  }

  /** Once per session, and only where memory is in use: nothing is saved before the user says so. */
  function suggestFiling(sessionId: string): void {
    const state = suggested.has(sessionId) || !hasIndex() ? undefined : mainSession(find(sessionId))?.state;
    const count = state === undefined ? 0 : answerSources(state).length;
    if (count < suggestedSourcesMin) return;
    suggested.add(sessionId);
    onNotice(`This answer drew on ${count} sources. Save it to memory with /file [title].`);
  }

  function runEnded(sessionId: string, { reason, turns }: FactOf<"run.ended">): void {
    if (reason === "completed") suggestFiling(sessionId);
    const isWanted = reason === "completed" && turns > 0 && (isExtracting() || (settings.consolidate && hasIndex()));
    const session = isWanted ? mainSession(find(sessionId)) : undefined;
    const usage = stepUsage.get(sessionId);
    stepUsage.delete(sessionId);
    if (session !== undefined && usage !== undefined) requestUsage.set(session.state, usage);
    if (session !== undefined) beside(async () => (await upkeep()).runEnded(session));
  }

  /** Before the next step, which begins with what is written here. */
  function compacted(sessionId: string, { summary, compactionId }: FactOf<"context.compacted">): void {
    if (mainSession(find(sessionId)) === undefined) return;
    beside(async () => {
      const token = compactionId.replaceAll(/\W/g, "");
      const failed = keepNotes({ sessionId, summary, token }, { directory: store.directory, clean: parts.clean });
      if (failed === "" || !isExtracting()) return;
      const draft = { ...draftFromText(failed, parts.clean), name: "Failed approaches", type: "project" } as const;
      await store.save(draft, { origin: "agent-inferred", sessionId });
    });
  }

  /** For the session that was opened last. */
  const dream = () => {
    const session = engine.openSessions().findLast((open) => mainSession(open) !== undefined);
    if (session === undefined) return;
    beside(async () => void (await (await upkeep()).consolidate(session, { isTrial: false })));
  };
  if (settings.dailyLog && settings.consolidate)
    everyDayAt(settings.dreamAt, dream, { ...parts, isOver: () => isClosing });

  engine.subscribeAll((sessionId: string, event: Event) => {
    if (event.kind !== "fact" || isClosing) return;
    const { fact } = event.record;
    if (fact.type === "step.ended") stepUsage.set(sessionId, fact.usage);
    else if (fact.type === "prompt.admitted") promptAdmitted(sessionId, fact);
    else if (fact.type === "run.ended") runEnded(sessionId, fact);
    else if (fact.type === "context.compacted") compacted(sessionId, fact);
  });

  return {
    heard(event) {
      const session = event.sessionId === undefined ? undefined : find(event.sessionId);
      if (session === undefined) return;
      beside(async () => {
        await session.record(factOf(event));
        const open = event.type === "memory.written" ? event.open : undefined;
        if (open !== undefined && settings.model !== undefined) await (await upkeep()).related(session, open);
      });
    },
    async consolidate(sessionId, options) {
      const session = find(sessionId);
      if (session === undefined) return { outcome: "failed", why: "the session is not open" };
      return (await upkeep()).consolidate(session, options);
    },
    async close() {
      isClosing = true;
      const open = await opening;
      if (open === undefined) return;
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(limit.resolve, drainMsMax);
      await open.close(limit.promise);
      await Promise.race([Promise.all(underWay), limit.promise]);
      clearTimeout(timer);
    },
  };
}

/** It keeps no process alive. */
function everyDayAt(
  time: string,
  work: () => void,
  { now, isOver }: { readonly now: () => number; readonly isOver: () => boolean },
): void {
  const again = () => {
    work();
    if (!isOver()) everyDayAt(time, work, { now, isOver });
  };
  setTimeout(again, msUntil(time, new Date(now()))).unref();
}

/** Until this time of day comes next, by the clock on the wall. */
export function msUntil(time: string, now: Date): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const next = new Date(now);
  next.setHours(hours, minutes, 0, 0);
  if (next <= now) next.setDate(next.getDate() + 1);
  return next.getTime() - now.getTime();
}

/** Workers and agents that work for another session leave no memory of their own. */
function mainSession(session: OpenSession | undefined): OpenSession | undefined {
  return session?.state.origin?.kind === "child" ? undefined : session;
}

function factOf(event: MemoryEvent): SideFact {
  const { type, path } = event;
  return type === "memory.written" ? { type, path, origin: event.origin } : { type, path, why: event.why };
}
