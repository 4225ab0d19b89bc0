/** Agents that a program defines: they are started like all others, keep to their tools, and ask under their id. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { query } from "../../src/sdk/index.ts";
import { openLocal, openSdkBench, type SdkBench } from "./sdk-bench.ts";

let bench: SdkBench;

beforeAll(async () => {
  bench = await openSdkBench();
});
afterAll(() => bench.close());

const agents = {
  scribe: { description: "Writes.", prompt: "You write down.", tools: ["write"], maxTurns: 5 },
  looker: { description: "Looks.", prompt: "You look.", readOnly: true },
};

function order(agent: string, prompt: string): string {
  return `call agent ${JSON.stringify({ description: "Do it", prompt, subagent_type: agent })}`;
}

test("a program's agents are started by name, with their prompt and tools, and its answer reaches who asks", async () => {
  const { client, close } = await openLocal(bench, { agents });
  try {
    const asked: unknown[] = [];
    const told: unknown[] = [];
    const run = query(order("scribe", "write tea.txt green"), {
      client,
      canUseTool({ tool, agent }) {
        asked.push([tool, agent?.agent, agent?.agentId]);
        return { behavior: "allow" };
      },
    });
    for await (const message of run) {
      if (message.type === "agent-started") told.push([message.agent, message.agentId]);
      if (message.type === "agent-ended") told.push([message.status, message.agentId]);
    }
    const [[name, agentId] = []] = told as [string, string][];
    expect(name).toBe("scribe");
    expect(told).toEqual([
      ["scribe", agentId],
      ["completed", agentId],
    ]);
    expect(asked).toEqual([["write", "scribe", agentId]]);
    const own = bench.model.requests.find(({ raw }) => raw.includes("You write down."));
    const names = (own?.body.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name);
    expect(names).toEqual(["write"]);
  } finally {
    await close();
  }
});

test("one that only reads is denied a change without a question, and one with a wrong definition is listed with the reason", async () => {
  const wrong = { description: "Wrong.", prompt: "Wrong.", tools: ["Teapot"] };
  const { client, close } = await openLocal(bench, { agents: { ...agents, wrong, "bad name!": wrong } });
  try {
    const canUseTool = () => {
      throw new Error("nobody is asked");
    };
    const told: unknown[] = [];
    for await (const message of query(order("looker", "write tea.txt black"), { client, canUseTool }))
      if (message.type === "agent-ended") told.push(message.status, message.result);
    expect(told).toEqual(["completed", expect.stringMatching(/^The tool said: /)]);
    const listed = await client.ask<"agent.definitions">({ type: "agent.definitions" });
    if (!listed.ok) throw new Error(listed.failure.message);
    const { definitions } = listed.value;
    expect(definitions.find(({ name }) => name === "wrong")?.notes).toEqual([
      'error: kedge has no tool "Teapot"; it counts only if a custom tool has this name',
    ]);
    expect(definitions.find(({ status }) => status === "refused")).toMatchObject({
      file: expect.stringContaining('"bad name!"'),
      why: expect.stringContaining("not a valid agent name"),
    });
  } finally {
    await close();
  }
});
