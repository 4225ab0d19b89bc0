/** Data stands before the prompt that it was found for, and nothing that was sent ever changes: over many turns, a resume, an undo and a summary. */
import type { ContextSource, Message, ModelRequest } from "@kedge/protocol";
import { expect, test } from "vitest";
import { answer, callOf, newStore, openSite, type SiteOptions, words } from "./compaction-site.ts";

/** Finds something else for every run, as lessons and recalled notes do. */
const found: ContextSource = {
  name: "found",
  kind: "data",
  place: "turn",
  read: ({ state }) => {
    const runId = state.queue[0]?.runId ?? state.runId ?? "";
    return [{ text: `found for ${runId}`, origin: runId, hash: runId }];
  },
};

const hint: ContextSource = {
  name: "hint",
  kind: "reminder",
  place: "turn",
  read: () => [{ text: "hint", origin: "hint", hash: "1" }],
};

const parts = { contextSources: [hint, found] };

async function open(options: SiteOptions) {
  const site = openSite({ parts, ...options });
  await site.harness.open("bypass");
  return site;
}

/** D for data, H for the hint, P for a prompt, A for an answer, R for a result. */
function shape(messages: readonly Message[] = []): string {
  return messages.map(letterOf).join("");
}

function letterOf(message: Message): string {
  if (message.role !== "user") return message.role === "assistant" ? "A" : "R";
  if (message.text.includes("<untrusted-data")) return "D";
  return message.text.includes("hint") ? "H" : "P";
}

function expectGrowth(requests: readonly ModelRequest[], before: readonly Message[] = []): readonly Message[] {
  let known = before;
  for (const { messages } of requests) {
    expect(messages.slice(0, known.length)).toEqual(known);
    known = [...messages];
  }
  return known;
}

test("the prompt is the last word of its step, and 50 turns and a resume only append", async () => {
  const store = newStore();
  const turns = Array.from({ length: 25 }, (_, at) => [callOf(`c${at}`, "list", {}), answer(`${at}.`)]).flat();
  const first = await open({ store, turns: turns.slice(0, 26) });
  for (let at = 0; at < 13; at += 1) await first.harness.prompt("ses_1", `Prompt ${at}`);
  expect(shape(first.asked[0]?.messages)).toBe("DPH");
  expect(shape(first.asked[2]?.messages)).toBe("DPHARADP");
  const sent = expectGrowth(first.asked);
  await first.harness.engine.close();
  const second = openSite({ store, boot: "boot-2", parts, turns: turns.slice(26) });
  await second.harness.resume("ses_1", {});
  for (let at = 13; at < 25; at += 1) await second.harness.prompt("ses_1", `Prompt ${at}`);
  const all = expectGrowth(second.asked, sent);
  expect(shape(all)).toBe(`DPHAR${"ADPAR".repeat(24)}`);
});

test("an undo, and a move to before a prompt, also take back what was found for it", async () => {
  const site = await open({ turns: ["One.", "Two.", "Three.", "Four."].map((text) => answer(text)) });
  const { engine } = site.harness;
  await site.harness.prompt("ses_1", "One");
  await site.harness.prompt("ses_1", "Two");
  expect(await engine.send({ type: "session.undo", sessionId: "ses_1" })).toMatchObject({ ok: true });
  await site.harness.prompt("ses_1", "Three");
  expect(shape(site.asked[2]?.messages)).toBe("DPHADP");
  const third = site.harness.facts().findLast((fact) => fact.type === "prompt.admitted");
  const entryId = third?.type === "prompt.admitted" ? third.promptId : "";
  const moved = await engine.send({ type: "leaf.move", sessionId: "ses_1", entryId });
  expect(moved).toMatchObject({ ok: true, value: { promptText: "Three" } });
  await site.harness.prompt("ses_1", "Four");
  expect(shape(site.asked[3]?.messages)).toBe("DPHADP");
});

test("a summary between two turns keeps what was found for the kept one", async () => {
  const site = await open({
    turns: [answer(`One. ${words(4_000)}`), answer("Two."), answer("Three.")],
    summaries: [answer("## Goal\nForgotten.")],
  });
  await site.harness.prompt("ses_1", "One");
  await site.harness.prompt("ses_1", "Two");
  expect(await site.harness.engine.send({ type: "context.compact", sessionId: "ses_1" })).toMatchObject({ ok: true });
  const compacted = site.harness.facts().findLast((fact) => fact.type === "context.compacted");
  const second = site.harness.facts().findLast((fact) => fact.type === "step.started");
  expect(compacted).toMatchObject({
    firstKeptId: second?.type === "step.started" ? `${second.stepId}.reminder0` : "",
  });
  await site.harness.prompt("ses_1", "Three");
  // The summary, the kept turn, then the new one; the hint went with the first turn and is said again.
  expect(shape(site.asked[2]?.messages)).toBe("PDPADPH");
});

test("a record from before data had its place is shown as it was sent", async () => {
  const store = newStore();
  const first = await open({ store, turns: [answer("One.")] });
  await first.harness.prompt("ses_1", "One");
  await first.harness.engine.close();
  const old = newStore();
  for await (const { fact } of store.read("ses_1", 0)) {
    const kept = { ...fact };
    if (kept.type === "step.started") Reflect.deleteProperty(kept, "remindersBefore");
    await old.append("ses_1", [kept], { boot: "boot-1", durable: false });
  }
  const second = openSite({ store: old, boot: "boot-2", parts, turns: [answer("Two.")] });
  await second.harness.resume("ses_1", {});
  await second.harness.prompt("ses_1", "Two");
  expect(shape(second.asked[0]?.messages)).toBe("PDHADP");
});
