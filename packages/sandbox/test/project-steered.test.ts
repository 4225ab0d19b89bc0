/** Programs that files of a project steer are never free, whatever they are asked; what nobody can steer stays free. */
import { createSeededRandom, rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { programTable } from "../src/shell/programs/programs.ts";
import { isFree } from "./is-free.ts";

const casesCount = rounds({ usual: 1_500, long: 30_000 });

/** By rows, and by names that have none. */
const steered = [
  ...[...programTable.names()].filter((name) => programTable.find(name)?.readsProject === true),
  ..."less more zless rake sbt bazel ant cmake ninja just vim emacs eslint prettier tsc jest pytest tox nox".split(" "),
  ..."rustc rails mix jupyter npx bunx pnpx uvx volta corepack lerna nx turbo vite webpack".split(" "),
];

const verbs = [
  "",
  "ls",
  "list",
  "view x",
  "info x",
  "show",
  "tree",
  "metadata",
  "version",
  "env",
  "config",
  "config get x",
  "config list",
  "state list",
  "validate",
  "output",
  "preview",
  "outdated",
  "why x",
  "doctor",
  "help",
  "check",
  "status",
  "graph",
  "exec -- ls",
  "run ls",
  "pm ls",
  "pip list",
  "mod graph",
  "README.md",
];
const options = ["", "", "--version", "-v", "-V", "--help", "-h", "-n", "--json", "--dry-run", "--offline", "-q"];

test("nothing is free that files of a project decide", () => {
  const random = createSeededRandom();
  // The index is always within the list.
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const around = (command: string) =>
    pick([command, `cat a; ${command}`, `timeout 5 ${command}`, `${command} | head`, `x=$(${command}); echo "$x"`]);
  const commands = Array.from({ length: casesCount }, () => {
    const words = [pick(steered), ...random.shuffle([pick(verbs), pick(options)])].filter((word) => word !== "");
    return around(words.join(" "));
  });
  expect([...new Set(commands)].filter(isFree)).toEqual([]);
});

test("a row that files of a project steer says nothing of looks", () => {
  const rows = [...programTable.names()].map((name) => ({ name, row: programTable.find(name) }));
  const torn = rows.filter(({ row }) => row?.readsProject && (row.looksAt !== undefined || "looks" in row));
  expect(torn.map(({ name }) => name)).toEqual([]);
});

test.each([
  "git status --short",
  "git log --oneline -5",
  "git diff --stat main..HEAD",
  "git show HEAD~1",
  "git branch -vv",
  "git ls-files",
  "node --version",
  "python3 --version",
  "ls node_modules/.bin",
  "cat package.json Cargo.toml go.mod",
  "jq .scripts package.json",
  "jq '.dependencies | keys' package.json",
  "which cargo npm",
  "command -v go",
  "type npm",
  "head -20 Makefile",
  "awk -F: '{print $1}' Makefile",
  "awk 'NR > 1 {sum += $2 / (NR - 1)} END {print sum}' a.txt",
  "docker ps",
  "gh pr view 12",
  "kubectl get pods",
  "pip list",
])("%s stays free", (command) => {
  expect(isFree(command)).toBe(true);
});
