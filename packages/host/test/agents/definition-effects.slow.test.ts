/** What a definition says takes effect: model, temperature, tools, skills, hooks, turns; what is wrong with one is told. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAgentSite, type SiteScript } from "./agent-site.ts";

const taster = `---
name: tea-taster
description: Tastes tea.
tools: Read, Teapot
temperature: 0.3
max_turns: 3
skills: [brewing, missing-skill]
mcpServers:
  - shelf
  - kettle: { command: boil }
memory: user
hooks:
  PreToolUse:
    - matcher: Read
      hooks: [{ type: command, command: "cat >> ../marks.jsonl" }]
  Stop:
    - hooks: [{ type: command, command: "cat >> ../marks.jsonl" }]
---
You taste tea.
`;
const brewing = "---\nname: brewing\ndescription: How to brew.\n---\nSteep green tea at 80 degrees.\n";
const broken = "name: broken\ndescription: [\n";

const script: SiteScript = ({ prompt, results, request: { body } }) => {
  if (prompt === "child taste") {
    return (body.tools ?? []).length > 0
      ? { toolCalls: [{ id: `call_${results.length}`, name: "read", input: { filePath: "leaves.txt" } }] }
      : { text: "Green is best." };
  }
  if (results.length > 0) return { text: "Done." };
  const input = { description: "Taste the tea", prompt: "child taste", subagent_type: "tea-taster" };
  return { toolCalls: [{ id: "call_agent", name: "agent", input }] };
};

test("skills, hooks, temperature, tools and turns of a definition", async () => {
  const site = await openAgentSite(
    script,
    { mcp: {} },
    {
      files: { "leaves.txt": "green\n" },
      homeFiles: {
        ...{ "agents/tea.md": taster, "skills/brewing/SKILL.md": brewing, "agents/broken.yaml": broken },
        "agent-memory/tea-taster/MEMORY.md": "Assam was bitter.\n",
      },
    },
  );
  try {
    const sessionId = await site.open();
    await site.prompt(sessionId, "parent");
    const requests = site.model.requests
      .map(({ body }) => body)
      .filter((body) => JSON.stringify(body).includes("child taste") && JSON.stringify(body).includes("You taste tea"));
    // Three turns; the last one sums up without tools.
    expect(requests.map(({ tools = [] }) => tools.length)).toEqual([3, 3, 0]);
    for (const body of requests) expect(body).toMatchObject({ temperature: 0.3 });
    const [first = {}] = requests;
    expect(JSON.stringify(first)).toContain("Steep green tea at 80 degrees.");
    const tools = (first.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name);
    // Its memory needs the last two.
    expect(tools.toSorted()).toEqual(["edit", "read", "write"]);
    expect(JSON.stringify(first)).toContain(`the directory ${join(site.home, "agent-memory/tea-taster")}.`);
    expect(JSON.stringify(first)).toContain("Assam was bitter.");
    const ends = await site.allFacts(sessionId, "agent.ended");
    expect(ends.map(({ status }) => status)).toEqual(["max_turns"]);
    const marks = readFileSync(join(site.project, "../marks.jsonl"), "utf8")
      .trim()
      .split(/(?<=\})\n?(?=\{)/)
      .map((line) => JSON.parse(line) as { readonly hook_event_name: string; readonly agent_type: string });
    const fired = marks.map(({ hook_event_name, agent_type }) => `${hook_event_name} ${agent_type}`);
    expect(new Set(fired)).toEqual(new Set(["PreToolUse tea-taster", "SubagentStop tea-taster"]));
    const listed = await site.kedge.door.ask<"agent.definitions">({ type: "agent.definitions" });
    if (!listed.ok) throw new Error(listed.failure.message);
    const { definitions } = listed.value;
    expect(definitions.find(({ name }) => name === "tea-taster")?.notes).toEqual([
      'line 4: error: kedge has no tool "Teapot"; it counts only if a custom tool has this name',
      "line 8: the MCP server kettle is not started by a definition; add it with kedge mcp add and name it",
    ]);
    expect(definitions.find(({ status }) => status === "refused")?.file).toMatch(/broken\.yaml$/);
  } finally {
    await site.close();
  }
});
