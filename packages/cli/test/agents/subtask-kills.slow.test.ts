/** A prompt that gives work to an agent first, killed while the agent works and after it ended: nothing of it runs twice. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import {
  type AgentBench,
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

const command = "---\ndescription: Look deep.\nsubtask: true\nagent: explore\n---\nchild deep\n";

type Killed = { readonly statuses: readonly string[]; readonly asked: number; readonly told: string };

/** Silent is the one of the two that never answers before the kill. */
async function killWhile(silent: "child" | "parent"): Promise<Killed> {
  const reached = Promise.withResolvers<void>();
  let asked = 0;
  let isContinued = false;
  const never = { text: "Late.", delayMs: 60_000 };
  bench = await openAgentBench({
    parent: () => {
      if (isContinued || silent === "child") return { text: "All known." };
      reached.resolve();
      return never;
    },
    child: (_, request) => {
      asked += 1;
      if (resultsOf(request).length === 0)
        return { toolCalls: [{ id: "call_read", name: "read", input: { filePath: "slots.txt" } }] };
      if (isContinued || silent === "parent") return { text: "Found it." };
      reached.resolve();
      return never;
    },
  });
  mkdirSync(join(bench.home, "commands"));
  writeFileSync(join(bench.home, "commands", "deep.md"), command);
  const directory = bench.workspace("work");
  const killed = await bench.run(directory, ["-p", "/deep"], { until: reached.promise });
  expect(killed.signal).toBe("SIGKILL");
  isContinued = true;
  const continued = await bench.run(directory, ["-p", "--continue", "go on"]);
  expect(continued).toMatchObject({ code: 0, stdout: "All known.\n" });
  const store = openStore(bench.home);
  const tree = await storedTree(store, directory);
  await store.close();
  if (tree === undefined) throw new Error("nothing was stored");
  expectCallsOnce(tree);
  expect(factsOf(tree.parent, "agent.started")).toHaveLength(1);
  const told = JSON.stringify(bench.model.requests.at(-1)?.body.messages);
  return { statuses: expectOneEndEach(tree), asked, told };
}

test("killed while the agent works: it ends as orphaned, and is not started again", async () => {
  const { statuses, asked, told } = await killWhile("child");
  expect(statuses).toEqual(["orphaned"]);
  expect(asked).toBe(2);
  expect(told).toContain("orphaned");
});

test("killed after the agent ended: its result is told once, and it is not started again", async () => {
  const { statuses, asked, told } = await killWhile("parent");
  expect(statuses).toEqual(["completed"]);
  expect(asked).toBe(2);
  expect(told.match(/Found it\./g)).toHaveLength(1);
});
