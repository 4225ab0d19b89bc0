/** Holds `grep` and `glob` on 50,000 files against ripgrep called directly for the same work. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isJsonObject } from "@kedge/protocol";

const contest = resolve(import.meta.dirname, "../packages/tools/test/search-contest.ts");
const directories = 500;
const filesPerDirectory = 100;
const extensions = ["ts", "js", "md", "json", "css"];
const ratioMax = 1.2;

function main(): number {
  const root = mkdtempSync(join(tmpdir(), "kedge-bench-search-"));
  try {
    plantTree(root);
    const { status, stdout } = spawnSync(process.execPath, [contest, root], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (status !== 0) {
      process.stderr.write(`The contest ended with ${status}.\n`);
      return 1;
    }
    return printResults(JSON.parse(stdout));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function plantTree(root: string): void {
  for (let directory = 0; directory < directories; directory++) {
    const place = join(root, `part-${directory % 10}`, `module-${Math.floor(directory / 10)}`, "src");
    mkdirSync(place, { recursive: true });
    for (let file = 0; file < filesPerDirectory; file++) {
      const lines = `export const value${file} = ${directory};\n`.repeat(20);
      const extension = extensions[file % extensions.length];
      writeFileSync(join(place, `file-${file}.${extension}`), file === 7 ? `${lines}needle\n` : lines);
    }
  }
  writeFileSync(join(root, ".gitignore"), "ignored/\n");
}

function printResults(results: unknown): number {
  if (!Array.isArray(results)) throw new Error("The contest printed no list.");
  let slow = 0;
  for (const result of results) {
    if (!isJsonObject(result)) throw new Error("The contest printed no result.");
    const directMs = Number(result["directMs"]);
    const toolMs = Number(result["toolMs"]);
    const ratio = toolMs / directMs;
    if (!(ratio <= ratioMax)) slow += 1;
    const figures = `${directMs.toFixed(0).padStart(5)} ms directly ${toolMs.toFixed(0).padStart(5)} ms as a tool`;
    process.stdout.write(`${String(result["name"]).padEnd(20)}${figures}   ratio ${ratio.toFixed(2)}\n`);
  }
  process.stdout.write(slow === 0 ? "All within the limit.\n" : `${slow} above the limit of ${ratioMax}.\n`);
  return slow === 0 ? 0 : 1;
}

process.exitCode = main();
