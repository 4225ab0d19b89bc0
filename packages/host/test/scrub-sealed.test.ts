/** What a vendor sealed cannot be searched for secrets, so a scrub that finds one anywhere takes it away. */
import { randomBytes } from "node:crypto";
import { type Fact, noUsage } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { scrubSession } from "../src/retention/scrub-session.ts";

const holder = { boot: "boot-1", pid: 1, startedAt: "now" };
const vendorHistory = { provider: "openai", family: "gpt-5", json: '{"type":"compaction"}', tokens: 9 };
const compacted: Fact = {
  type: "context.compacted",
  compactionId: "cmp_1",
  trigger: "manual",
  strategy: "summary",
  summary: "What was done.",
  shortSummary: "Done.",
  restored: [],
  vendorHistory,
  files: { read: [], modified: [] },
  itemsReplaced: 1,
  tokensBefore: 100,
  tokensAfter: 10,
  boundary: {},
  usage: noUsage,
  cost: { usd: 0, estimated: false },
};

test.each([
  ["the key is hunter2", 2],
  ["nothing secret", 0],
])("a session with %o", async (text, contents) => {
  const store = createMemoryStore({ now: () => 1_700_000_000_000, randomBytes, isAlive: () => false });
  const prompt: Fact = { type: "prompt.admitted", promptId: "prm_1", runId: "run_1", delivery: "steer", text };
  const lease = await store.acquireLease("ses_1", holder);
  expect(lease.ok).toBe(true);
  await store.append("ses_1", [prompt, compacted], { boot: holder.boot, durable: true });
  await store.releaseLease("ses_1", holder.boot);
  const redact = (value: string) => value.replaceAll("hunter2", "[REDACTED]");
  const parts = { store, holder, redact, artifactsDirectory: "/nowhere" };
  expect(await scrubSession("ses_1", parts, { isDryRun: false })).toMatchObject({ ok: true, contents });
  const facts: Fact[] = [];
  for await (const { fact } of store.read("ses_1", 0)) facts.push(fact);
  const { vendorHistory: _, ...without } = compacted;
  expect(facts[1]).toEqual(contents === 0 ? compacted : without);
});
