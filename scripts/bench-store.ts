/**
 * Measures a session of 10,000 messages and a store of 1,000 sessions: open, last page, list, search, memory, size. Ends
 * with 1 where a limit is exceeded.
 */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyRecord, emptySession, type SessionState, type Store } from "@kedge/protocol";
import { openSqliteStore } from "@kedge/store";
import { fill, runFacts, stepFacts, vocabulary, writer } from "./long-session.ts";

const messageCount = 10_000;
const sessionCount = 1_000;
const rounds = 40;
const appends = 2_000;
/** Of a process that has opened the large session. */
const openedBytesMax = 150 * 1024 * 1024;

/** Wall time is what a person waits; processor time is what it costs when the machine has other work. */
async function time(name: string, limitMs: number | undefined, work: () => Promise<unknown>, times = rounds) {
  const samples: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < times; round += 1) {
    const start = performance.now();
    await work();
    samples.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  samples.sort((left, right) => left - right);
  const at = (share: number) => (samples[Math.min(times - 1, Math.floor(times * share))] ?? 0).toFixed(1);
  const isOver = limitMs !== undefined && Number(at(0.5)) > limitMs;
  const limit = limitMs === undefined ? "" : `  (limit ${limitMs} ms${isOver ? ": OVER" : ""})`;
  if (isOver) process.exitCode = 1;
  const cpu = ((user + system) / 1000 / times).toFixed(1);
  console.log(`${name.padEnd(44)} p50 ${at(0.5)} ms  p95 ${at(0.95)} ms  processor ${cpu} ms${limit}`);
}

async function readSession(store: Store, sessionId: string): Promise<number> {
  const state = emptySession(sessionId);
  for await (const record of store.read(sessionId, 0)) applyRecord(state, record);
  return state.lastSeq;
}

async function openSession(store: Store, sessionId: string): Promise<SessionState> {
  const state = emptySession(sessionId);
  await store.fold(state);
  return state;
}

/** Into a store of its own, so that the sizes of the other one stay what they are. */
async function append(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kedge-bench-append-"));
  const store = openStore(folder);
  const facts = stepFacts("append", "run_append", undefined);
  const appendAll = async () => {
    for (let count = 0; count < appends; count += 1) {
      await store.append("ses_append", facts.slice(count % facts.length, (count % facts.length) + 1), writer);
    }
  };
  await time(`${appends} appends`, undefined, appendAll, 5);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

async function queries(store: Store, sessionId: string): Promise<void> {
  const common = vocabulary[7] ?? "";
  await time("last page of 50 messages", 30, () => store.messages(sessionId, { limit: 50 }));
  await time("list of 50 sessions", 20, () => store.sessions({ limit: 50 }));
  await time("list of 50 sessions of a project", 20, () => store.sessions({ projectId: "project-1", limit: 50 }));
  await time("list by words of the title", 20, () => store.sessions({ text: "word1", limit: 50 }));
  await time("search, one word", 20, () => store.search({ text: common, limit: 20 }));
  await time("search, two words and a beginning", 20, () => store.search({ text: `${common} w`, limit: 20 }));
  await time("search, beginning that most messages have", 20, () => store.search({ text: "1", limit: 20 }));
  await time("search, word of one session", 20, () => store.search({ text: common, sessionId, limit: 20 }));
  await time("search, no such word", 20, () => store.search({ text: "nosuchword", limit: 20 }));
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

function openStore(folder: string): Store {
  const place = { path: join(folder, "kedge.db"), blobsDirectory: join(folder, "blobs") };
  const world = { now: Date.now, randomBytes, isAlive: () => true };
  const opened = openSqliteStore({ ...place, ...world, keptTexts: { mark: "bench" } });
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.store;
}

/** `openLeft` is what a person waits for: once, in a new process. The ones before it are of a session never left in peace. */
const parts: { readonly [name: string]: (store: Store, sessionId: string) => Promise<void> } = {
  open: (store, sessionId) => time("open from the facts alone", undefined, () => openSession(store, sessionId), 1),
  openAgain: (store, sessionId) => time("the same, again and again", undefined, () => openSession(store, sessionId), 9),
  async leave(store, sessionId) {
    const state = await openSession(store, sessionId);
    await time("leave", undefined, () => store.keepState(state), 1);
  },
  openLeft: (store, sessionId) => time("open", 150, () => openSession(store, sessionId), 1),
  read: (store, sessionId) => time("read and fold each record", undefined, () => readSession(store, sessionId), 1),
  append,
  catchUp: (store) => time("first catch-up of everything", undefined, () => store.search({ text: "x", limit: 1 }), 1),
  queries,
  async oneRun(store, sessionId) {
    for (const which of ["new process", "same process"]) {
      await store.append(sessionId, runFacts(`${which}-${process.pid}`), writer);
      await time(`catch-up after one run, ${which}`, undefined, () => store.catchUp(sessionId), 1);
    }
  },
  verify: (store, sessionId) => time("verify", undefined, () => store.verify(sessionId), 1),
};

/** Each part in a process of its own, so that its memory is its own. */
async function measure(title: string, sessions: readonly (readonly [string, number])[]): Promise<void> {
  console.log(`\n${title}`);
  const folder = mkdtempSync(join(tmpdir(), "kedge-bench-store-"));
  const storageUse = async () => {
    const store = openStore(folder);
    const use = await store.storageUse();
    await store.close();
    return use.databaseBytes;
  };
  try {
    const filled = openStore(folder);
    for (const [sessionId, messages] of sessions) await fill(filled, sessionId, messages);
    await filled.close();
    const bare = await storageUse();
    const [first] = sessions[0] ?? [""];
    for (const part of Object.keys(parts)) {
      const words = [fileURLToPath(import.meta.url), "part", part, folder, first];
      if (spawnSync(process.execPath, words, { stdio: "inherit" }).status !== 0) process.exitCode = 1;
    }
    const whole = await storageUse();
    const thousands = sessions.reduce((sum, [, messages]) => sum + messages, 0) / 1000;
    const perThousand = (bytes: number) => megabytes(bytes / thousands);
    const derived = perThousand(whole - bare);
    console.log(`database ${megabytes(whole)}; per 1,000 messages: facts ${perThousand(bare)}, derived ${derived}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [, , which = "both", part = "", folder = "", sessionId = ""] = process.argv;
if (which === "part") {
  const store = openStore(folder);
  const startBytes = process.memoryUsage.rss();
  await parts[part]?.(store, sessionId);
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(`    memory ${megabytes(startBytes)} before, ${megabytes(peak)} at most`);
  if (part === "openLeft" && peak > openedBytesMax) {
    console.log(`    OVER the limit of ${megabytes(openedBytesMax)}`);
    process.exitCode = 1;
  }
  await store.close();
} else {
  if (which !== "many") await measure(`One session of ${messageCount} messages`, [["ses_large", messageCount]]);
  const many = Array.from({ length: sessionCount }, (_, index) => [`ses_${index}`, 40] as const);
  if (which !== "one") await measure(`${sessionCount} sessions of 40 messages`, many);
}
