/** Stores a message of 200 MB, or shows the session it is in and prints what that took; started by a test. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "../src/sqlite/open-sqlite-store.ts";
import { created } from "./sample-facts.ts";
import { conversation } from "./view-facts.ts";

const [, , task = "", folder = ""] = process.argv;
const place = { path: join(folder, "kedge.db"), blobsDirectory: join(folder, "blobs") };
const opened = openSqliteStore({ ...place, now: Date.now, randomBytes, isAlive: () => true });
if (!opened.ok) throw new Error(opened.failure.message);
const { store } = opened;
if (task === "fill") {
  const huge = "harbour and lighthouse ".repeat(9_200_000);
  const writer = { boot: "boot-1", durable: false };
  await store.append("ses_1", [created, ...conversation(1, "before"), ...conversation(2, huge)], writer);
  await store.append("ses_1", conversation(3, "after the lighthouse"), writer);
} else {
  const { messages } = await store.messages("ses_1", { limit: 50 });
  const hits = await store.search({ text: "lighthouse", limit: 10 });
  // What the system counts as the most of a process begins with that of its parent; this belongs to the process alone.
  const peakKilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  const shown = messages.map(({ id, parts }) => {
    const [part] = parts.filter(({ type }) => type === "text");
    return [id, part?.type === "text" ? part.text.slice(-60) : ""];
  });
  console.log(JSON.stringify({ peakMegabytes: Number(peakKilobytes) / 1024, shown, hits: hits.length }));
}
if (task === "verify") console.log(JSON.stringify(await store.verify("ses_1")));
await store.close();
