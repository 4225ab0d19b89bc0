/** Proves that a whole conversation works with the engine in a thread of its own, and what happens when that ends. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { connectOverPort } from "@kedge/sdk";
import { expect, test } from "vitest";
import { converse, newSession, typesOf } from "./conversation-steps.ts";
import { openLocal, openSdkBench } from "./sdk-bench.ts";

test("a conversation with an engine in another thread, whose record is whole after the thread was killed", async () => {
  const bench = await openSdkBench();
  const { project: directory, environment } = bench;
  const worker = new Worker(join(import.meta.dirname, "engine-worker.ts"), { workerData: { directory, environment } });
  try {
    const client = connectOverPort(worker);
    const sessionId = await newSession(client);
    const { streamed, ended } = await converse(client, sessionId, "hello there");
    expect([streamed, ended.text]).toEqual(["You said: hello there", "You said: hello there"]);
    const { facts } = await converse(client, sessionId, "write thread.txt one", {
      permission: () => ({ reply: "once" }),
    });
    expect(readFileSync(join(directory, "thread.txt"), "utf8")).toBe("one\n");
    expect(typesOf(facts)).toContain("permission.answered");
    const hanging = converse(client, sessionId, "hang", { event: async () => void (await worker.terminate()) });
    await expect(hanging).rejects.toMatchObject({ failure: { code: "connection_error" } });
    await expect(client.verify(sessionId)).rejects.toMatchObject({ failure: { message: "The engine stopped." } });
    const later = await openLocal(bench);
    try {
      expect(await later.client.verify(sessionId)).toMatchObject({ valid: true, truncated: false });
    } finally {
      await later.close();
    }
  } finally {
    await worker.terminate();
    await bench.close();
  }
});
