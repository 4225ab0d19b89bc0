/** Searches a conversation for what is worth remembering, and saves all that was found or nothing. */
import type { OpenSession } from "@kedge/engine";
import {
  createToolGate,
  createTopicDrafts,
  dailyLogPrompt,
  extractionPrompt,
  type extractionRange,
  extractionTurnsMax,
  originOfText,
  readTopic,
  scanNotes,
  type TopicDrafts,
} from "@kedge/memory/extraction";
import type { Saved, SourcedDraft } from "@kedge/memory/topics";
import type { FactOf, RequestPrefix } from "@kedge/protocol";
import { cacheEffect } from "../../forks/cache-effect.ts";
import { runWorker, type WorkerEnd } from "../../forks/run-worker.ts";
import { appendToLog } from "./daily-log-file.ts";
import { nothingSpent, type UpkeepParts } from "./upkeep-parts.ts";

export type Extraction = {
  readonly session: OpenSession;
  readonly range: NonNullable<ReturnType<typeof extractionRange>>;
  readonly prefix: RequestPrefix;
};

/** A run that was stopped leaves nothing, not even that it happened: the same part is searched again. */
export async function extractSession(wish: Extraction, parts: UpkeepParts, signal: AbortSignal): Promise<void> {
  const { session, range } = wish;
  const { directory } = parts.store;
  const drafts = createTopicDrafts({ directory, clean: parts.clean, now: parts.now });
  const end = await searchFor(wish, drafts, parts, signal);
  if (end === undefined || signal.aborted) return;
  const isDone = end.reason === "completed" || end.reason === "error_max_turns";
  const saved = isDone ? await keep(end, drafts, wish, parts) : [];
  const fact: FactOf<"memory.extracted"> = {
    type: "memory.extracted",
    ...(isDone ? { upTo: range.upTo, outcome: "searched" } : { outcome: "failed" }),
    paths: saved.flatMap((each) => (each.outcome === "saved" ? [each.path] : [])),
    denials: end.denials,
    usage: end.usage,
    cost: end.cost,
    ...(await cacheEffect(session, { prefix: wish.prefix, first: end.first }, parts)),
  };
  await session.record(fact);
  const waiting = saved.filter((each) => each.outcome === "saved" && each.place !== "active").length;
  if (waiting > 0) parts.onNotice(`Memory: ${waiting === 1 ? "1 note" : `${waiting} notes`} to review: /memory inbox.`);
}

/** The agent saved by itself; that part is not searched again. */
export async function skipExtraction(session: OpenSession, upTo: string): Promise<void> {
  const nothing = { paths: [], denials: [], ...nothingSpent };
  await session.record({ type: "memory.extracted", upTo, outcome: "skipped", ...nothing });
}

/** For the journal alone: whoever talks to the session did not ask for it. */
export async function recordFailure(session: OpenSession): Promise<void> {
  await session.record({ type: "memory.extracted", outcome: "failed", paths: [], denials: [], ...nothingSpent });
}

function searchFor(
  { session, prefix, range }: Extraction,
  drafts: TopicDrafts,
  parts: UpkeepParts,
  signal: AbortSignal,
): Promise<WorkerEnd | undefined> {
  const { store, clean, isInside, nonceOf, settings, workerEngine } = parts;
  const { directory } = store;
  const count = range.items.length;
  const wish = { count, directory, notes: scanNotes(directory, clean), nonce: nonceOf(session.state.sessionId) };
  return runWorker(workerEngine(), {
    ...{ prefix, signal },
    prompt: settings.dailyLog ? dailyLogPrompt(count) : extractionPrompt(wish),
    turnsMax: settings.dailyLog ? 1 : extractionTurnsMax,
    gate: createToolGate({ directory, isInside }),
    replaceTool: drafts.replace,
  });
}

async function keep(
  end: WorkerEnd,
  drafts: TopicDrafts,
  { session, range }: Extraction,
  parts: UpkeepParts,
): Promise<readonly Saved[]> {
  if (parts.settings.dailyLog) {
    await appendToLog(end.text, parts);
    return [];
  }
  const { sessionId } = session.state;
  // What was saved for a prompt goes with the prompt when the user undoes it.
  const group = range.items.findLast(({ type }) => type === "prompt")?.id;
  const sourced = [...drafts.drafts()].flatMap(([slug, text]): readonly SourcedDraft[] => {
    if (text === null) return [];
    const origin = originOfText(text, range.items);
    const { topic } = readTopic(slug, text, origin);
    return [{ draft: topic, source: { origin, sessionId, tool: "write", ...(group !== undefined && { group }) } }];
  });
  return sourced.length === 0 ? [] : parts.store.saveAll(sourced);
}
