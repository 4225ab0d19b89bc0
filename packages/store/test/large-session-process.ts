/** Stores or opens a session of ten thousand messages, and prints what opening it took; started by a test. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { emptySession, type Fact, type Store } from "@kedge/protocol";
import { migrations } from "../src/sqlite/migrations.ts";
import { openDatabase } from "../src/sqlite/open-database.ts";
import { createSqliteStore } from "../src/sqlite/sqlite-store.ts";
import { answerStep, ended, readCall, started } from "./view-facts.ts";

const sessionId = "ses_large";
const runs = 2_000;
const stepsPerRun = 4;

function openStore(folder: string): Store {
  const path = join(folder, "kedge.db");
  const found = openDatabase(path, migrations, randomBytes);
  if (!found.ok) throw new Error(found.failure.message);
  const place = { path, blobsDirectory: join(folder, "blobs") };
  return createSqliteStore(found.database, undefined, { ...place, now: Date.now, randomBytes, isAlive: () => true });
}

/** No two texts are the same, so that nothing can be shared. */
const text = (of: number, characters: number) => `${of} ${"some words of it ".repeat(characters / 17)}`;

function runFacts(run: number): readonly Fact[] {
  const promptId = `p${run}`;
  const steps = Array.from({ length: stepsPerRun }, (_, index) => {
    const step = run * stepsPerRun + index;
    const output = readCall(step, text(step, 1_900));
    return [started(step, index === 0 ? [promptId] : []), answerStep(step, text(step, 500)), ...output];
  });
  return [
    { type: "prompt.admitted", promptId, runId: `r${run}`, delivery: "follow-up", text: text(run, 250) },
    ...steps.flat(),
    ended(run * stepsPerRun + stepsPerRun - 1),
  ];
}

const [, , task = "", folder = ""] = process.argv;
const store = openStore(folder);
if (task === "fill") {
  const created = { directory: "/work", projectId: "project", model: "mock/small", mode: "default" } as const;
  const writer = { boot: "boot-1", durable: false };
  await store.append(sessionId, [{ type: "session.created", ...created, kedgeVersion: "0", boot: "boot-1" }], writer);
  for (let run = 0; run < runs; run += 1) await store.append(sessionId, runFacts(run), writer);
} else {
  const state = emptySession(sessionId);
  const before = process.cpuUsage();
  if (task === "open") await store.fold(state);
  if (task === "catchUp") await store.catchUp(sessionId);
  const isValid = task === "verify" ? (await store.verify(sessionId)).valid : true;
  const { user, system } = process.cpuUsage(before);
  // What the system counts as the most of a process begins with that of its parent; this belongs to the process alone.
  const peakKilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  const peakMegabytes = Number(peakKilobytes) / 1024;
  console.log(JSON.stringify({ cpuMs: (user + system) / 1000, peakMegabytes, items: state.items.length, isValid }));
}
await store.close();
