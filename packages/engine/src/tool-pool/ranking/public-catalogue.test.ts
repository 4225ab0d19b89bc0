/** Measures the ranking on a public catalogue of tools with annotated tasks, where it lies beside the repository. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rankTools } from "./rank-tools.ts";
import { createToolIndex } from "./tool-index.ts";

type Listed = {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
};
type Task = { readonly question: string; readonly steps: readonly string[]; readonly tools: readonly string[] };

const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const folder = ["../shared/data/tool-search", "../../shared/data/tool-search"]
  .map((path) => `${root}${path}`)
  .find((path) => existsSync(`${path}/tools.jsonl`));

function linesOf<Row>(file: string): readonly Row[] {
  const lines = readFileSync(`${folder}/${file}`, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Row);
}

/** The share of wanted tools among the first `countMax` of the searches of each task: its question and its steps. */
function recallOf(tasks: readonly Task[], tools: readonly Listed[], countMax: number): number {
  const named = tools.map((tool) => ({
    ...tool,
    name: `mcp__${tool.server.replaceAll(/[^\w-]/g, "_")}__${tool.name}`,
  }));
  const index = createToolIndex(named);
  let wanted = 0;
  let found = 0;
  for (const { question, steps, tools: names } of tasks) {
    const numbers = [question, ...steps].flatMap((query) => rankTools(index, query, { countMax }));
    const shown = new Set(numbers.map((number) => tools[number]?.name));
    wanted += names.length;
    found += names.filter((name) => shown.has(name)).length;
  }
  return found / wanted;
}

test("most tools that tasks need are among the first results", (context) => {
  if (folder === undefined) return context.skip("the public data of tool search does not lie beside the repository");
  const tools = linesOf<Listed>("tools.jsonl");
  const tasks = linesOf<Task>("queries.jsonl");
  expect(recallOf(tasks, tools, 5)).toBeGreaterThanOrEqual(0.88);
  expect(recallOf(tasks, tools, 10)).toBeGreaterThanOrEqual(0.93);
});
