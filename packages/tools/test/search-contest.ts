/** A program: times `glob` and `grep` below a directory, and ripgrep called directly for the same work; prints JSON. */
import { spawn } from "node:child_process";
import { findRipgrep } from "../src/index.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

const runs = 5;

const common = ["--no-config", "--no-messages", "--hidden", "--no-require-git", "--glob=!.git"];
const content = ["--line-number", "--with-filename", "--null", "--before-context=1", "--after-context=3"];

type Contest = {
  readonly name: string;
  readonly tool: "glob" | "grep";
  readonly input: unknown;
  readonly direct: readonly string[];
};

const contests: readonly Contest[] = [
  {
    name: "glob *.ts",
    tool: "glob",
    input: { pattern: "*.ts" },
    direct: ["--files", "--null", "--sortr=modified", "--type-add=wanted:*.ts", "--type=wanted"],
  },
  {
    name: "glob **",
    tool: "glob",
    input: { pattern: "**" },
    direct: ["--files", "--null", "--sortr=modified"],
  },
  {
    name: "grep, 500 matches",
    tool: "grep",
    input: { pattern: "needle" },
    direct: [...content, "--regexp=needle"],
  },
  {
    name: "grep, no match",
    tool: "grep",
    input: { pattern: "absent" },
    direct: [...content, "--regexp=absent"],
  },
  {
    name: "grep, files",
    tool: "grep",
    input: { pattern: "value7\\s=.*;$", mode: "files", include: "*.js" },
    direct: ["--files-with-matches", "--null", "--type-add=wanted:*.js", "--type=wanted", "--regexp=value7\\s=.*;$"],
  },
];

async function main(directory: string): Promise<void> {
  const workshop = openWorkshop();
  try {
    const results = [];
    for (const contest of contests) results.push(await hold(contest, directory, workshop));
    process.stdout.write(JSON.stringify(results));
  } finally {
    workshop.close();
  }
}

/** Both sides in turn, so that what else the machine does falls on both. */
async function hold({ name, tool, input, direct }: Contest, directory: string, workshop: Workshop) {
  const directMs: number[] = [];
  const toolMs: number[] = [];
  // The first round warms the caches of the disk and of the compiler.
  for (let round = 0; round <= runs; round++) {
    const without = await timed(() => runDirectly([...common, ...direct, "--", directory]));
    const within = await timed(() => workshop.run(tool, input, { ...workshop.newContext(), cwd: directory }));
    if (round === 0) continue;
    directMs.push(without);
    toolMs.push(within);
  }
  return { name, directMs: median(directMs), toolMs: median(toolMs) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function runDirectly(args: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(findRipgrep(), args, { stdio: ["ignore", "pipe", "inherit"], env: {} });
  child.stdout.resume();
  child.once("error", reject);
  child.once("close", () => resolve());
  return promise;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error("Name the directory to search.");
await main(directory);
