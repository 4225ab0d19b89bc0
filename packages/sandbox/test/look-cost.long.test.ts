/** Prints what the read-only view adds to thirty commands that only look, in this checkout. Nothing here limits time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { homedir, tmpdir } from "node:os";
import { basename, resolve } from "node:path";
import { expect, test } from "vitest";
import { createLookView } from "../src/confinement/look/look-view.ts";

const root = resolve(import.meta.dirname, "..", "..", "..");
const rounds = 25;
const environment = { PATH: process.env["PATH"] ?? "", HOME: homedir(), LANG: "C" };

const commands = [
  ...["true", "pwd", "ls", "ls -la", "ls -R packages/engine/src", "cat package.json", "head -20 README.md"],
  ...["tail -5 README.md", "wc -l README.md", "stat package.json", "file package.json", "du -s scripts"],
  ...["grep -n export scripts/build.ts", "grep -rn measure scripts", "find scripts -name '*.ts'", "sort package.json"],
  ...["sed -n 1,5p README.md", "awk '{ print $1 }' README.md", "cut -c1-10 README.md", "sha256sum README.md"],
  ...["git status --short", "git log --oneline -5", "git diff --stat", "git show --stat", "git branch -a"],
  ...["git rev-parse HEAD", "git ls-files | wc -l", "which git", "date", "echo hello | tr a-z A-Z"],
];

const view = createLookView({
  platform: process.platform,
  architecture: process.arch,
  isRoot: process.getuid?.() === 0,
  temporaryRoot: tmpdir(),
  roots: [root],
  home: homedir(),
  own: [],
  shown: [],
  now: () => Date.now(),
});
const look = {
  hidden: { isHidden: (path: string) => basename(path).startsWith(".env"), isClosedByRule: () => false, places: [] },
  shown: [],
};

type Start = {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly descriptors: readonly number[];
};

async function run({ file, args, environment: env, descriptors }: Start): Promise<void> {
  const stdio = ["ignore", "ignore", "ignore", "ignore", ...descriptors] as const;
  await once(spawn(file, args, { cwd: root, env, stdio: [...stdio] }), "exit");
}

async function timed(command: string, isConfined: boolean): Promise<number> {
  const plain = { file: "/bin/bash", args: ["-c", command], environment };
  const startedMs = performance.now();
  if (isConfined) {
    const wrapped = await view.wrap({ ...plain, cwd: root }, look);
    if ("problem" in wrapped) throw new Error(wrapped.problem);
    await run(wrapped);
    await wrapped.release();
  } else await run({ ...plain, descriptors: [] });
  return performance.now() - startedMs;
}

/** On a machine with other work the fastest of several runs says more about the command than the middle one. */
const least = (values: readonly number[]) => Math.min(...values);
const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

test("what a look costs", { timeout: 300_000 }, async () => {
  const firstMs = await timed("true", true);
  const added: number[] = [];
  const lines: string[] = [];
  for (const command of commands) {
    const outside: number[] = [];
    const inside: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      outside.push(await timed(command, false));
      inside.push(await timed(command, true));
    }
    added.push(least(inside) - least(outside));
    lines.push(`${command.padEnd(36)} ${least(outside).toFixed(1)} → ${least(inside).toFixed(1)} ms`);
  }
  view.close();
  const sum = `median ${median(added).toFixed(1)} ms, most ${Math.max(...added).toFixed(1)} ms`;
  console.log([...lines, `first look ${firstMs.toFixed(1)} ms; added per look: ${sum}`].join("\n"));
  expect(lines).toHaveLength(30);
});
