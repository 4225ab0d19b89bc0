/** Proves that the outputs shown in docs/cost.md are what kedge prints for the session they tell of. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { expect, test } from "vitest";
import { openWorkbench } from "./workbench.ts";

const text = readFileSync(join(import.meta.dirname, "../../../docs/cost.md"), "utf8");

function shown(name: string): string {
  const [, output] = text.split(`\`\`\`text ${name}\n`);
  return output?.slice(0, output.indexOf("```")) ?? "";
}

/** Times, ids and the place of kedge's directory differ from run to run. */
function comparable(output: string): string {
  return output
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "<time>")
    .replaceAll(/ses_\w+/g, "<session>")
    .replaceAll(/: \S+\/debug\/\S+cache-break-\S+\.diff/g, ": <diff>");
}

const turns: readonly MockTurn[] = [
  { toolCalls: [{ name: "read", input: { filePath: "server.log" } }], usage: { input: 6_200, output: 90 } },
  { status: 529, headers: { "retry-after-ms": "1" }, body: '{"error":{"message":"Busy."}}' },
  { text: "The connection pool ran dry.", usage: { input: 18_900, output: 240, cached: 6_100 } },
  { text: "Close idle connections.", usage: { input: 19_300, output: 410, cached: 18_900 } },
  { text: "Here is the plan.", usage: { input: 19_900, output: 1_900, reasoning: 1_300, cached: 0 } },
];

test("cost, cost why and stats print what the document shows", async () => {
  const bench = await openWorkbench(turns);
  try {
    const provider = { anthropic: { baseURL: bench.model.baseUrl, apiKey: "key-of-the-test" } };
    const settings = { model: "anthropic/claude-sonnet-5-5", provider, titles: { enabled: false } };
    writeFileSync(join(bench.home, "config.json"), JSON.stringify(settings));
    writeFileSync(join(bench.project, "server.log"), "a line of the log of the server\n".repeat(1_200));
    const input = "Why did the server stop?\nWhat should I change?\n/effort high\nPlan it.\n/cost\n";
    const { stdout: conversation } = await bench.run(["--console"], { input });
    expect(conversation).toContain(shown("cost"));
    const { stdout: why } = await bench.run(["cost", "why"]);
    expect(comparable(why)).toBe(comparable(shown("cost why")));
    const { stdout: stats } = await bench.run(["stats"]);
    expect(stats).toContain(shown("stats"));
  } finally {
    await bench.close();
  }
});
