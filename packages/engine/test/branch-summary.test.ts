/** Proves what the new place in the tree is told of the branch that is left, and that nothing moves before it is written. */
import { applyRecord, emptySession, type SessionState, type Store } from "@kedge/protocol";
import { expect, test } from "vitest";
import {
  answer,
  callOf,
  compactAt,
  openSite,
  recordIn,
  type Site,
  shown,
  summaryText,
  words,
} from "./compaction-site.ts";
import { createTool } from "./harness.ts";
import { mapSnapshots } from "./map-snapshots.ts";

async function stateOf(store: Store): Promise<SessionState> {
  const state = emptySession("ses_1");
  for await (const record of store.read("ses_1", 0)) applyRecord(state, record);
  return state;
}

const branchSummary = { reserveTokens: 16_384 };
const usage = { input: 90, output: 10, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

/** Two prompts, of which the second reads one file and writes another. */
async function twoPrompts(options: Partial<Parameters<typeof openSite>[0]> = {}): Promise<Site> {
  const files = new Map([["a.ts", "1"]]);
  const write = createTool({
    name: "write",
    readOnly: false,
    run: async () => {
      files.set("b.ts", "2");
      return { output: "written", title: "" };
    },
  });
  const site = openSite({
    tools: [createTool({ name: "read" }), write],
    snapshots: mapSnapshots(files),
    turns: [
      answer("One done."),
      callOf("a", "read", { filePath: "a.ts" }),
      callOf("b", "write", { filePath: "b.ts" }),
      answer("Two done."),
      answer("Three done."),
    ],
    summaries: [answer("## Goal\nTry the other way.\n<files>\nmade-up.ts (Read)\n</files>")],
    parts: { branchSummary },
    ...options,
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, "One");
  await site.harness.prompt(sessionId, "Two");
  return site;
}

test("what was left stands as a record at the new place, with its origin and its files", async () => {
  const site = await twoPrompts();
  const { engine, store } = site.harness;
  const { leaf = "" } = await stateOf(store);
  const count = site.harness.facts().length;
  const moved = await engine.send({ type: "leaf.move", sessionId: "ses_1", entryId: "prm_2", summary: "summary" });
  expect(moved).toEqual({ ok: true, value: { leafId: "msg_1", promptText: "Two" } });
  expect(site.harness.facts().slice(count)).toEqual([
    { type: "leaf.moved", leafId: "stp_1" },
    {
      type: "message.added",
      messageId: "msg_1",
      kind: "branch-summary",
      text: "## Goal\nTry the other way.\n\n<files>\na.ts (Read)\nb.ts (Write)\n</files>",
      fromLeafId: leaf,
      files: { read: ["a.ts"], modified: ["b.ts"] },
      usage,
      cost: { usd: 0.00014, estimated: false },
    },
  ]);
  const asked = recordIn(site.summaries[0]);
  expect(asked).toMatch(/^<session-to-record>\n\[User\]: Two\n/);
  expect(asked).not.toContain("One");
  await site.harness.prompt("ses_1", "Three");
  expect(shown(site.asked.at(-1))).toEqual([
    "user: One",
    "assistant: One done.",
    expect.stringContaining("user: <branch-record>"),
    "user: Three",
  ]);
});

test("the user's own words take the place of ours, and without a wish nothing is asked", async () => {
  const site = await twoPrompts();
  const { engine } = site.harness;
  await engine.send({
    type: "leaf.move",
    sessionId: "ses_1",
    entryId: "stp_1",
    summary: { instructions: "Only names." },
  });
  const asked = recordIn(site.summaries[0]);
  expect(asked.endsWith("</session-to-record>\n\nOnly names.")).toBe(true);
  const plain = await twoPrompts();
  const count = plain.harness.facts().length;
  await plain.harness.engine.send({ type: "leaf.move", sessionId: "ses_1", entryId: "stp_1", summary: "none" });
  expect(plain.harness.facts().slice(count)).toEqual([{ type: "leaf.moved", leafId: "stp_1" }]);
  expect(plain.summaries).toEqual([]);
});

test("switched off, stopped or failed, everything is as it was", async () => {
  const move = { type: "leaf.move", sessionId: "ses_1", entryId: "stp_1", summary: "summary" } as const;
  const off = await twoPrompts({ parts: {} });
  const before = await stateOf(off.harness.store);
  expect(await off.harness.engine.send(move)).toMatchObject({ ok: false, failure: { code: "invalid_command" } });
  expect(await stateOf(off.harness.store)).toEqual(before);

  const stopped: Site = await twoPrompts({
    summaries: [
      () => {
        void stopped.harness.engine.send({ type: "turn.interrupt", sessionId: "ses_1" });
        return answer("Too late.");
      },
    ],
  });
  const untouched = await stateOf(stopped.harness.store);
  expect(await stopped.harness.engine.send(move)).toMatchObject({ ok: false, failure: { code: "aborted" } });
  expect(await stateOf(stopped.harness.store)).toEqual(untouched);

  const failed = await twoPrompts({ summaries: [[{ type: "end", stopReason: "end", usage }]] });
  const count = failed.harness.facts().length;
  expect(await failed.harness.engine.send(move)).toMatchObject({ ok: false, failure: { code: "malformed_response" } });
  expect(failed.harness.facts().slice(count)).toEqual([
    { type: "session.updated", usage, cost: { usd: 0.00014, estimated: false } },
  ]);
});

test("of a long branch the newest fits, and a summary at the edge is taken all the same", async () => {
  const long = words(4_000, "word\n");
  const site = openSite({
    turns: [
      answer("Zero done."),
      answer("One done."),
      answer("Two done."),
      answer("Three done.", compactAt),
      answer("Four done."),
    ],
    summaries: [answer(`${summaryText} ${words(3_000)}`), answer("## Goal\nLeft.")],
    parts: { branchSummary: { reserveTokens: 98_000 } },
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, "Zero");
  for (const name of ["One", "Two", "Three"]) await site.harness.prompt(sessionId, `${name}: ${long}`);
  await site.harness.prompt(sessionId, "Four");
  await site.harness.engine.send({ type: "leaf.move", sessionId, entryId: "stp_1", summary: "summary" });
  const asked = recordIn(site.summaries[1]);
  expect(asked).toContain("[Summary of what came before]: ## Goal");
  expect(asked).toContain("[User]: Four");
  expect(asked).not.toContain("Three");
});
