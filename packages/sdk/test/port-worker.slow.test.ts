/** Proves that an engine in another thread can talk fast without keeping the screen busy, and can die. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { connectOverPort } from "../src/index.ts";
import { engineStopped } from "../src/port/port-messages.ts";

const deltasPerMs = 10;
const deltasTotal = 20_000;
/** Each window of 16 ms has 160; one after a pause begins with a message of one delta. */
const deltasPerMessageMin = 80;

let worker: Worker | undefined;

afterEach(async () => {
  await worker?.terminate();
  worker = undefined;
});

function startEngine(): Worker {
  worker = new Worker(join(import.meta.dirname, "delta-engine.ts"), { workerData: { deltasTotal, deltasPerMs } });
  return worker;
}

test("ten thousand deltas in a second come whole and in order, in few messages", async () => {
  const engine = startEngine();
  const client = connectOverPort(engine);
  let messages = 0;
  engine.on("message", () => {
    messages += 1;
  });
  let text = "";
  let lastId = "";
  for await (const { id, properties } of client.follow({ signal: new AbortController().signal })) {
    text += String(properties["delta"]);
    lastId = id;
  }
  expect(text).toBe(Array.from({ length: deltasTotal }, (_, number) => `${number} `).join(""));
  expect(lastId).toBe(`1-boot-${deltasTotal - 1}`);
  expect(messages).toBeLessThanOrEqual(deltasTotal / deltasPerMessageMin);
});

test("an engine that dies in the middle of a call and of a stream ends both, and every call after", async () => {
  const client = connectOverPort(startEngine());
  const frames = client.follow({ signal: new AbortController().signal })[Symbol.asyncIterator]();
  expect(await frames.next()).toMatchObject({ done: false });
  const read = async () => {
    while ((await frames.next()).done !== true);
  };
  const open = [client.verify("ses_1"), read()];
  for (const each of open) each.catch(() => undefined);
  for (const each of open) await expect(each).rejects.toMatchObject({ failure: engineStopped });
  expect(await client.send<"session.create">({ type: "session.create" })).toEqual({
    ok: false,
    failure: engineStopped,
  });
});
