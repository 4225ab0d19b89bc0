import { describe, expect, test } from "vitest";
import { parseScript } from "./parse-script.ts";
import type { Command, Script, Word } from "./script.ts";

/** Every simple command of the text, in the order of reading, its words without quotes. */
function commandsOf(text: string): readonly string[] | string {
  const parsed = parseScript(text);
  if (!parsed.ok) return parsed.problem;
  const found: string[] = [];
  const visitScript = (script: Script): void => {
    for (const list of script.lists) {
      for (const { commands } of list.pipelines) commands.forEach(visitCommand);
    }
  };
  const visitWord = (word: Word): string =>
    word.parts
      .map((part) => {
        if (part.kind === "text") return part.text;
        part.nested.scripts.forEach(visitScript);
        return part.source;
      })
      .join("");
  const visitCommand = (command: Command): void => {
    if (command.kind === "function" || command.kind === "coprocess") {
      visitCommand(command.body);
      return;
    }
    for (const { target } of command.redirections) visitWord(target);
    if (command.kind === "simple") {
      for (const { value, words } of command.assignments)
        [...words, ...(value === undefined ? [] : [value])].map(visitWord);
      if (command.words.length > 0) found.push(command.words.map(visitWord).join(" "));
      return;
    }
    command.words.map(visitWord);
    const { shape } = command;
    if (shape.kind === "if") {
      for (const { condition, body } of shape.branches) [condition, body].map(visitScript);
      if (shape.otherwise !== undefined) visitScript(shape.otherwise);
    } else if (shape.kind === "while") [shape.condition, shape.body].map(visitScript);
    else if (shape.kind === "case") shape.bodies.map(visitScript);
    else if (shape.kind !== "expression") visitScript(shape.body);
  };
  visitScript(parsed.script);
  return found;
}

test.each<[string, readonly string[]]>([
  ["", []],
  ["# only a comment", []],
  ["a b  c", ["a b c"]],
  ["a;b&c&&d||e\nf", ["a", "b", "c", "d", "e", "f"]],
  ["a | b |& c", ["a", "b", "c"]],
  ["! a; time -p b; time", ["a", "b"]],
  ["a |\n\nb &&\nc", ["a", "b", "c"]],
  ["{ a; }; ( b )", ["a", "b"]],
  ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
  ["if (a) then b; fi", ["a", "b"]],
  ["while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]],
  ["for x in 1 2; do a $x; done", ["a $x"]],
  ["for x\ndo a; done", ["a"]],
  ["for x; { a; }", ["a"]],
  ["for ((i=0; i<3; i++)) { a; }", ["a"]],
  ["select x in 1; do a; done", ["a"]],
  ["case x in (a|b) c;; *) d ;& e) f ;;& g) esac", ["c", "d", "f"]],
  ["f() { a; }; function g { b; }; function h() ( c )", ["a", "b", "c"]],
  ["coproc a b; coproc N { c; }", ["a b", "c"]],
  ["[[ -f $(a) && ( $(b) < c || ! d == +(x|y) ) ]]", ["a", "b"]],
  ["[[ x =~ ^(a|b)\\ [0-9]+$ ]] && c", ["c"]],
  ["(( x = $(a) + y[$(b)] ))", ["a", "b"]],
  ["a\\\nb c\\\n d", ["ab c d"]],
  ["'a b' \"c d\" e\\ f", ["a b c d e f"]],
  ["$'\\x72\\155' $'\\u0041\\t\\cA\\q'", ["rm A\t\u0001\\q"]],
  ['"a\\"b\\$c\\`d\\\\e\\f"', ['a"b$c`d\\e\\f']],
  ["a $(b $(c)) `d \\`e\\``", ["c", "b $(c)", "e", "d `e`", "a $(b $(c)) `d \\`e\\``"]],
  ["a <(b) >(c)", ["b", "c", "a <(b) >(c)"]],
  ["x=$(a) y[$(b)]=1 z=($(c) d) e", ["a", "b", "c", "e"]],
  ["declare -a x=($(a))", ["a", "declare -a x=($(a))"]],
  ["a ${x:-$(b)} ${x/$(c)/`d`} ${y[$(e)]}", ["b", "c", "d", "e", "a ${x:-$(b)} ${x/$(c)/`d`} ${y[$(e)]}"]],
  ["a $((1+$(b))) $[ $(c) ]", ["b", "c", "a $((1+$(b))) $[ $(c) ]"]],
  [">x 2>&1 a <y {fd}>z &>w b", ["a b"]],
  ["cat <<E; a\n$(b)\nE\nc", ["b", "cat", "a", "c"]],
  ["cat <<'E'\n$(b)\nE\nc", ["cat", "c"]],
  ["cat <<-E <<F\n\tx\n\tE\ny\nF", ["cat"]],
  ["cat <<E\nEO\\\nx\nE", ["cat"]],
  ["a <<< $(b)", ["b", "a"]],
  ["echo if then done }", ["echo if then done }"]],
  ["a#b #c\nd", ["a#b", "d"]],
  ["time for x in a; do b; done", ["b"]],
  ["a $(time b)", ["time b", "a $(time b)"]],
])("reads %j", (text, commands) => expect(commandsOf(text)).toEqual(commands));

describe("does not accept", () => {
  test.each([
    "a &&",
    "a | ",
    "a )",
    "( a",
    "()",
    "{ a }",
    "{ }",
    "a ;; b",
    "a & & b",
    "; a",
    "if a; then fi",
    "if a; b; fi",
    "for x in a; b; done",
    "for 1 in a; do b; done",
    "for ((a;b)); do c; done",
    "case a b) c;; esac",
    "in a",
    "a | ! b",
    "a $(time { b; })",
    'a "$(time ! b)"',
    "a $(time x=1 b)",
    "a (b)",
    "[[ a",
    "[[ ]]",
    "[[ a b ]]",
    "((1)",
    "'a",
    '"a',
    "`a",
    "$(a",
    "${a",
    "${a b}",
    "${ a; }",
    "a >",
    "a > > b",
    "a <<E",
    "a <<E\nb",
    "a=(b",
    "a=([)",
    "b a=(c)",
    "a \\",
    "f() a",
    "coproc a done",
    "<&-rm x",
    "a | ]]",
    "a=()#; rm x",
    "a |\n\ntime b",
    "[[ -x ]]",
    "a $((b) c)",
    "ls +(a)",
    "i\\\nf a; then b; fi",
    "a $\\\n(b)",
    "$'\\0a'",
    "a <<E $(b\n)\nE",
    "$(a <<E\nx\nE) b\n)",
    "echo \"${x:-'}'}\"",
    "$(".repeat(21) + ")".repeat(21),
  ])("%j", (text) => expect(parseScript(text).ok).toBe(false));
});

test("a word that does not end behind `time` is a problem and no endless search", () => {
  expect(parseScript("case '' in a)''\"\"\"\";&x)time -p'''").ok).toBe(false);
  expect(parseScript("time -p'").ok).toBe(false);
});
