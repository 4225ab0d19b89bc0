/** The real program killed at random moments while one to eight agents work for it: one end for each, every end told once. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type AgentBench,
  agentCall,
  expectCallsOnce,
  expectOneEndEach,
  openAgentBench,
  openStore,
  resultsOf,
  storedTree,
} from "./agents-bench.ts";

const killsMin = rounds({ usual: 12, long: 200 });
const random = createSeededRandom();
const stepsOfAgent = 3;
/** A round of hours says how far it is. */
const toldEvery = 20;

let bench: AgentBench;
/** From the start of the program to the end of the last undisturbed run. */
let wholeMs = 0;

beforeAll(async () => {
  bench = await openAgentBench({
    parent: (request) => {
      if (resultsOf(request).length > 0) return { text: "All known." };
      // How many, and how many of them in the background, stands in the prompt.
      const said = JSON.stringify(request.body.messages ?? []);
      const [, count = "1", behind = "0"] = /start (\d) agents, (\d) behind/.exec(said) ?? [];
      return {
        toolCalls: Array.from({ length: Number(count) }, (_, index) =>
          agentCall(`call_${index}`, {
            description: `Part ${index}`,
            prompt: `child ${index}`,
            subagent_type: "general",
            ...(index < Number(behind) && { run_in_background: true }),
          }),
        ),
      };
    },
    child: (prompt, request) => {
      const done = resultsOf(request).length;
      const name = prompt.replace("child ", "");
      if (done >= stepsOfAgent) return { text: `Part ${name} is done.` };
      const input = { command: "echo mark >> marks.txt", description: "leave a mark" };
      return done === 1
        ? { toolCalls: [{ id: `call_${name}_${done}`, name: "read", input: { filePath: "slots.txt" } }], delayMs: 20 }
        : { toolCalls: [{ id: `call_${name}_${done}`, name: "bash", input }], delayMs: 20 };
    },
  });
  const directory = bench.workspace("undisturbed");
  const whole = await bench.run(directory, ["-p", "start 4 agents, 1 behind"]);
  expect(whole).toMatchObject({ code: 0, stdout: "All known.\n", stderr: "" });
  wholeMs = whole.tookMs;
});

afterAll(() => bench.close());

test(`killed at ${killsMin} random moments`, { timeout: rounds({ usual: 1_800_000, long: 10_800_000 }) }, async () => {
  let kills = 0;
  const statuses: string[] = [];
  const store = openStore(bench.home);
  for (let index = 0; kills < killsMin; index += 1) {
    const directory = bench.workspace(`killed-${index}`);
    const count = 1 + random.below(8);
    const prompt = `start ${count} agents, ${random.below(count + 1)} behind`;
    const killed = await bench.run(directory, ["-p", prompt], {
      after: { ms: wholeMs * (0.2 + random.next() * 0.9), send: "SIGKILL" },
    });
    if (killed.signal === "SIGKILL") kills += 1;
    // The machine may be busier or idler by now: the next moment is drawn from what a run takes at present.
    else wholeMs = killed.tookMs;
    const before = await storedTree(store, directory);
    if (before === undefined) continue;
    const last = await bench.run(directory, ["-p", "--continue", "go on"]);
    expect(last).toMatchObject({ code: 0 });
    const tree = await storedTree(store, directory);
    if (tree === undefined) throw new Error("the record is gone");
    statuses.push(...expectOneEndEach(tree));
    expectCallsOnce(tree);
    // Every command that ran left one mark, and none was run again.
    const ran = [...tree.children.values()]
      .flat()
      .filter(({ fact }) => fact.type === "tool.started" && fact.tool === "bash").length;
    expect(marksIn(directory)).toBeLessThanOrEqual(ran);
    if (index % toldEvery === toldEvery - 1) console.log(`killed ${kills} times so far, ${statuses.length} ends`);
  }
  await store.close();
  const counts = Object.groupBy(statuses, (status) => status);
  const told = Object.entries(counts).map(([status, all]) => `${status} ${all?.length}`);
  console.log(`killed ${kills} times: ${told.join(", ")}`);
});

function marksIn(directory: string): number {
  try {
    return readFileSync(join(directory, "marks.txt"), "utf8").split("\n").filter(Boolean).length;
  } catch {
    return 0;
  }
}
