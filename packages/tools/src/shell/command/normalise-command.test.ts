import { expect, test } from "vitest";
import { normaliseCommand } from "./normalise-command.ts";

const normalised = (command: string) => normaliseCommand(command, { keepsDirectory: false, keepsHeadAndTail: false });

test("a leading change of directory becomes the working directory", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["cd sub && ls", "ls", "sub"],
    ["  cd /a/b.c && make && make test", "make && make test", "/a/b.c"],
    ["cd 'two words' && ls | wc -l", "ls | wc -l", "two words"],
    ['cd "two words" && echo "a; b"', 'echo "a; b"', "two words"],
    ["cd ../../x && ls", "ls", "../../x"],
    ["cd -- sub && git log --format='%h;%s'", "git log --format='%h;%s'", "sub"],
    ["cd sub && find . -name '*.ts' -exec wc {} \\;", "find . -name '*.ts' -exec wc {} \\;", "sub"],
    ["cd sub && npm test 2>&1 | tail -20", "npm test", "sub"],
  ];
  for (const [command, rest, directory] of cases) expect(normalised(command)).toEqual({ command: rest, directory });
});

test("a change of directory stays where the rest would not run the same without it", () => {
  for (const command of [
    "cd sub",
    "cd sub; ls",
    "cd sub || exit 1",
    "cd sub && ls || echo none",
    "cd sub && ls; pwd",
    "cd sub && sleep 1 & pwd",
    "cd sub && ls\npwd",
    "cd sub && cd -",
    "cd sub && echo $OLDPWD",
    "cd sub && (ls; pwd)",
    "cd sub && { ls; }",
    "cd sub && cat <<END\nEND",
    "cd sub && echo $(ls; pwd)",
    'cd sub && echo "$(ls; pwd)"',
    "cd sub && echo 'open",
    "cd $HOME && ls",
    "cd ~ && ls",
    "cd ~/x && ls",
    "cd - && ls",
    "cd -P sub && ls",
    "cd a* && ls",
    "cd missing/.. && ls",
    "cd a/../../b && ls",
    "cd `pwd` && ls",
    "cd && ls",
    "echo cd sub && ls",
    "cd sub\n&& ls",
  ])
    expect(normalised(command), command).toEqual({ command });
  expect(normaliseCommand("cd sub && ls", { keepsDirectory: true, keepsHeadAndTail: false })).toEqual({
    command: "cd sub && ls",
  });
});

test("what only shortens or merges the output is dropped", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["make | head", "make"],
    ["make | head -20", "make"],
    ["make | tail -n 20", "make"],
    ["make | tail -n20", "make"],
    ["make | head --lines=5 ", "make"],
    ["make |& tail -5", "make"],
    ["make 2>&1", "make"],
    ["make 2>&1 | head -5", "make"],
    ["make | head -5 2>&1", "make"],
    ["a; b | sort | head -3", "a; b | sort"],
    ["echo 'x | head -3' | head -3", "echo 'x | head -3'"],
    ["echo $A {b,c} | head", "echo $A {b,c}"],
    ["a > log; b 2>&1", "a > log; b"],
    ["git status 2>/dev/null | head -5", "git status 2>/dev/null"],
  ];
  for (const [command, rest] of cases) expect(normalised(command), command).toEqual({ command: rest });
});

test("heads, tails and merges that do more are kept", () => {
  for (const command of [
    "make | tail -f",
    "make | tail -n +5",
    "make | head -n -5",
    "make | head -c 100",
    "make | head -5 file",
    "head -5 file",
    "make | head -5 | sort",
    "make | head -5; ls",
    "make | head -5 > file",
    "make > log 2>&1",
    "make 2>&1 > log",
    "make &> log 2>&1",
    "exec > log; make 2>&1",
    "make 2>&1 | grep error",
    "yes | head -5",
    "ping localhost | head -3",
    "cat /dev/urandom | head -5",
    "tail -f log | head -5",
    "tail --follow=name log | grep x | head -1",
    "journalctl -f | head",
    "docker logs -f app | head -5",
    "npm run dev | head -20",
    "while true; do date; done | head -3",
    "echo 'make | head -5'",
    "bash -c 'make | head -5'",
    "cat <<END | head -5\nx\nEND",
    "echo a # | head -5",
    "| head -5",
  ])
    expect(normalised(command), command).toEqual({ command });
});

test("a command of megabytes is left alone at once", () => {
  const command = `cd sub && echo ${"'a' | ".repeat(500_000)} cat | head`;
  expect(normalised(command)).toEqual({ command });
});
