// The chain of strategies: which one wins, when the search ends, and what is refused.
import { expect, test } from "vitest";
import { findMatch, type MatchOptions } from "./find-match.ts";

const lenient: MatchOptions = { replaceAll: false, fuzzy: true };
const find = (text: string, oldString: string, newString = "changed();", options = lenient) =>
  findMatch(text, { oldString, newString }, options);

test("exact text wins, and several exact places end the search", () => {
  expect(find("abc();\nabc(); \n", "abc(); ")).toEqual({
    kind: "matched",
    strategy: "Simple",
    places: [{ start: 7, end: 14, newText: "changed();" }],
    similarity: 1,
  });
  expect(find("abc();\nx.abc();\n", "abc();")).toEqual({
    kind: "ambiguous",
    strategy: "MultiOccurrence",
    lines: [1, 2],
  });
});

test("all exact places are replaced when asked for, without those that overlap", () => {
  expect(find("aXaXa aXa", "aXa", "b", { replaceAll: true, fuzzy: true })).toEqual({
    kind: "matched",
    strategy: "MultiOccurrence",
    places: [
      { start: 0, end: 3, newText: "b" },
      { start: 6, end: 9, newText: "b" },
    ],
    similarity: 1,
  });
});

test("lenient places are all replaced when asked for, each with its own indentation", () => {
  const text = "if (a) {\n    go(1);\n    run();\n}\n  go(1);\n  run();\n";
  const match = find(text, "go(1);\nrun();\n", "go(1);\nwalk();\n", { replaceAll: true, fuzzy: true });
  expect(match).toEqual({
    kind: "matched",
    strategy: "WhitespaceNormalized",
    places: [
      { start: 9, end: 30, newText: "    go(1);\n    walk();" },
      { start: 33, end: 50, newText: "  go(1);\n  walk();" },
    ],
    similarity: 1,
  });
});

test("those that judge by likeness are left out when all places are wanted", () => {
  const text = "begin(one);\n  alpha();\n  beta();\n  gamma();\nfinish(one);\n";
  const old = "begin(one);\n  alpha();\n  betta();\n  gamma();\nfinish(one);";
  const edited = old.replace("gamma", "delta");
  expect(find(text, old, edited).kind).toBe("matched");
  expect(find(text, old, edited, { replaceAll: true, fuzzy: true }).kind).toBe("none");
});

test("without leniency only exact text is found", () => {
  const options: MatchOptions = { replaceAll: false, fuzzy: false };
  expect(find("abc(); \nxyz();\n", "abc();\nxyz();", "x", options)).toEqual({
    kind: "none",
    region: { line: 1, text: "abc(); \nxyz();" },
  });
  expect(find("abc();\nxyz();\n", "abc();\nxyz();", "x", options).kind).toBe("matched");
});

test("a likeness below one is told and never beats a stricter strategy", () => {
  const old = 'begin(one);\n  alpha("first");\n  beta();\nfinish(one);';
  const escaped = old.replaceAll('"', '\\"');
  expect(find(`${old}\n`, escaped, escaped.replace("beta", "gamma"))).toMatchObject({
    kind: "matched",
    strategy: "EscapeNormalized",
    similarity: 1,
  });
  const wrong = old.replace("first", "second");
  const alike = find(`${old}\n`, wrong, wrong.replace("beta", "gamma"));
  expect(alike).toMatchObject({ kind: "matched", strategy: "BlockAnchor" });
  expect(alike.kind === "matched" && alike.similarity < 1).toBe(true);
});

test("escapes that set a lenient match apart are not written into the file", () => {
  const text = '  begin(one);\n  alpha("first");\n  other();\n  beta();\n  finish(one);\n';
  const old = 'begin(one);\nalpha(\\"first\\");\nothers();\nbeta();\nfinish(one);';
  const match = find(text, old, old.replace("beta();", 'beta();\ngamma(\\"third\\");'));
  expect(match).toMatchObject({ kind: "unclear", reason: "escapes" });
});

test.each([
  ["braces and blank lines", "a {\n  }\n\n}\n", "  } \n\n} "],
  ["a part of a line", "  value = compute(first, second);  \n", "compute(first, second); \nnext"],
])("%s are not found leniently", (_, text, old) => {
  expect(find(text, old).kind).toBe("none");
});

test("places that differ in white space only are ambiguous, pieces of lines too", () => {
  const lines = [1, 3];
  expect(find("run(a);\n\n  run(a);\n", "run(a); ")).toEqual({ kind: "ambiguous", strategy: "LineTrimmed", lines });
  expect(find("x = go(a, b);\n\ngo(a, b);\n", "go(a,  b);")).toEqual({
    kind: "ambiguous",
    strategy: "WhitespaceNormalized",
    lines,
  });
});

test("a change whose lines differ in the file is shown instead of made", () => {
  const text = "one();\nbegin(x);\n  limit = 30;\n  go(limit);\nfinish(x);\n";
  expect(
    find(
      text,
      "begin(x);\n  limit = 60;\n  go(limit);\nfinish(x);",
      "begin(x);\n  limit = 90;\n  go(limit);\nfinish(x);",
    ),
  ).toEqual({
    kind: "unclear",
    reason: "differs",
    region: { line: 2, text: "begin(x);\n  limit = 30;\n  go(limit);\nfinish(x);" },
  });
});

test("a letter that occurs very often is counted in one pass", () => {
  const match = find("e\n".repeat(200_000), "e");
  expect(match.kind === "ambiguous" && match.lines.at(-1)).toBe(200_000);
});

test("ends that occur everywhere end the comparison early", () => {
  const text = "  if (x) {\n    call(1);\n  }\n".repeat(5_000);
  const middle = Array.from({ length: 200 }, (_, index) => `    other(${index});`).join("\n");
  expect(find(text, `  if (x) {\n${middle}\n  }`).kind).toBe("none");
});
