/** Options are read the way getopt does: abbreviated, joined, attached, ended by two dashes. */
import { expect, test } from "vitest";
import { compileOptions } from "./option-set.ts";
import { literalWord, unknownWord } from "./program-call.ts";
import { readOptions } from "./read-options.ts";

const set = compileOptions({
  plain: "-v/--verbose -n/--lines: --color? --outline",
  special: [["-o/--output:", "write", "writes a file"]],
});

function read(line: string) {
  const found = readOptions(line.split(" ").map(literalWord), set);
  return {
    options: found.options.map(({ name, value }) => (value === undefined ? name : `${name}=${value.text}`)),
    operands: found.operands.map((word) => word.text),
  };
}

test.each([
  ["-v a", ["-v"], ["a"]],
  ["a -v", ["-v"], ["a"]],
  ["-vo x", ["-v", "-o=x"], []],
  ["-vox", ["-v", "-o=x"], []],
  ["-n5 a", ["-n=5"], ["a"]],
  ["--lines 5 a", ["--lines=5"], ["a"]],
  ["--lin=5", ["--lines=5"], []],
  ["--outp x", ["--output=x"], []],
  ["--outline x", ["--outline"], ["x"]],
  ["--color x", ["--color"], ["x"]],
  ["--color=x y", ["--color=x"], ["y"]],
  ["-- -v", [], ["-v"]],
  ["- a", [], ["-", "a"]],
  ["--other a", ["--other"], ["a"]],
])("%s", (line, options, operands) => {
  expect(read(line)).toEqual({ options, operands });
});

test("an abbreviation that fits several options is read as the risky one", () => {
  expect(readOptions([literalWord("--out=x")], set).options[0]?.rule?.why).toBe("writes a file");
});

test("words that are not known may become options, unless two dashes came first", () => {
  const word = unknownWord("$X");
  expect(readOptions([word], set).untrusted).toEqual([word]);
  expect(readOptions([literalWord("-n"), word], set).untrusted).toEqual([word]);
  expect(readOptions([literalWord("--"), word], set).untrusted).toEqual([]);
});

test("a word that begins with known text cannot become an option", () => {
  const word = { text: "src/$X", isLiteral: false, isSplit: false, isGlob: false };
  expect(readOptions([word], set).untrusted).toEqual([]);
});
