/** The agents that kedge keeps to itself work with the prompts of the table: for summaries of conversations and of work. */
import { builtInAgents } from "@kedge/agents/definitions";
import type { MockRequest } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { type AgentSite, openAgentSite } from "./agent-site.ts";

let site: AgentSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const promptOf = (name: string) => builtInAgents.find((agent) => agent.name === name)?.prompt.trim() ?? "";

function isToldBy(name: string, { body }: MockRequest): boolean {
  const [first] = body.messages ?? [];
  return promptOf(name) !== "" && String(first?.content).includes(promptOf(name));
}

test("conversations are summed up by the compaction agent, work in exports by the summary agent", async () => {
  const opened = await openAgentSite(({ request }) => {
    if (isToldBy("summary", request)) return { text: "**What:** the tea is tasted." };
    if (isToldBy("compaction", request)) return { text: "## Goal\nTaste tea." };
    return { text: `Tasted. ${"Leaf after leaf. ".repeat(400)}` };
  });
  site = opened;
  const sessionId = await opened.open();
  await opened.prompt(sessionId, "parent: taste the tea");
  await opened.prompt(sessionId, "parent: taste more");
  const exported = async () => {
    const answer = await opened.kedge.door.ask<"session.export">({ type: "session.export", sessionId, format: "md" });
    if (!answer.ok) throw new Error(answer.failure.message);
    return answer.value.text;
  };
  expect(await exported()).toContain("## Work\n\n> **What:** the tea is tasted.");
  await exported();
  expect(opened.model.requests.filter((request) => isToldBy("summary", request))).toHaveLength(1);
  const compacted = await opened.kedge.door.send<"context.compact">({ type: "context.compact", sessionId });
  expect(compacted).toMatchObject({ ok: true });
  expect(opened.model.requests.filter((request) => isToldBy("compaction", request))).toHaveLength(1);
});

test("with summary.enabled false an export asks no model", async () => {
  site = await openAgentSite(() => ({ text: "Tasted." }), { summary: { enabled: false } });
  const sessionId = await site.open();
  await site.prompt(sessionId, "parent: taste the tea");
  const answer = await site.kedge.door.ask<"session.export">({ type: "session.export", sessionId, format: "html" });
  expect(answer.ok && answer.value.text.includes("Tasted.")).toBe(true);
  expect(site.model.requests).toHaveLength(1);
});
