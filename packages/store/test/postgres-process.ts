/** Appends to a PostgreSQL store in a process of its own, one fact at a time, and says each; started by a test. */
import { randomBytes } from "node:crypto";
import { flushCompileCache } from "node:module";
import { openPostgresStore } from "../src/postgres/index.ts";
import { created } from "./sample-facts.ts";
import { conversation } from "./view-facts.ts";

// Now, because it will be killed.
flushCompileCache();

const [, , url = "", sessionId = "", turns = "1"] = process.argv;
const world = { now: Date.now, randomBytes, isAlive: () => true, machine: "machine-1" };
const opened = await openPostgresStore({ url, ...world });
if (!opened.ok) throw new Error(opened.failure.message);
const { store } = opened;
const boot = `boot-${process.pid}`;
const lease = await store.acquireLease(sessionId, { boot, pid: process.pid, startedAt: "1" });
if (!lease.ok) {
  console.log(`held by ${lease.holder.boot}`);
  await store.close();
} else {
  await store.append(sessionId, [created], { boot, durable: false });
  for (let turn = 1; turn <= Number(turns); turn += 1) {
    await store.append(sessionId, conversation(turn, `turn ${turn} of ${sessionId}`), { boot, durable: true });
    console.log(`stored ${turn}`);
  }
  // Whoever started this decides when it ends: in the middle of everything, without a word to the server.
  process.stdin.resume();
}
