import { mkdirSync, readdirSync, statSync, utimesSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { createBashTool } from "../bash.ts";
import { createRcSnapshot } from "./rc-snapshot.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
  mkdirSync(workshop.at("home"));
});
afterEach(() => workshop.close());

const never = new AbortController().signal;

function openSnapshot(shellPath = "/bin/bash") {
  return createRcSnapshot({
    shellPath,
    childEnvironment: () => ({ PATH: process.env["PATH"] ?? "", HOME: workshop.at("home") }),
    cacheDirectory: workshop.at("cache"),
  });
}

function openBash(rcSnapshot = openSnapshot()) {
  const tool = createBashTool({
    shellPath: "/bin/bash",
    childEnvironment: () => ({ PATH: process.env["PATH"] ?? "", HOME: workshop.at("home") }),
    now: () => 0,
    rcSnapshot,
  });
  return async (command: string) => (await tool.run({ command, description: "" }, workshop.newContext())).output;
}

const startUp = `
case $- in *i*) ;; *) return ;; esac
echo noise; echo noise >&2
echo made >> "$HOME/made"
alias ll='ls -1'
alias grep='grep --line-number'
shopt -s globstar extglob
set -o pipefail
SECRET=of-the-user
greet() { case $1 in @(a|b)) echo "hello $1" ;; esac; }
fake() { echo '
#word smuggled'; }
`;

test("a command knows aliases, functions and options of the start-up files, and its children do not", async () => {
  workshop.put("home/.bashrc", startUp);
  workshop.put("sub/deep/a", "x\n");
  const snapshot = openSnapshot();
  const bash = openBash(snapshot);
  expect(await bash("ll sub; greet a; grep x sub/deep/a; echo **/a; set -o | /bin/grep pipefail")).toBe(
    "deep\nhello a\n1:x\nsub/deep/a\npipefail       \ton\n",
  );
  expect(await bash("bash -c 'greet a' 2>&1; echo \"[$BASH_ENV$SECRET]\"")).toMatch(
    /greet: command not found\n\[\]\n$/,
  );
  expect(await bash("true\nnot-a-command")).toMatch(/line 2: not-a-command/);
  expect([...snapshot.redefinedWords()].sort()).toEqual(["fake", "greet", "grep", "ll"]);
  expect(snapshot.problem()).toBeUndefined();
});

test("it is made at the first call, found by the next session, and made again when the files change", async () => {
  const rc = workshop.put("home/.bashrc", startUp);
  openSnapshot();
  expect(readdirSync(workshop.directory).includes("cache")).toBe(false);
  await openSnapshot().prepare(never);
  const again = openSnapshot();
  await again.prepare(never);
  expect([workshop.text("home/made"), again.redefinedWords().length]).toEqual(["made\n", 4]);
  const [name = ""] = readdirSync(workshop.at("cache"));
  expect(statSync(workshop.at(`cache/${name}`)).mode & 0o777).toBe(0o600);
  utimesSync(rc, 1, 1);
  await openSnapshot().prepare(never);
  expect([workshop.text("home/made"), readdirSync(workshop.at("cache")).length]).toEqual(["made\nmade\n", 2]);
});

test("start-up files that leave no shell are said once, and commands run without them", async () => {
  workshop.put("home/.bashrc", "exec true");
  const bash = openBash();
  expect(await bash("echo a")).toBe(
    "a\nThe start-up files of /bin/bash could not be read: they end or replace the shell. Commands run without them.",
  );
  expect(await bash("echo a")).toBe("a\n");
  const other = openSnapshot("/bin/sh");
  await other.prepare(never);
  expect([other.problem(), other.variables(), other.redefinedWords()]).toEqual([
    "No snapshot of start-up files can be made of /bin/sh.",
    {},
    [],
  ]);
});
