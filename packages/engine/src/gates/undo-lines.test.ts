/** Stash entries are named before they go, and so is what cannot come back. */
import { expect, test } from "vitest";
import { createMemoryMachine } from "../../test/gate-cases.ts";
import { lossLines, stashLines } from "./undo-lines.ts";

const zero = "0".repeat(40);
const line = (words: string, seconds: number) => `${zero} ${zero} Dev <d@example.invalid> ${seconds} +0100\t${words}\n`;
const log = line("On main: oldest", 1_000) + line("WIP on other: abc", 1_900) + line("On main: newest", 1_990);

const commands: readonly (readonly [string, readonly string[]])[] = [
  ["git stash", []],
  ["git stash drop", ["stash entry: On main: newest, created 10 seconds ago"]],
  ["git stash pop stash@{1}", ["stash entry: WIP on other: abc, created 2 minutes ago"]],
  [
    "git stash clear",
    [
      "stash entry: On main: newest, created 10 seconds ago",
      "stash entry: WIP on other: abc, created 2 minutes ago",
      "stash entry: On main: oldest, created 17 minutes ago",
    ],
  ],
];

test.each(commands)("%s", async (text, lines) => {
  const machine = createMemoryMachine();
  machine.write("/w/.git/logs/refs/stash", log, 1);
  const parts = { machine: machine.look, directory: "/w/src", now: () => 2_000_000 };
  expect(await stashLines(text, parts)).toEqual(lines);
});

test("a linked work tree shares the stash of the first", async () => {
  const machine = createMemoryMachine();
  machine.write("/w/.git/logs/refs/stash", log, 1);
  machine.write("/w/.git/worktrees/other/commondir", "../..\n", 1);
  machine.write("/other/.git", "gitdir: /w/.git/worktrees/other\n", 1);
  const parts = { machine: machine.look, directory: "/other", now: () => 2_000_000 };
  expect(await stashLines("git stash drop", parts)).toHaveLength(1);
});

test("cleaning more than a snapshot takes is said to be for good", async () => {
  const machine = createMemoryMachine();
  machine.write("/w/build/out.js", "x".repeat(100), 1);
  const look = { ...machine.look };
  expect(await lossLines("git clean -fdx", { machine: look, directory: "/w" })).toEqual([]);
  const large = { kind: "folder", files: 9, sizeBytes: 300_000_000, isComplete: true } as const;
  const full = { ...look, measure: async () => large };
  expect(await lossLines("git clean -fdx", { machine: full, directory: "/w" })).toEqual([
    "the directory holds 300 MB: undo covers up to 200 MB, the rest cannot be restored",
  ]);
  expect(await lossLines("git status", { machine: full, directory: "/w" })).toEqual([]);
});
