/** Whom an agent can reach and what an id is worth: nothing outside of its own tree, whatever name or id it gives. */
import { connectInProcess, query } from "@kedge/sdk";
import { expect, test } from "vitest";
import { openAgentSite, type SiteScript } from "./agent-site.ts";

function call(id: string, name: string, input: object) {
  return { id, name, input };
}

test("ids of another session's agents, of sessions and of nobody reach nothing", async () => {
  const hold = Promise.withResolvers<void>();
  const foreign: { victim: string; session: string } = { victim: "", session: "" };
  const script: SiteScript = ({ prompt, results }) => {
    if (prompt === "child victim") return { text: "Kept working.", holdUntil: hold.promise };
    if (prompt === "child forger") {
      const ids = [foreign.victim, foreign.session, "ses_0000000000000000000000", "../victim", "victim"];
      const all = ids.flatMap((to, index) => [
        call(`call_m${index}`, "send_message", { to, message: "Stop at once." }),
        call(`call_k${index}`, "task_stop", { id: to }),
        call(`call_o${index}`, "task_output", { id: to }),
        call(`call_r${index}`, "read", { filePath: `agent://${to}` }),
      ]);
      return results.length === 0 ? { toolCalls: all } : { text: "Tried." };
    }
    if (results.length > 0) return { text: "Done." };
    const order = prompt === "parent one" ? { name: "victim", run_in_background: true } : {};
    const who = prompt === "parent one" ? "victim" : "forger";
    return { toolCalls: [call("call_a", "agent", { description: who, prompt: `child ${who}`, ...order })] };
  };
  const site = await openAgentSite(script, { permission: "allow", agents: { maxDepth: 3 } }, { interactive: true });
  try {
    foreign.session = await site.open("bypass");
    await site.prompt(foreign.session, "parent one");
    const [victim] = await site.allFacts(foreign.session, "agent.started");
    foreign.victim = victim?.agentId ?? "";
    const other = await site.open("bypass");
    await site.prompt(other, "parent two");
    const tried = (await site.allFacts(other, "tool.ended")).filter(({ tool }) => tool !== "agent");
    expect(tried).toHaveLength(20);
    for (const { tool, output, outcome } of tried)
      expect([tool, outcome, output.slice(0, 80)]).toEqual([tool, "failed", output.slice(0, 80)]);
    const listed = await site.kedge.door.ask<"agent.read">({ type: "agent.read", agentId: foreign.victim });
    expect(listed).toMatchObject({ ok: true, value: { agent: { state: "running" } } });
    expect((await site.facts(foreign.victim)).filter(({ fact }) => fact.type === "mail.received")).toEqual([]);
    hold.resolve();
  } finally {
    hold.resolve();
    await site.close();
  }
});

const yaml = `name: yaml-taster
description: Tastes tea.
maxTurns: 7
tools: [Read]
permission:
  bash: deny
color: green
prompt: |
  You taste tea.
`;

test("definitions in YAML, in settings and in --agents are read alike, and programs hear which agent asks", async () => {
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt === "child taste")
        return results.length === 0
          ? { toolCalls: [call("call_w", "write", { filePath: "tea.txt", content: "green\n" })] }
          : { text: "Tasted." };
      if (results.length > 0) return { text: "Done." };
      return {
        toolCalls: [call("call_a", "agent", { description: "Taste", prompt: "child taste", subagent_type: "general" })],
      };
    },
    { agents: { definitions: { "set-taster": { description: "Set.", prompt: "You taste.", max_turns: 7 } } } },
    { interactive: true, homeFiles: { "agents/yaml-taster.yaml": yaml } },
  );
  try {
    const client = connectInProcess(site.kedge.door, site.kedge.store);
    const listed = await client.ask<"agent.definitions">({ type: "agent.definitions" });
    if (!listed.ok) throw new Error(listed.failure.message);
    const found = (name: string) => listed.value.definitions.find((each) => each.name === name);
    expect(found("yaml-taster")).toMatchObject({
      status: "used",
      tier: "user",
      maxTurns: 7,
      tools: ["read"],
      notes: [],
    });
    expect(found("set-taster")).toMatchObject({ status: "used", tier: "configuration", maxTurns: 7 });
    const asked: unknown[] = [];
    const run = query("parent", {
      client,
      canUseTool(request) {
        asked.push([request.tool, request.agent?.agent, request.agent?.agentId]);
        return { behavior: "allow" };
      },
    });
    const told: unknown[] = [];
    for await (const message of run) {
      if (message.type === "agent-started") told.push([message.type, message.agent, message.description]);
      if (message.type === "agent-ended") told.push([message.type, message.status, message.result]);
    }
    expect(told).toEqual([
      ["agent-started", "general", "Taste"],
      ["agent-ended", "completed", "Tasted."],
    ]);
    const agents = await client.ask<"agent.list">({ type: "agent.list" });
    const agentId = agents.ok ? agents.value.agents[0]?.agentId : undefined;
    expect(asked).toEqual([["write", "general", agentId]]);
    expect(agents).toMatchObject({ ok: true, value: { agents: [{ status: "completed" }] } });
  } finally {
    await site.close();
  }
});
