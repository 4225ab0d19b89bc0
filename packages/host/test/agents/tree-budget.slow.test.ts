/** One budget for a session and all of its agents: spending stops at it, the record says who spent what, and more can be given. */
import { expect, test } from "vitest";
import { openAgentSite } from "./agent-site.ts";

const count = 20;
/** At $1 for a million tokens: one step of anybody costs a cent. */
const usage = { input: 9_000, output: 1_000 };
const stepUsd = 0.01;
/** Far more than the budget pays for. */
const stepsOfAgent = 30;

test(`a tree of ${count} agents stops at a budget of $1, says who spent what, and continues with more`, async () => {
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt.startsWith("child")) {
        return results.length < stepsOfAgent
          ? { toolCalls: [{ id: `call_${results.length}`, name: "read", input: { filePath: "kept.txt" } }], usage }
          : { text: `${prompt} is done.`, usage };
      }
      if (results.length > 0) return { text: "All known.", usage };
      const tasks = Array.from({ length: count }, (_, index) => ({
        prompt: `child ${index}`,
        description: `Part ${index}`,
      }));
      return { toolCalls: [{ id: "call_agents", name: "agent", input: { subagent_type: "worker", tasks } }], usage };
    },
    {
      agents: {
        confirmUsd: 1_000,
        definitions: { worker: { description: "Works.", prompt: "Work.", max_turns: 60, tools: ["read"] } },
      },
    },
    { files: { "kept.txt": "kept\n" } },
  );
  try {
    const sessionId = await site.open();
    const ended = await site.prompt(sessionId, "parent", { budgetUsdMax: 1 });
    expect(ended).toMatchObject({ reason: "error_max_budget", budget: "usd" });
    const steps = await site.allFacts(sessionId, "step.ended");
    const spent = steps.reduce((sum, { cost }) => sum + cost.usd, 0);
    // Requests that were under way when it was used up are paid for; no other one was begun.
    expect(spent).toBeGreaterThan(0.9);
    expect(spent).toBeLessThanOrEqual(1 + stepUsd * 2);
    const ends = (await site.facts(sessionId)).flatMap(({ fact }) => (fact.type === "agent.ended" ? [fact] : []));
    expect(ends).toHaveLength(count);
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(["failed"]));
    for (const { why } of ends) expect(why).toBe("The cost budget is exhausted.");
    const byAgents = ends.reduce((sum, { cost }) => sum + cost.usd, 0);
    expect(byAgents).toBeCloseTo(spent - stepUsd, 6);

    const listed = await site.kedge.door.ask<"agent.list">({ type: "agent.list", sessionId });
    if (!listed.ok) throw new Error(listed.failure.message);
    const each = listed.value.agents.map(({ cost }) => cost.usd);
    expect(each).toHaveLength(count);
    expect(each.reduce((sum, usd) => sum + usd, 0)).toBeCloseTo(byAgents, 6);

    const more = await site.prompt(sessionId, "parent", { budgetUsdMax: 5 });
    expect(more).toMatchObject({ reason: "completed", text: "All known." });
    const [first] = listed.value.agents;
    const revived = await site.kedge.door.send<"agent.revive">({ type: "agent.revive", agentId: first?.agentId ?? "" });
    expect(revived).toEqual({ ok: true, value: {} });
    await expect
      .poll(async () => {
        const found = await site.kedge.door.ask<"agent.read">({ type: "agent.read", agentId: first?.agentId ?? "" });
        return found.ok ? found.value : undefined;
      })
      .toMatchObject({ agent: { status: "completed" }, result: "child 0 is done." });
  } finally {
    await site.close();
  }
});
