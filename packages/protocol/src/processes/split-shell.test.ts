import { expect, test } from "vitest";
import { splitShell } from "./split-shell.ts";

/** Parts as they are written, `|` before those that read a pipe. */
const partsOf = (text: string) =>
  splitShell(text).parts.map((part) => `${part.readsPipe ? "| " : ""}${part.text.trim()}`);
const operatorsOf = (text: string) => splitShell(text).operators.map(({ operator }) => operator);

test.each<[text: string, parts: readonly string[], operators: readonly string[]]>([
  ["", [], []],
  ["ls -la", ["ls -la"], []],
  ["a && b || c; d & e\nf", ["a", "b", "c", "d", "e", "f"], ["&&", "||", ";", "&", "\n"]],
  ["a | b |& c", ["a", "| b", "| c"], ["|", "|&"]],
  ["echo 'a; b' \"c && d\" e\\;f", ["echo 'a; b' \"c && d\" e\\;f"], []],
  ["find . -exec wc {} \\;", ["find . -exec wc {} \\;"], []],
  ["a 2>&1 >| b &> c >>d 3<>e", ["a 2>&1 >| b &> c >>d 3<>e"], []],
  ["echo {a,b} a#b", ["echo {a,b} a#b"], []],
  ["a\\|# b", ["a\\|# b"], []],
])("%j is plain text", (text, parts, operators) => {
  expect(partsOf(text)).toEqual(parts);
  expect(operatorsOf(text)).toEqual(operators);
  expect(splitShell(text).isPlain).toBe(true);
});

test.each<[text: string, parts: readonly string[], operators: readonly string[]]>([
  ["a $(b; c) && d", ["b", "c", "a ()", "d"], ["&&"]],
  ['a "$(b | c)"', ["b", "| c", 'a "$(b | c)"'], []],
  ["a `b; c`", ["b", "c", "a ()"], []],
  ["diff <(a) >(b)", ["a", "b", "diff () ()"], []],
  ["(a && b) | c", ["a", "b", "| c"], ["|"]],
  ["{ a; b; }", ["{ a", "b", "}"], [";", ";"]],
  ["a # b; c\nd", ["a", "d"], ["\n"]],
  ["a <<'END' && b\nc; d\nEND\ne", ["a <<'END'", "b", "e"], ["&&", "\n"]],
  ["a 2>&1<<END\nb\nEND", ["a 2>&1<<END"], ["\n"]],
  ["a <<< b; c", ["a <<< b", "c"], [";"]],
  ["a 'b; c", ["a 'b; c"], []],
  ['a "`b`"', ['a "`b`"'], []],
])("%j needs a grammar", (text, parts, operators) => {
  expect(partsOf(text)).toEqual(parts);
  expect(operatorsOf(text)).toEqual(operators);
  expect(splitShell(text).isPlain).toBe(false);
});

test("the places of operators are those in the text", () => {
  const text = "a 'b && c' && d |& e";
  expect(splitShell(text).operators.map(({ start, end }) => [start, text.slice(start, end)])).toEqual([
    [11, "&&"],
    [16, "|&"],
  ]);
});

test("a long text is one part, and deep brackets are left alone", () => {
  expect(splitShell(`a; ${"b".repeat(10_000)}`)).toMatchObject({ parts: [{ readsPipe: false }], isPlain: false });
  expect(splitShell("$(".repeat(4_900)).isPlain).toBe(false);
});
