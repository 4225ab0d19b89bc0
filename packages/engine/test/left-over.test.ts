/** What was said to a process that died before the model saw it: nothing begins by itself, and nothing is lost. */
import type { Store } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { createHarness, say } from "./harness.ts";

/** A session in which a prompt was admitted, and nothing after that. */
async function openLeftOver(): Promise<{ readonly store: Store; readonly sessionId: string }> {
  const store = createMemoryStore({
    now: () => 1000,
    randomBytes: (size) => new Uint8Array(size).fill(7),
    isAlive: () => false,
  });
  const first = createHarness({ turns: [], store });
  const sessionId = await first.open();
  const prompt = { promptId: "prm_old", runId: "run_old", delivery: "follow-up", text: "said before" } as const;
  await store.append(sessionId, [{ type: "prompt.admitted", ...prompt }], { boot: "boot-1", durable: true });
  return { store, sessionId };
}

test("the next prompt takes it along, before itself, and no run follows", async () => {
  const { store, sessionId } = await openLeftOver();
  const next = createHarness({ turns: [say("Both.")], store, boot: "boot-2" });
  await next.resume(sessionId);
  expect(next.requests).toEqual([]);
  await next.prompt(sessionId, "said now");
  await next.engine.close();
  expect(next.requests.map(({ messages }) => messages)).toEqual([
    [
      { role: "user", text: "said before" },
      { role: "user", text: "said now" },
    ],
  ]);
  expect(next.facts().filter(({ type }) => type === "run.ended")).toMatchObject([
    { reason: "aborted" },
    { reason: "completed" },
  ]);
});

test("going on without a prompt begins with it", async () => {
  const { store, sessionId } = await openLeftOver();
  const next = createHarness({ turns: [say("That.")], store, boot: "boot-2" });
  await next.resume(sessionId);
  expect(await next.engine.send({ type: "run.continue", sessionId, options: {} })).toMatchObject({ ok: true });
  await next.waitForFact("run.ended", 2);
  expect(next.requests.map(({ messages }) => messages)).toEqual([[{ role: "user", text: "said before" }]]);
});
