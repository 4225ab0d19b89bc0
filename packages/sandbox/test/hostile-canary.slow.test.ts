/** What is judged free does nothing when bash runs it among hostile file names and variables. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterAll, expect, test } from "vitest";
import { programTable } from "../src/shell/programs/programs.ts";
import { createArithmeticCommands, evaluatedCode } from "./generate-arithmetic.ts";
import { createWordCommands, hostileNames } from "./generate-words.ts";
import { isFree } from "./is-free.ts";

const stagesCount = rounds({ usual: 20, long: 400 });
const commandsCount = 40;
const testTimeoutMs = 600_000;
const base = mkdtempSync(join(tmpdir(), "kedge-hostile-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const programs = join(base, "programs");
mkdirSync(programs);
const canary = join(base, "canary");
writeExecutable(join(programs, "canary.sh"));
writeExecutable(join(programs, ".canary"));

function writeExecutable(path: string): void {
  writeFileSync(path, `#!/bin/sh\ntouch '${canary}'\n`);
  chmodSync(path, 0o755);
}

/** A directory of its own with files of these names; few of them, because most programs refuse what makes no sense. */
function openStage(names: readonly string[]): string {
  const directory = mkdtempSync(join(base, "stage-"));
  mkdirSync(join(directory, "src"));
  writeFileSync(join(directory, "src", "a.ts"), "a foo\n");
  for (const name of names) writeFileSync(join(directory, name), "a foo\na foo\n");
  return directory;
}

/** Names and contents of everything that a command could have changed. */
function look(directory: string): string {
  const entries = readdirSync(base, { withFileTypes: true }).filter((entry) => entry.isFile());
  const staged = readdirSync(directory, { recursive: true, withFileTypes: true });
  const lines = [...entries, ...staged].map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path} ${entry.isFile() ? readFileSync(path, "utf8") : ""}`;
  });
  return lines.sort().join("\n");
}

const driver = 'for script; do ( eval "$script" ) < /dev/null > /dev/null 2>&1; done';

/** Whether anything was changed. */
function acts(commands: readonly string[], names: readonly string[], value: string): boolean {
  const directory = openStage(names);
  const before = look(directory);
  const variables = Object.fromEntries(["x", "y", "n", "m", "data"].map((name) => [name, value]));
  spawnSync("timeout", ["-k", "1", "30", "bash", "-c", driver, "bash", ...commands], {
    cwd: directory,
    env: { ...variables, PATH: `${programs}:${process.env["PATH"] ?? ""}`, HOME: base, PAGER: "cat" },
    stdio: "ignore",
  });
  const hasActed = look(directory) !== before;
  rmSync(directory, { recursive: true, force: true });
  rmSync(canary, { force: true });
  return hasActed;
}

const code = evaluatedCode.replace("canary", canary);

test.each([
  ["sort *", ["-ocanary", "a"], ""],
  ["uniq [ab]*", ["a", "b"], ""],
  ["find ?de*", ["-delete"], ""],
  ["echo $((n))", [], code],
  ["[[ -v $n ]]", [], code],
  ["[ $x ]", [], "-v a[$(touch${IFS}canary)]"],
  ['printf "$x" a', [], `-v${code}`],
  ["timeout $x", [], "5 canary.sh"],
])("the stage is hostile: %s acts among %j", (command, names, value) => {
  expect([isFree(command), acts([command], names, value)]).toEqual([false, true]);
});

/** They never end, or wait. */
const endless = /^(?:yes|sleep|top|watch|wait|vmstat|tail|read|bc)$/;
const values = [code, "--output=canary", "-v a[$(touch${IFS}canary)]", "-ocanary", "-exec canary.sh ;", "5 canary.sh"];

test(
  "nothing happens when free commands run",
  () => {
    const random = createSeededRandom();
    const words = createWordCommands(random);
    const arithmetic = createArithmeticCommands(random);
    // The index is always within the list.
    const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
    const known = [...programTable.names()].filter((name) => !endless.test(name));
    const any = () =>
      `${pick(known)} ${pick(["", "a", "-n", "-a", "foo", "."])} ${pick(["*", "?*", '"$x"', "$x", "-*", "[-@]*", "-- *", "./*", '"$n" a'])}`;
    const makers = [any, any, words.acting, words.harmless, arithmetic.unsafe, arithmetic.safe];
    const found: unknown[] = [];
    for (let count = 0; count < stagesCount; count += 1) {
      const free = new Set<string>();
      while (free.size < commandsCount) {
        const command = pick(makers)();
        if (isFree(command)) free.add(command);
      }
      const names = random.shuffle(hostileNames).slice(0, 1 + random.below(3));
      const value = pick(values);
      const staged = ["c.ts", ...names, ...(random.below(2) === 0 ? ["a"] : [])];
      if (!acts([...free], staged, value)) continue;
      found.push({ commands: [...free].filter((command) => acts([command], staged, value)), staged, value });
    }
    expect(found).toEqual([]);
  },
  testTimeoutMs,
);
