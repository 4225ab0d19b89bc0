/** What models and authors of definitions may try or get wrong with agents, through the whole of kedge. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { type AgentSite, openAgentSite, type SiteScript } from "./agent-site.ts";

let site: AgentSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

type Call = NonNullable<MockTurn["toolCalls"]>[number];

const agent = (id: string, input: object): Call => ({ id, name: "agent", input: { description: "A task", ...input } });

/** The results that a session sees of the calls it makes in its first turn; each child answers as the script says. */
async function resultsOf(
  calls: readonly Call[],
  child: SiteScript = ({ prompt }) => ({ text: `Done: ${prompt}` }),
  [settings, files]: readonly [settings?: object, files?: { readonly [path: string]: string }] = [],
): Promise<readonly string[]> {
  let last: readonly string[] = [];
  site = await openAgentSite(
    (conversation) => {
      if (conversation.prompt.startsWith("child")) return child(conversation);
      last = conversation.results;
      return last.length === 0 ? { toolCalls: [...calls] } : { text: "End." };
    },
    settings,
    files === undefined ? {} : { homeFiles: files },
  );
  await site.prompt(await site.open(), "parent");
  return last;
}

test("agents of one message that want the same name get different ones", async () => {
  const results = await resultsOf([
    agent("a", { prompt: "child 1", name: "bob" }),
    agent("b", { prompt: "child 2", name: "bob" }),
    agent("c", { tasks: [1, 2].map((task) => ({ id: "leader", prompt: `child task ${task}` })) }),
  ]);
  const names = results.flatMap((result) => [...result.matchAll(/general agent (\S+) \(/g)].map(([, name]) => name));
  expect(names.toSorted()).toEqual(["bob", "bob-2", "leader-2", "leader-3"]);
});

test("a rule about an agent counts however a model writes its name", async () => {
  const settings = { permission: { agent: { general: "deny" } } };
  const calls = ["general", "GENERAL", "General"].map((type) => agent(type, { prompt: "child", subagent_type: type }));
  const results = await resultsOf(calls, undefined, [settings]);
  expect(results).toHaveLength(3);
  for (const result of results) expect(result).toContain("denies general");
  expect(site?.model.requests).toHaveLength(2);
});

test("what cannot be asked of an agent is refused before any request", async () => {
  const results = await resultsOf([
    agent("a", { prompt: "  \n " }),
    agent("b", { tasks: [{ prompt: "child" }, { prompt: "\t" }] }),
    agent("c", { prompt: "child", output_schema: { type: "array" } }),
    agent("d", { prompt: "child", output_schema: { properties: { n: { $ref: "#/x" } } } }),
    agent("e", { prompt: "child", subagent_type: "fork" }),
    agent("f", { prompt: "child", subagent_type: "__proto__" }),
    agent("g", { prompt: "child", subagent_type: "title" }),
  ]);
  expect(results.map((result) => result.split("\n", 1)[0])).toEqual([
    "A prompt is empty. Say what the agent is to do.",
    "A prompt is empty. Say what the agent is to do.",
    'output_schema: its type must be "object"; put other values into a property',
    "output_schema: n: $ref is not followed; write the schema out",
    expect.stringContaining('There is no agent "fork".'),
    expect.stringContaining('There is no agent "__proto__".'),
    expect.stringContaining('There is no agent "title".'),
  ]);
  expect(site?.model.requests).toHaveLength(2);
});

const short = { "agents/short.md": "---\nname: short\ndescription: Two turns.\nmax_turns: 2\n---\nWork." };

test("calls in the last turn, which has no tools, run nothing", async () => {
  const results = await resultsOf(
    [agent("a", { prompt: "child", subagent_type: "short" })],
    ({ results: own }) => ({
      toolCalls: [{ id: `w${own.length}`, name: "write", input: { filePath: `w${own.length}.txt`, content: "x" } }],
    }),
    [{ permission: { edit: "allow" } }, short],
  );
  expect(results[0]).toContain('status="max_turns"');
  const written = [0, 1, 2, 3].filter((turn) => existsSync(join(site?.project ?? "", `w${turn}.txt`)));
  expect(written).toEqual([0]);
});

test("an agent that owes a result of some shape may give it in its last turn, and nothing else", async () => {
  const offered: (readonly string[])[] = [];
  const results = await resultsOf(
    [
      agent("a", {
        ...{ prompt: "child", subagent_type: "short" },
        output_schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      }),
    ],
    ({ request }) => {
      const names = (request.body.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name);
      offered.push(names);
      return names.length === 1
        ? { toolCalls: [{ id: "y", name: "structured_output", input: { n: 4 } }] }
        : { toolCalls: [{ id: "g", name: "glob", input: { pattern: "*" } }] };
    },
    [{}, short],
  );
  expect(results[0]).toContain('{"n":4}');
  expect(results[0]).toContain('status="completed"');
  expect(offered.at(-1)).toEqual(["structured_output"]);
});

test("a definition that cannot be used is named with its reason, and one with an unknown model says so", async () => {
  const definition = { description: "Tastes tea.", prompt: "Taste." };
  site = await openAgentSite(
    () => ({ text: "End." }),
    {
      agents: {
        definitions: {
          "bad name!": definition,
          taster: { ...definition, model: "nobody/nothing", output_schema: { type: "text" } },
        },
      },
    },
    { homeFiles: { "agents/fork.md": "---\nname: fork\ndescription: x\n---\nx" } },
  );
  const answer = await site.kedge.door.ask<"agent.definitions">({ type: "agent.definitions" });
  if (!answer.ok) throw new Error(answer.failure.message);
  const { definitions } = answer.value;
  expect(definitions.find(({ why }) => why?.includes("not a valid agent name"))).toMatchObject({ status: "refused" });
  expect(definitions.find(({ name }) => name === "fork")).toMatchObject({ status: "shadowed" });
  expect(definitions.find(({ name }) => name === "taster")?.notes).toEqual([
    'output_schema is ignored: its type must be "object"; put other values into a property',
    'error: unknown model "nobody/nothing"; using the session\'s model',
  ]);
});

test("an address that is written wrongly is answered with how to write it", async () => {
  let last: readonly string[] = [];
  site = await openAgentSite(({ prompt, results }) => {
    if (prompt.startsWith("child")) return { text: "Done." };
    last = results;
    if (results.length === 0) return { toolCalls: [agent("a", { prompt: "child", name: "al" })] };
    const addresses = ["agent://al/%zz", "agent://al/x?q=y", "agent://al?x=1", "agent://al/__proto__", "agent://bo"];
    return results.length === 1
      ? { toolCalls: addresses.map((filePath, index) => ({ id: `r${index}`, name: "read", input: { filePath } })) }
      : { text: "End." };
  });
  await site.prompt(await site.open(), "parent");
  expect(last.slice(1)).toEqual([
    "The output of al is not JSON, so it has no parts. Read agent://al.",
    "Give a path or ?q=, not both: agent://name/items/0 or agent://name?q=items.0.",
    "Write ?q= and the part you want.",
    "The output of al is not JSON, so it has no parts. Read agent://al.",
    "No agent bo here. Agents: al.",
  ]);
});
