/** `instructions.loaded` tells once which instructions the model sees: at the start, when a file brings one, after a summary and a resume. */
import type { ContextBlock, ContextSource } from "@kedge/protocol";
import { expect, test } from "vitest";
import { answer, newStore, openSite, type Site, words } from "./compaction-site.ts";

const file = (path: string, text = path): ContextBlock => ({ text, origin: path, hash: text });

function sourcesOf(box: { nearby: readonly ContextBlock[]; agents: ContextBlock }): readonly ContextSource[] {
  return [
    { name: "instructions", kind: "instruction", place: "head", read: () => [box.agents] },
    { name: "nearby", kind: "instruction", place: "turn", read: () => box.nearby },
    // Neither data nor what is the same in every session is an instruction that was loaded.
    { name: "notes", kind: "data", place: "head", read: () => [file("notes.md")] },
    { name: "fixed", kind: "instruction", place: "head", read: () => [{ text: "Fixed.", origin: "fixed" }] },
  ];
}

const loaded = (site: Site) =>
  site.harness
    .facts()
    .flatMap((fact) => (fact.type === "instructions.loaded" ? [fact.blocks.map(({ origin }) => origin)] : []));

test("each is told when it comes into sight, right before the step that shows it", async () => {
  const store = newStore();
  const box = { nearby: [] as readonly ContextBlock[], agents: file("AGENTS.md") };
  const parts = { contextSources: sourcesOf(box) };
  const turns = [answer(`One. ${words(1_000)}`), answer("Two."), answer("Three."), answer("Four.")];
  const site = openSite({ store, turns, summaries: [answer("## Goal\nForgotten.")], parts });
  await site.harness.open("bypass");
  await site.harness.prompt("ses_1", "One");
  const types = site.harness.facts().map(({ type }) => type);
  expect(types.slice(types.indexOf("instructions.loaded"))).toEqual([
    ...["instructions.loaded", "step.started", "step.ended", "run.ended"],
  ]);
  box.nearby = [file("src/AGENTS.md")];
  await site.harness.prompt("ses_1", "Two");
  // Another version is told by the step that sends it.
  box.agents = file("AGENTS.md", "changed");
  await site.harness.prompt("ses_1", "Three");
  expect(loaded(site)).toEqual([["AGENTS.md"], ["src/AGENTS.md"]]);
  await site.harness.engine.send({ type: "context.compact", sessionId: "ses_1" });
  await site.harness.prompt("ses_1", "Four");
  expect(loaded(site).slice(2)).toEqual([["AGENTS.md", "src/AGENTS.md"]]);
  await site.harness.engine.close();

  const later = openSite({ store, boot: "boot-2", turns: [answer("Five.")], parts });
  await later.harness.resume("ses_1", {});
  await later.harness.prompt("ses_1", "Five");
  expect(loaded(later)).toEqual([["AGENTS.md"]]);
});
