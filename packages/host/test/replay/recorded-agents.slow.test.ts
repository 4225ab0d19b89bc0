/** Records of sessions with agents in the background: what agents told is taken from the record, where it was told. */
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { checkSession, readRecord } from "../../src/replay/index.ts";
import { type AgentSite, openAgentSite } from "../agents/agent-site.ts";

async function checked(site: AgentSite, sessionId: string) {
  const read = readRecord((await site.facts(sessionId)).map((each) => JSON.stringify(each)).join("\n"));
  if (!read.ok) throw new Error(read.sentence);
  const report = await checkSession(read.records, { temporaryDirectory: tmpdir(), newTools: () => [] });
  return { requests: report.requestsCompared, divergence: report.divergence, stopsAt: report.notReplayable?.why };
}

const order = {
  ...{ id: "call_a", name: "agent" },
  input: { description: "Look at it", prompt: "child", subagent_type: "general", run_in_background: true },
};
const mail = { id: "call_m", name: "send_message", input: { to: "leader", message: "Half of it is done." } };

test("a run that waited for its agent, with mail and an end, is replayed request by request", async () => {
  const site = await openAgentSite(({ prompt, results }) => {
    if (prompt === "child") return results.length === 0 ? { toolCalls: [mail] } : { text: "All of it is done." };
    return results.length === 0 ? { toolCalls: [order] } : { text: "Heard." };
  });
  try {
    const sessionId = await site.open();
    await site.prompt(sessionId, "parent");
    await site.prompt(sessionId, "parent asks again");
    const steps = (await site.facts(sessionId)).filter(({ fact }) => fact.type === "step.started").length;
    expect(await checked(site, sessionId)).toEqual({ requests: steps, divergence: undefined, stopsAt: undefined });
  } finally {
    await site.close();
  }
});

test("a session that continued by itself for an end is replayed up to there, and says why", async () => {
  const held = Promise.withResolvers<void>();
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt === "child") return { text: "Done at last.", holdUntil: held.promise };
      return results.length === 0 ? { toolCalls: [order] } : { text: "Heard." };
    },
    {},
    { interactive: true },
  );
  try {
    const sessionId = await site.open();
    await site.prompt(sessionId, "parent");
    held.resolve();
    const ends = async () => (await site.facts(sessionId)).filter(({ fact }) => fact.type === "run.ended").length;
    await expect.poll(ends).toBe(2);
    expect(await checked(site, sessionId)).toEqual({
      ...{ requests: 2, divergence: undefined },
      stopsAt: "the session continued by itself for news of its agents",
    });
  } finally {
    held.resolve();
    await site.close();
  }
});
