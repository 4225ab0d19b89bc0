/** Has a worker merge and tidy up the topics of a project, and applies what it wants as a whole. */
import type { OpenSession } from "@kedge/engine";
import {
  consolidationPrompt,
  consolidationTurnsMax,
  createToolGate,
  createTopicDrafts,
  readTopic,
  scanNotes,
} from "@kedge/memory/extraction";
import type { Consolidated, Merge } from "@kedge/memory/topics";
import { cacheEffect } from "../../forks/cache-effect.ts";
import { runWorker, type WorkerEnd } from "../../forks/run-worker.ts";
import { acquireLock, lastConsolidated } from "./consolidation-lock.ts";
import { logsSince } from "./daily-log-file.ts";
import type { UpkeepParts } from "./upkeep-parts.ts";

export type ConsolidationWish = {
  readonly session: OpenSession;
  readonly trigger: "asked" | "due";
  readonly isTrial: boolean;
};

export type ConsolidationEnd =
  | { readonly outcome: "busy" | "stopped" }
  | { readonly outcome: "failed"; readonly why: string }
  | ({
      readonly outcome: "done";
      readonly topics: number;
      readonly logs: number;
      readonly drafts: number;
    } & Consolidated &
      Pick<WorkerEnd, "cost" | "turns">);

/** Ignores the gates of time and sessions: whoever calls has looked at them. */
export async function consolidateTopics(
  wish: ConsolidationWish,
  parts: UpkeepParts,
  signal: AbortSignal,
): Promise<ConsolidationEnd> {
  const { directory } = parts.store;
  const lock = await acquireLock({ directory, ...parts.process, now: parts.now });
  if (lock === undefined) return { outcome: "busy" };
  let isDone = false;
  try {
    const end = await consolidate(wish, parts, signal);
    isDone = end.outcome === "done" && !wish.isTrial;
    return end;
  } finally {
    lock.release({ isDone });
  }
}

async function consolidate(
  { session, trigger, isTrial }: ConsolidationWish,
  parts: UpkeepParts,
  signal: AbortSignal,
): Promise<ConsolidationEnd> {
  const { store, clean, now, isInside, nonceOf } = parts;
  const { directory } = store;
  const { sessionId, lastRun } = session.state;
  const startedAt = now();
  const prefix = await session.prefix();
  if (!prefix.ok) return { outcome: "failed", why: prefix.failure.message.replace(/\.$/, "") };
  const notes = scanNotes(directory, clean);
  const logs = logsSince(lastConsolidated({ directory }), parts);
  const drafts = createTopicDrafts({ directory, clean, now, mayRemove: true });
  const end = await runWorker(parts.workerEngine(), {
    ...{ prefix: prefix.value, signal },
    prompt: consolidationPrompt({ directory, notes, logs, nonce: nonceOf(sessionId) }),
    turnsMax: consolidationTurnsMax,
    gate: createToolGate({ directory, isInside }),
    replaceTool: drafts.replace,
  });
  if (end === undefined || signal.aborted) return { outcome: "stopped" };
  const isWhole = end.reason === "completed";
  const merges = isWhole ? [...drafts.drafts()].map(mergeOf) : [];
  const group = `consolidation ${lastRun?.runId ?? sessionId} ${startedAt}`;
  const found = await store.consolidate(merges, { group, sessionId, isTrial });
  await session.record({
    type: "memory.consolidated",
    trigger,
    outcome: !isWhole ? "failed" : found.changes.length > 0 && !isTrial ? "changed" : "unchanged",
    paths: isTrial ? [] : found.changes.map(({ path }) => path),
    denials: end.denials,
    durationMs: now() - startedAt,
    usage: end.usage,
    cost: end.cost,
    ...(await cacheEffect(session, { prefix: prefix.value, first: end.first }, parts)),
  });
  if (!isWhole) return { outcome: "failed", why: end.failure?.message ?? `the worker ended with ${end.reason}` };
  const counts = { topics: notes.length, logs: logs.length, drafts: merges.length };
  return { outcome: "done", ...counts, ...found, cost: end.cost, turns: end.turns };
}

function mergeOf([slug, text]: readonly [string, string | null]): Merge {
  return text === null ? { slug } : { slug, draft: readTopic(slug, text, "agent-inferred").topic };
}
