/** Puts facts into a real store and gives back what an export is made from. */
import { collectView, type Fact, type FactRecord, messagesOf, type SessionSummary } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { type ExportOptions, type ExportSource, exportSession } from "../../src/transcripts/index.ts";

type StoredSession = {
  readonly source: ExportSource;
  readonly records: readonly FactRecord[];
  readonly summary: SessionSummary;
};

const startTime = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A second apart, unless times are given. */
export async function storeSession(
  sessionId: string,
  facts: readonly Fact[],
  times: readonly number[] = facts.map((_, index) => startTime + index * 1000),
): Promise<StoredSession> {
  let time = 0;
  const randomBytes = (size: number) => new Uint8Array(size).fill(7);
  const store = createMemoryStore({ now: () => time, randomBytes, isAlive: () => true });
  const boot = "boot_1";
  await store.acquireLease(sessionId, { boot, pid: 1, startedAt: "" });
  for (const [index, fact] of facts.entries()) {
    time = times[index] ?? 0;
    await store.append(sessionId, [fact], { boot, durable: false });
  }
  const records: FactRecord[] = [];
  for await (const record of store.read(sessionId, 0)) records.push(record);
  const summary = await store.session(sessionId);
  if (summary === undefined) throw new Error("the session was not stored");
  const collection = collectView(sessionId, records);
  const leafId = collection.session?.leafId;
  const source: ExportSource = {
    summary,
    records: (async function* () {
      yield* records;
    })(),
    messages: messagesOf(collection),
    kedgeVersion: "1.2.3",
    gitBranch: "main",
    ...(leafId !== undefined && { leafId }),
  };
  return { source, records, summary };
}

export async function exportText(source: ExportSource, options: ExportOptions): Promise<string> {
  let text = "";
  for await (const piece of exportSession(source, options)) text += piece;
  return text;
}

/** Ids whose tails are never the same, as those of messages are made from the tails of what they show. */
function createUniqueIds(): (prefix: string) => string {
  let count = 0;
  return (prefix) => {
    count += 1;
    return `${prefix}n${count}`;
  };
}

export function importParts() {
  const newId = createUniqueIds();
  return {
    newId,
    newRequestId: () => newId("req_"),
    now: () => startTime,
    directory: "/here",
    projectId: "prj_here",
    model: "mock/here",
    kedgeVersion: "1.2.3",
    boot: "boot_here",
  };
}
