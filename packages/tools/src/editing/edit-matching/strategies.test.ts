// Each strategy alone: what it accepts, what it leaves to others, and what the place would become.
import { describe, expect, test } from "vitest";
import { blockAnchor } from "./block-anchor.ts";
import { contextAware } from "./context-aware.ts";
import { escapeNormalized } from "./escape-normalized.ts";
import { indentationFlexible } from "./indentation-flexible.ts";
import { lineTrimmed } from "./line-trimmed.ts";
import { multiOccurrence } from "./multi-occurrence.ts";
import { simple } from "./simple.ts";
import { createSearch, type Strategy } from "./strategy.ts";
import { trimmedBoundary } from "./trimmed-boundary.ts";
import { whitespaceNormalized } from "./whitespace-normalized.ts";

/** The text after each place alone was replaced; the refusal where there is no new text. */
const outcomes = (strategy: Strategy, text: string, oldString: string, newString: string) =>
  strategy
    .find(createSearch(text, oldString, newString))
    .map(({ start, end, newText, refusal }) =>
      newText === undefined ? refusal : text.slice(0, start) + newText + text.slice(end),
    );

describe("Simple", () => {
  test("finds exact text, overlapping places too", () => {
    expect(outcomes(simple, "a b a", "a", "c")).toEqual(["c b a", "a b c"]);
    expect(outcomes(simple, "aXaXa", "aXa", "-")).toEqual(["-Xa", "aX-"]);
    expect(outcomes(simple, "a", "", "c")).toEqual([]);
  });
  test("takes the line endings of the file", () => {
    expect(outcomes(simple, "a\r\nb\r\nc", "a\nb", "x\ny\nz")).toEqual(["x\r\ny\r\nz\r\nc"]);
  });
});

test("MultiOccurrence is only for several exact places", () => {
  expect(outcomes(multiOccurrence, "a b", "a", "c")).toEqual([]);
  expect(outcomes(multiOccurrence, "a a", "a", "c")).toEqual(["c a", "a c"]);
});

describe("LineTrimmed", () => {
  test("ignores white space at line ends and keeps it where nothing changes", () => {
    expect(outcomes(lineTrimmed, "one \ntwo\t\nthree\n", "one\ntwo", "one\n2")).toEqual(["one \n2\nthree\n"]);
  });
  test("wants whole lines with their indentation", () => {
    expect(outcomes(lineTrimmed, "  one \n  two\n", "one\ntwo", "x")).toEqual([]);
    expect(outcomes(lineTrimmed, "someone \ntwo\n", "one\ntwo", "x")).toEqual([]);
  });
  test("a text that ends in a line feed neither adds nor joins lines", () => {
    expect(outcomes(lineTrimmed, "one \ntwo\n", "one\n", "1\n")).toEqual(["1\ntwo\n"]);
    expect(outcomes(lineTrimmed, "one \ntwo\n", "one\n", "1")).toEqual(["1\ntwo\n"]);
    expect(outcomes(lineTrimmed, "one \ntwo\n", "one\n", "")).toEqual(["two\n"]);
  });
});

describe("BlockAnchor", () => {
  const text = "function total(list) {\n  let sum = 0;\n  for (const n of list) sum += n;\n  return sum;\n}\n";
  test("keeps the lines of the file that the model remembered wrongly", () => {
    const old = "function total(list) {\n  let sum = 0;\n  for (const m of list) sum += m;\n  return sum;\n}";
    expect(outcomes(blockAnchor, text, old, old.replace("return sum", "return sum / 2"))).toEqual([
      text.replace("return sum", "return sum / 2"),
    ]);
  });
  test("refuses to change a line that the file has differently", () => {
    const old = "function total(list) {\n  let sum = 1;\n  for (const n of list) sum += n;\n  return sum;\n}";
    expect(outcomes(blockAnchor, text, old, old.replace("sum = 1", "sum = 2"))).toEqual(["differs"]);
  });
  test("what stands between the anchors must be alike, and the anchors must say something", () => {
    expect(outcomes(blockAnchor, text, "function total(list) {\n  connect();\n  draw();\n}", "x")).toEqual([]);
    expect(outcomes(blockAnchor, "{\n  first();\n  second();\n}\n", "{\n  first();\n  third();\n}", "x")).toEqual([]);
  });
  test("without a clear lead all rivals are named", () => {
    const block = (name: string) => `open(port);\n  use(${name});\n  log(port);\nclose(port);\n`;
    const old = block("gamma").trimEnd();
    const found = outcomes(blockAnchor, block("alpha") + block("delta"), old, old.replace("log", "warn"));
    expect(found).toHaveLength(2);
  });
  test("lines left out by an ellipsis stay, if the new text leaves them out too", () => {
    const old = "function total(list) {\n  // ... existing code ...\n  return sum;\n}";
    expect(outcomes(blockAnchor, text, old, old.replace("return sum", "return -sum"))).toEqual([
      text.replace("return sum", "return -sum"),
    ]);
    expect(outcomes(blockAnchor, text, old, "function total(list) {\n  return 1;\n}")).toEqual(["differs"]);
  });
});

describe("WhitespaceNormalized", () => {
  test("collapses runs of white space in whole lines", () => {
    expect(outcomes(whitespaceNormalized, "\tif (a)  {\n\t\tb();\n", "if (a) {\n  b();", "if (c) {\n  b();")).toEqual([
      "\tif (c) {\n\t\tb();\n",
    ]);
  });
  test("finds a piece within a line, never a part of a word", () => {
    expect(outcomes(whitespaceNormalized, "let max = 10;\n", "let  max =  10", "let max = 11")).toEqual([
      "let max = 11;\n",
    ]);
    expect(outcomes(whitespaceNormalized, "outlet max = 10;\n", "let  max = 10", "x")).toEqual([]);
    expect(outcomes(whitespaceNormalized, "let max = 100;\n", "let  max = 10", "x")).toEqual([]);
  });
  test("refuses where the white space is content", () => {
    expect(outcomes(whitespaceNormalized, 'print("a  b", c)\n', 'print("a b", c)', 'print("a b", d)')).toEqual([
      "differs",
    ]);
    expect(outcomes(whitespaceNormalized, 'x; print("a  b")\n', 'print("a b")', 'print("a b", d)')).toEqual([
      "differs",
    ]);
  });
});

test("IndentationFlexible wants the same shape and re-indents the new text", () => {
  const text = "class A:\n    def b(self):\n        return 1\n";
  expect(
    outcomes(indentationFlexible, text, "def b(self):\n    return 1", "def b(self):\n    if c:\n        return 2"),
  ).toEqual(["class A:\n    def b(self):\n        if c:\n            return 2\n"]);
  expect(outcomes(indentationFlexible, text, "def b(self):\nreturn 1", "x")).toEqual([]);
});

describe("EscapeNormalized", () => {
  test("undoes one level in both texts", () => {
    const text = 'say("one\\n");\nnext();\n';
    expect(
      outcomes(escapeNormalized, text, 'say(\\"one\\\\n\\");\\nnext();', 'say(\\"two\\\\n\\");\\nnext();'),
    ).toEqual(['say("two\\n");\nnext();\n']);
  });
  test("undoes only the quotes where only they were escaped", () => {
    expect(outcomes(escapeNormalized, 'say("one\\n");\n', 'say(\\"one\\n\\");', 'say(\\"two\\n\\");')).toEqual([
      'say("two\\n");\n',
    ]);
  });
  test("leaves a new text alone that is written plainly", () => {
    expect(outcomes(escapeNormalized, 'say("one");\n', 'say(\\"one\\");', 'say("two \\"2\\"");')).toEqual([
      'say("two \\"2\\"");\n',
    ]);
  });
  test("refuses when the new text does not show how it is escaped", () => {
    expect(outcomes(escapeNormalized, 'say("one");\n', 'say(\\"one\\");', "say(`\\\\d\\n`);")).toEqual(["escapes"]);
  });
});

test("TrimmedBoundary neither removes nor adds the blank lines that only the model has", () => {
  const text = "a();\nbcd();\ne();\n";
  expect(outcomes(trimmedBoundary, text, "\n\nbcd();\n\n", "\n\nxyz();\n\n")).toEqual(["a();\nxyz();\ne();\n"]);
  expect(outcomes(trimmedBoundary, text, "\n\nbcd();\n\n", "xyz();")).toEqual(["a();\nxyz();\ne();\n"]);
  expect(outcomes(trimmedBoundary, text, "\n\nbcd();\n\n", "")).toEqual(["a();\ne();\n"]);
  expect(outcomes(trimmedBoundary, text, "bcd();", "x")).toEqual([]);
});

test("ContextAware wants as many lines, both ends and half of the middle", () => {
  const text = "start();\nalpha(1);\nbeta(2);\ngamma(3);\nstop();\n";
  const old = "\nstart();\nalpha(1);\nsomething else entirely;\ngamma(3);\nstop();\n\n";
  expect(outcomes(contextAware, text, old, old.replace("stop();", "halt();"))).toEqual([text.replace("stop", "halt")]);
  expect(outcomes(contextAware, text, "start();\nx\ny\ngamma(3);\nstop();", "z")).toEqual([]);
  expect(outcomes(contextAware, text, "start();\nalpha(1);\ngamma(3);\nstop();", "z")).toEqual([]);
});
