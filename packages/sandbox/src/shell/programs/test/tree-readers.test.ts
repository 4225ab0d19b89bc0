/** Which readers go through whole directories. */
import { expect, test } from "vitest";
import { analyseShell } from "../../index.ts";

const cwd = import.meta.dirname;
const lookAtPath = () => ({ place: "inside", otherNames: [] }) as const;
const readsTrees = (command: string) =>
  analyseShell(command, { cwd, root: cwd, home: "/", lookAtPath }).commands.some((each) => each.readsTrees === true);

test.each([
  "grep -r x",
  "grep -rn x .",
  "grep -nR x ..",
  "grep --recurs x .",
  "grep -d recurse x .",
  "grep --directories=rec x .",
  "rgrep x",
  "rg x",
  "rg x .",
  "rg -e x ..",
  "rg x summarise.ts ..",
  'rg x "$Y"',
  "diff -r . ..",
  "diff . ..",
  "git diff --no-index . ..",
  "sort --files0-from=list",
  "sort --files0-f list",
  "wc --files0-from list",
  "du --files0-from=list",
  "file -flist",
  "file --files-from list",
  "sha256sum -c list",
])("%s does", (command) => {
  expect(readsTrees(command)).toBe(true);
});

test.each([
  "grep -n x summarise.ts",
  "grep -d skip x *",
  "cat summarise.ts | rg x",
  "rg x summarise.ts",
  "rg --files",
  "diff summarise.ts git.test.ts",
  "git diff",
])("%s does not", (command) => {
  expect(readsTrees(command)).toBe(false);
});
