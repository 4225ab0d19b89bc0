/** Three agents from one message in the real program: one fails, one is killed with the process, none is lost or told twice. */
import { afterEach, expect, test } from "vitest";
import {
  type AgentBench,
  agentCall,
  expectCallsOnce,
  expectOneEndEach,
  factsOf,
  openAgentBench,
  openStore,
  resultsOf,
  storedTree,
} from "./agents-bench.ts";

let bench: AgentBench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const three = {
  toolCalls: ["one", "two", "three"].map((name) =>
    agentCall(`call_${name}`, { description: `Look at ${name}`, prompt: `child ${name}`, subagent_type: "explore" }),
  ),
};

test("three agents work at once, one fails, and the parent reports two results and the failure", async () => {
  bench = await openAgentBench({
    parent: (request) => {
      const results = resultsOf(request);
      if (results.length === 0) return three;
      return { text: results.map((result) => /explore agent \S+: (\w+)/.exec(result)?.[1]).join(" ") };
    },
    child: (prompt) =>
      prompt === "child two" ? { status: 400, body: '{"error":{"message":"no"}}' } : { text: `Found ${prompt}.` },
  });
  const directory = bench.workspace("three");
  const ended = await bench.run(directory, ["-p", "go"]);
  expect(ended).toMatchObject({ code: 0, stdout: "completed failed completed\n" });
  const store = openStore(bench.home);
  const tree = await storedTree(store, directory);
  if (tree === undefined) throw new Error("nothing was stored");
  expect(expectOneEndEach(tree).toSorted()).toEqual(["completed", "completed", "failed"]);
  expectCallsOnce(tree);
  const [first] = factsOf(tree.parent, "agent.started");
  const child = tree.children.get(first?.agentId ?? "") ?? [];
  expect(child[0]?.fact).toMatchObject({
    type: "session.created",
    origin: { kind: "child", callId: first?.callId, agent: "explore", depth: 1 },
  });
  // What it cannot use is not in its requests.
  const request = bench.model.requests.find(({ body }) => JSON.stringify(body.messages).includes("child one"));
  const tools = (request?.body.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name);
  expect(tools).not.toContain("edit");
  expect(tools).not.toContain("agent");
  expect(tools).toContain("read");
  await store.close();
});

test("killed in mid-run, then continued: every agent has one end, every result is told once, no call runs twice", async () => {
  const silent = Promise.withResolvers<void>();
  let isContinued = false;
  bench = await openAgentBench({
    parent: (request) => {
      const results = resultsOf(request);
      if (results.length === 0) return three;
      return { text: "All known." };
    },
    child: (prompt, request) => {
      if (prompt === "child one") return { text: "Found one." };
      if (prompt === "child two") return { status: 400, body: '{"error":{"message":"no"}}' };
      if (!isContinued && resultsOf(request).length === 0)
        return { toolCalls: [{ id: "call_read", name: "read", input: { filePath: "slots.txt" } }] };
      silent.resolve();
      return { text: "Late.", delayMs: 60_000 };
    },
  });
  const directory = bench.workspace("killed");
  const killed = await bench.run(directory, ["-p", "go"], { until: silent.promise });
  expect(killed.signal).toBe("SIGKILL");
  isContinued = true;
  const continued = await bench.run(directory, ["-p", "--continue", "go on"]);
  expect(continued).toMatchObject({ code: 0, stdout: "All known.\n" });
  const store = openStore(bench.home);
  const tree = await storedTree(store, directory);
  if (tree === undefined) throw new Error("nothing was stored");
  expect(expectOneEndEach(tree).toSorted()).toEqual(["completed", "failed", "orphaned"]);
  expectCallsOnce(tree);
  const last = bench.model.requests.at(-1);
  const told = JSON.stringify(last?.body.messages);
  expect(told.match(/Found one\./g)).toHaveLength(1);
  expect(told).toContain("orphaned");
  await store.close();
});
