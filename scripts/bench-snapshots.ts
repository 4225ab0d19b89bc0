/** Measures snapshots of repositories with many files against plain git, and holds the warm ones to their limit. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isJsonObject } from "@kedge/protocol";

const contest = resolve(import.meta.dirname, "../packages/store/test/snapshot-contest.ts");
const fileCounts = [2_000, 50_000];
const filesPerFolder = 50;
const warmMsMax = 1_000;

function main(): number {
  const slow = fileCounts.map(measure).reduce((sum, count) => sum + count, 0);
  process.stdout.write(slow === 0 ? "All within the limit.\n" : `${slow} above the limit of ${warmMsMax} ms.\n`);
  return slow === 0 ? 0 : 1;
}

function measure(files: number): number {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kedge-bench-snapshots-")));
  try {
    const root = join(folder, "project");
    plantRepository(root, files);
    const { status, stdout } = spawnSync(process.execPath, [contest, root, folder, nameOf(0)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (status !== 0) throw new Error(`The contest ended with ${status}.`);
    process.stdout.write(`${files} files\n`);
    return printRows(JSON.parse(stdout));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function plantRepository(root: string, files: number): void {
  for (let number = 0; number < files; number += 1) {
    const path = join(root, nameOf(number));
    if (number % filesPerFolder === 0) mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `export const value${number} = ${(number * 2_654_435_761) % 1_000_003};\n`.repeat(40));
  }
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" };
  const author = ["-c", "user.name=Bench", "-c", "user.email=bench@example.invalid", "-c", "gc.auto=0"];
  // Small files as one pack, like a repository that was cloned.
  const add = ["-c", "core.bigFileThreshold=1", "add", "--all"];
  for (const words of [["init", "--quiet"], add, ["commit", "--quiet", "-m", "first"]]) {
    execFileSync("git", [...author, ...words], { cwd: root, env });
  }
}

function nameOf(number: number): string {
  const folder = Math.floor(number / filesPerFolder);
  return `part-${folder % 10}/module-${folder}/file-${number}.ts`;
}

function printRows(rows: unknown): number {
  if (!Array.isArray(rows)) throw new Error("The contest printed no list.");
  let slow = 0;
  for (const row of rows) {
    if (!isJsonObject(row)) throw new Error("The contest printed no row.");
    const ms = Number(row["ms"]);
    if (row["isWarm"] === true && !(ms <= warmMsMax)) slow += 1;
    process.stdout.write(`  ${String(row["name"]).padEnd(38)}${ms.toFixed(0).padStart(7)} ms\n`);
  }
  return slow;
}

process.exitCode = main();
