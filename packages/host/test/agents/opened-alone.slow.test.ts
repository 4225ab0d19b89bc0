/** Agents whose sessions somebody opens by themselves: they have no more rights than in their tree. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAgentSite, promptIn, type SiteScript } from "./agent-site.ts";

const definitions = {
  // Whoever it starts has at most its tools.
  scout: { description: "Looks.", prompt: "Look.", tools: ["agent", "read"] },
  quiet: { description: "No commands.", prompt: "Be quiet.", permission: { bash: "deny" } },
};

const write = { id: "w", name: "write", input: { filePath: "written.txt", content: "x" } };
const touch = { id: "t", name: "bash", input: { command: "touch touched.txt", description: "try" } };

function starts(id: string, type: string, prompt = `child ${type}`) {
  return { id, name: "agent", input: { description: "A task", prompt, subagent_type: type } };
}

const script: SiteScript = ({ prompt, results, request }) => {
  const said = JSON.stringify(request.body.messages);
  if (said.includes("Opened alone.")) {
    const hasTried = request.body.messages?.at(-1)?.role === "tool";
    return hasTried ? { text: "Tried." } : { toolCalls: [write, touch] };
  }
  if (prompt === "child scout" && results.length === 0) return { toolCalls: [starts("g", "general", "child below")] };
  if (prompt.startsWith("child") || results.length > 0) return { text: "Done." };
  return { toolCalls: [starts("a", "verification"), starts("b", "quiet"), starts("c", "scout")] };
};

test("an agent that is opened by itself keeps the limits of its definition and of those above it", async () => {
  const site = await openAgentSite(script, { permission: "allow", agents: { maxDepth: 3, definitions } });
  const childrenOf = async (parentId: string) => site.kedge.store.sessions({ parentId, limit: 10 });
  try {
    const sessionId = await site.open("bypass");
    await site.prompt(sessionId, "parent");
    const ids = new Map<string, string>();
    for (const { fact } of await site.facts(sessionId))
      if (fact.type === "agent.started") ids.set(fact.agent, fact.agentId);
    const [below] = await childrenOf(ids.get("scout") ?? "");
    ids.set("below", below?.sessionId ?? "");
    await site.kedge.engine.send<"session.close">({ type: "session.close", sessionId });

    const outcomes: { [name: string]: readonly string[] } = {};
    for (const name of ["verification", "quiet", "below"]) {
      const agentId = ids.get(name) ?? "";
      const opened = await site.kedge.engine.send<"session.resume">({ type: "session.resume", sessionId: agentId });
      expect(opened.ok).toBe(true);
      await site.prompt(agentId, "Opened alone.");
      const ends = (await site.facts(agentId)).flatMap(({ fact }) => (fact.type === "tool.ended" ? [fact] : []));
      outcomes[name] = ends.slice(-2).map(({ tool, outcome }) => `${tool} ${outcome}`);
    }
    expect(outcomes).toEqual({
      // Running tests and builds is its task.
      verification: ["write failed", "bash completed"],
      quiet: ["write completed", "bash failed"],
      below: ["write failed", "bash failed"],
    });
    expect(existsSync(join(site.project, "written.txt"))).toBe(true);

    // Without agents there are no definitions to be held to.
    const agentId = ids.get("quiet") ?? "";
    await site.kedge.engine.send<"session.close">({ type: "session.close", sessionId: agentId });
    const without = await site.openBeside({ permission: "allow", agents: { enabled: false } });
    await without.engine.send<"session.resume">({ type: "session.resume", sessionId: agentId });
    await promptIn(without, { sessionId: agentId, text: "Opened alone.", options: {} });
    const ends = (await site.facts(agentId)).flatMap(({ fact }) => (fact.type === "tool.ended" ? [fact] : []));
    await without.close();
    await without.store.close();
    expect(ends.slice(-2).map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual(["write refused", "bash refused"]);
  } finally {
    await site.close();
  }
});
