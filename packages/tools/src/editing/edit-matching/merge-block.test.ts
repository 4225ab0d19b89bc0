import { expect, test } from "vitest";
import { compareBlocks } from "./block-likeness.ts";
import { mergeBlock } from "./merge-block.ts";
import { splitTextLines } from "./text-lines.ts";

function merge(file: string, oldText: string, newText: string) {
  const block = splitTextLines(file);
  const fileLines = block.map(({ content }) => content);
  const oldLines = oldText.split("\n");
  const { partners } = compareBlocks(oldLines, fileLines);
  const merged = mergeBlock({ block, fileLines, oldLines, newLines: newText.split("\n"), partners, lineEnding: "\n" });
  return merged.ok ? merged.newText : merged.reason;
}

test("lines that the change leaves alone stay as the file has them", () => {
  expect(merge("one \n\ttwo;\r\nthree\nfour", "one\ntwo;\nthree\nfour", "one\ntwo;\n3\nfour")).toBe(
    "one \n\ttwo;\r\n3\nfour",
  );
  expect(merge("begin\nlimit = 30\nend", "begin\nlimit = 60\nend", "begin\nlimit = 60\nEND")).toBe(
    "begin\nlimit = 30\nEND",
  );
});

test("a change of lines that the file has differently is refused, deleting them included", () => {
  expect(merge("begin\nlimit = 30\nend", "begin\nlimit = 60\nend", "begin\nlimit = 90\nend")).toBe("differs");
  expect(merge("begin\nlimit = 30\nend", "begin\nlimit = 60\nend", "begin\nend")).toBe("differs");
  expect(merge('begin\nsay("a  b")\nend', 'begin\nsay("a b")\nend', 'begin\nsay("a b c")\nend')).toBe("differs");
});

test("lines that only the file has stay, unless the change happens right there", () => {
  expect(merge("one\nextra\ntwo\nthree", "one\ntwo\nthree", "one\ntwo\n3")).toBe("one\nextra\ntwo\n3");
  expect(merge("one\nextra\ntwo\nthree", "one\ntwo\nthree", "one\nnew\ntwo\nthree")).toBe("differs");
  expect(merge("one\n\ntwo\nthree", "one\ntwo\nthree", "one\n2\nthree")).toBe("one\n\n2\nthree");
});

test("lines that only the model has are not written", () => {
  expect(merge("one\ntwo\nthree", "one\nmadeUp()\ntwo\nthree", "one\nmadeUp()\ntwo\n3")).toBe("one\ntwo\n3");
});

test("a new text that is indented as the file is stays so where only the old one was not", () => {
  expect(merge("    one\n    two", "one\ntwo", "    one\n    2")).toBe("    one\n    2");
  expect(merge("    one\n    two", "        one\n        two", "    one\n    2")).toBe("    one\n    2");
  // One level more, or one less, is meant where the texts begin further out or further in.
  expect(merge("    one\n        two", "one\n    two", "if (x) {\n    one\n        two\n}")).toBe(
    "    if (x) {\n        one\n            two\n    }",
  );
  expect(merge("if x:\n    one\n    two", "    if x:\n        one\n        two", "    one\n    two")).toBe("one\ntwo");
});

test("an indentation that cannot be told is refused", () => {
  expect(merge("a:\n  b\nc:\n      d", "a:\n    b\nc:\n    d", "a:\n    b\nc:\n        e\n    d")).toBe("indentation");
});
