/** Proves what a read-only agent is not told: the instruction files of the project. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type AgentBench, agentCall, openAgentBench, resultsOf } from "./agents-bench.ts";

let bench: AgentBench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

test("agents that only search get no project instructions, those that work do", async () => {
  bench = await openAgentBench({
    parent: (request) =>
      resultsOf(request).length > 0
        ? { text: "Done." }
        : {
            toolCalls: ["explore", "general"].map((type) =>
              agentCall(`call_${type}`, { description: "Look", prompt: `child ${type}`, subagent_type: type }),
            ),
          },
    child: (prompt) => ({ text: `Found ${prompt}.` }),
  });
  const directory = bench.workspace("search");
  writeFileSync(join(directory, "AGENTS.md"), "The word of the team is quokka.\n");
  expect((await bench.run(directory, ["-p", "go", "--trust"])).code).toBe(0);
  const isTold = (prompt: string) =>
    bench?.model.requests
      .filter(({ body }) => JSON.stringify(body.messages).includes(prompt))
      .map(({ raw }) => raw.toString().includes("quokka"))[0];
  expect([isTold("go"), isTold("child general"), isTold("child explore")]).toEqual([true, true, false]);
});
