/** What xargs starts when the commands before the pipe tell what it gets. */
import { expect, test } from "vitest";
import type { InnerCommand } from "../../shell-command.ts";
import { listedName } from "../code/produced-words.ts";
import { lookIntoProgram } from "../look-into-program.ts";
import { literalWord, unknownWord } from "../program-call.ts";
import { parseLine, place } from "./summarise.ts";

function startedBy(before: readonly string[], line: string): readonly InnerCommand[] {
  const by = before.map((command) => parseLine(command).words);
  return lookIntoProgram({ ...parseLine(line), input: { kind: "output", by } }, place).inner;
}

const listed = listedName;
const unknown = unknownWord("{}");

test.each([
  [["find . -name x"]],
  [["git ls-files"]],
  [["rg -l foo"]],
  [["grep -rl foo src"]],
  [["ls", "grep ts", "head -5"]],
  [["find . -type f -print0"]],
  [["grep -rl -e foo src", "sort -u"]],
  [["rg -l -g !x foo"]],
  [["git diff --name-only main", "grep -v -e x"]],
  [["git show --name-only --format= HEAD"]],
  [["/usr/bin/find ."]],
])("names listed by %j lie where they were found", (before) => {
  expect(startedBy(before, "xargs cat")).toEqual([{ kind: "words", words: [literalWord("cat"), listed] }]);
});

test.each([
  [["cat list"]],
  [["find . -printf x"]],
  [["git log --format=%s"]],
  [["find .", "sed s,^,/etc/,"]],
  [["echo $X"]],
  [["rg foo"]],
  [["find . -ls"]],
  [["find . -fprintf x y"]],
  [["ls -l"]],
  [["./find ."]],
  [["constructor"]],
  [["git ls-files --format=/etc/passwd"]],
  [["git diff --name-only --line-prefix=/etc/"]],
  [["git log --name-only"]],
  [["git show --name-only HEAD"]],
  [["rg -o -r /etc/passwd 'a -l' f"]],
  [["rg -g -l foo"]],
  [["grep -h -e -l f"]],
  [["seq -f /etc/x%g 1"]],
  [["find .", "sort list"]],
  [["find .", "head list"]],
  [["find .", "grep -o /etc/passwd"]],
  [["find .", "grep x list"]],
  [["find .", "constructor"]],
])("nothing is known about what %j prints", (before) => {
  expect(startedBy(before, "xargs cat")).toEqual([{ kind: "words", words: [literalWord("cat"), unknown] }]);
});

test("a listed name within code may be code itself", () => {
  expect(startedBy(["find ."], "xargs -I{} sh -c 'rm {}'")).toEqual([
    { kind: "words", words: [literalWord("sh"), literalWord("-c"), unknownWord("rm {}")] },
    { kind: "words", words: ["sh", "-c", "rm {}"].map(literalWord) },
  ]);
  expect(startedBy(["find ."], "xargs -I% cp % %.bak")).toEqual([
    { kind: "words", words: [literalWord("cp"), listed, { ...listed, text: "{}.bak" }] },
    { kind: "words", words: ["cp", "%", "%.bak"].map(literalWord) },
  ]);
});

test("a listed name can be read, but which one is written or run is not known", () => {
  expect(
    lookIntoProgram({ ...parseLine("cp x"), words: [literalWord("cp"), literalWord("x"), listed] }, place).files,
  ).toEqual([
    { word: literalWord("x"), access: "read" },
    { word: unknown, access: "write" },
  ]);
  expect(
    lookIntoProgram({ ...parseLine("sh"), words: [literalWord("sh"), literalWord("-c"), listed] }, place).inner,
  ).toEqual([{ kind: "unknown", why: "the code {} is put together when it runs" }]);
});

test("printed words are the arguments", () => {
  expect(startedBy(["echo /etc/passwd b"], "xargs cat")).toEqual([
    { kind: "words", words: ["cat", "/etc/passwd", "b"].map(literalWord) },
  ]);
});

test("printed lines take the place of the mark", () => {
  expect(startedBy(["echo ls; rm x"], "xargs -I% sh -c %")).toEqual([
    { kind: "words", words: ["sh", "-c", "ls; rm x"].map(literalWord) },
  ]);
});
