/** The table is sound, has every command that users look for, and the manual lists exactly what it has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { slashCommands } from "./command-table.ts";
import { commandGroups, findCommand, isArgumentNeeded } from "./slash-command.ts";

const names = slashCommands.flatMap(({ name, aliases }) => [name, ...aliases]);

test("every name and alias is a word that can be typed, and stands for one command", () => {
  expect(names.filter((name) => !/^[a-z-]+$/.test(name))).toEqual([]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("the commands that people know are there", () => {
  const known =
    "help clear compact context cost stats status model agent mode permissions plan undo redo rewind tree fork sessions resume rename export theme keys vim doctor exit quit q new reset continue session models yolo config usage keybinds shortcuts history checkpoint checkpoints approvals compress summarize themes tokens effort handoff shake label copy dump diff reload thinking tasks bug login";
  expect(known.split(" ").filter((name) => findCommand(slashCommands, name) === undefined)).toEqual([]);
});

test("what does not exist is not promised", () => {
  expect(["memory", "init"].filter((name) => names.includes(name))).toEqual([]);
});

test("no two commands share a named action", () => {
  const actions = slashCommands.flatMap(({ action }) => action ?? []);
  expect(actions).toEqual([...new Set(actions)]);
});

test("summaries are one short line in the imperative", () => {
  const wrong = slashCommands.filter(({ summary }) => !/^[A-Z][a-z]*[a-rt-z] .{0,119}[^.]$/.test(summary));
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test("only those that say nothing without an argument need one", () => {
  expect(slashCommands.filter(isArgumentNeeded).map(({ name }) => name)).toEqual(["rename", "join", "effort"]);
});

test("the manual lists the same commands, aliases and summaries", () => {
  const manual = readFileSync(join(import.meta.dirname, "../../../../docs/commands.md"), "utf8");
  const rows = commandGroups.flatMap((group) => [
    `## ${group}`,
    ...slashCommands
      .filter((command) => command.group === group)
      .map(({ name, aliases, argumentHint = "", summary }) => {
        // A bare bar would end the cell.
        const form = `/${name} ${argumentHint}`.trim().replaceAll("|", "\\|");
        return `| \`${form}\` | ${aliases.map((alias) => `\`/${alias}\``).join(", ")} | ${summary} |`;
      }),
  ]);
  const inManual = manual.split("\n").filter((line) => /^\| `\/|^## (Session|Model|View|kedge)$/.test(line));
  expect(inManual).toEqual(rows);
});
