/** Whatever a script prints of its variables in bash was told before, or was said to be unknown. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { afterAll, expect, test } from "vitest";
import { createShellAnalyser } from "../src/shell/analyse-shell.ts";
import { lookIntoProgram } from "../src/shell/programs/look-into-program.ts";
import { createVariableScripts } from "./generate-variables.ts";

const scriptsCount = 500;
const testTimeoutMs = 240_000;
const directory = mkdtempSync(join(tmpdir(), "kedge-variables-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const place = {
  cwd: directory,
  root: directory,
  home: "/home/dev",
  lookAtPath: () => ({ place: "inside" as const, otherNames: [] }),
};
const analyse = createShellAnalyser({ lookInto: lookIntoProgram });
const tidy = (text: string) => text.replace(/\s+/g, " ").trim();

const separator = "=====";
/** A script may loop for ever, as one in some hundred thousand does; what it printed until then is compared. */
const driver = `for script; do ( ulimit -t 1; eval "$script" ) 2> /dev/null | head -c 100000; echo; echo ${separator}; done`;

/** Lines of probes for each script, also those that went through a substitution. */
function runAll(scripts: readonly string[]): readonly (readonly string[])[] {
  const { stdout } = spawnSync("bash", ["-c", driver, "bash", ...scripts], {
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.home },
    encoding: "utf8",
    timeout: testTimeoutMs / 2,
    maxBuffer: 100_000_000,
  });
  return stdout.split(`\n${separator}\n`).map((output) => output.match(/P\d+\.(?:(?!P\d+\.).)*/gs)?.map(tidy) ?? []);
}

test(
  "no value is guessed wrongly",
  () => {
    const random = createSeededRandom();
    const wrong: { readonly script: string; readonly line: string; readonly told: readonly string[] }[] = [];
    let known = 0;
    let unknown = 0;
    const scripts = Array.from({ length: scriptsCount }, () => createVariableScripts(random).next(random.below(3)));
    const outputs = runAll(scripts);
    expect(outputs.length).toBe(scriptsCount + 1);
    for (const [index, script] of scripts.entries()) {
      const analysis = analyse(script, place);
      for (const line of new Set(outputs[index])) {
        const probe = `echo ${line.split(" ")[0]}`;
        const told = analysis.commands.filter(({ text }) => `${text} `.startsWith(`${probe} `));
        const isUnsure = analysis.unknown !== undefined || told.some(({ certain }) => certain !== undefined);
        const isTold = told.some(
          ({ text, certain }) => certain === undefined && tidy(text.replaceAll("''", "")) === `echo ${line}`,
        );
        if (isTold) known += 1;
        else if (isUnsure) unknown += 1;
        else wrong.push({ script, line, told: told.map(({ text }) => text) });
      }
    }
    console.log(`${known} lines were known, ${unknown} were not`);
    expect(wrong).toEqual([]);
    expect(known).toBeGreaterThan(unknown / 4);
  },
  testTimeoutMs,
);
