/** Measures snapshots of a repository against plain git: `node snapshot-contest.ts <root> <folder> <file>` prints rows as JSON. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createGitSnapshots } from "../src/index.ts";
import { environment, runUserGit, takenTree } from "./snapshot-workspace.ts";

const rounds = 9;
const [root = "", folder = "", file = ""] = process.argv.slice(2);

const fresh = join(folder, "plain");
runUserGit(root, ["init", "--quiet", "--bare", fresh]);
const plain = { ...environment, GIT_DIR: fresh, GIT_WORK_TREE: root, GIT_INDEX_FILE: join(folder, "index") };

function add(): void {
  for (const words of [["add", "--all"], ["write-tree"]]) execFileSync("git", words, { cwd: root, env: plain });
}

function change(round: number): void {
  writeFileSync(join(root, file), `changed ${round} ${performance.now()}`);
}

function open(isInsideGitRepository: boolean) {
  return createGitSnapshots({
    directory: join(folder, isInsideGitRepository ? "seeded" : "unseeded"),
    root,
    environment: () => environment,
    home: join(folder, "home"),
    isInsideGitRepository,
  });
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function medianOf(work: (round: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timeOf(() => work(round)));
  return times.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
}

const seeded = open(true);
const changedPlainly = (round: number) => {
  change(round);
  add();
};
const changed = async (round: number) => {
  change(round + rounds);
  await takenTree(seeded);
};
const rows = [
  { name: "first, plain git add and write-tree", ms: await timeOf(add) },
  { name: "first, without a repository", ms: await timeOf(() => takenTree(open(false))) },
  { name: "first, from the user's index", ms: await timeOf(() => takenTree(seeded)) },
  { name: "next, plain git, nothing changed", ms: await medianOf(add) },
  { name: "next, nothing changed", ms: await medianOf(() => takenTree(seeded)), isWarm: true },
  { name: "next, plain git, one file changed", ms: await medianOf(changedPlainly) },
  { name: "next, one file changed", ms: await medianOf(changed), isWarm: true },
];
process.stdout.write(JSON.stringify(rows));
