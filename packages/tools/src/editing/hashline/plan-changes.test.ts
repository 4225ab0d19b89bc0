import { expect, test } from "vitest";
import { describeRejection } from "./guidance.ts";
import { applyChanges, linesOf, normaliseText } from "./lines.ts";
import { parseEdit } from "./parse-edit.ts";
import { planChanges } from "./plan-changes.ts";

/** What becomes of a text, or the refusal. */
function edit(text: string, operations: string): string {
  const parsed = parseEdit(`[a.ts#0A3B]\n${operations}`);
  if (!parsed.ok) return describeRejection(parsed.rejection);
  const planned = planChanges(
    parsed.sections.flatMap((section) => section.operations.filter((operation) => operation.kind !== "block")),
    linesOf(normaliseText(text)).length,
  );
  return planned.ok ? applyChanges(text, planned.changes) : describeRejection(planned.rejection);
}

const six = "1\n2\n3\n4\n5\n6\n";

test.each([
  ["a line becomes two", "SWAP 1.=1:\n+a\n+b", "a\nb\n2\n3\n4\n5\n6\n"],
  ["two lines go", "DEL 4.=5", "1\n2\n3\n6\n"],
  ["one gap, two names, written order", "INS.POST 4:\n+a\nINS.PRE 5:\n+b", "1\n2\n3\n4\na\nb\n5\n6\n"],
  ["the other written order", "INS.PRE 5:\n+b\nINS.POST 4:\n+a", "1\n2\n3\n4\nb\na\n5\n6\n"],
  ["a frame", "INS.HEAD:\n+a\nINS.TAIL:\n+b", "a\n1\n2\n3\n4\n5\n6\nb\n"],
  ["operations do not shift each other", "DEL 1.=2\nINS.POST 3:\n+a\nSWAP 6:\n+b\n+c", "3\na\n4\n5\nb\nc\n"],
  ["inserts at both borders of a range", "INS.PRE 3:\n+a\nSWAP 3.=4:\n+x\nINS.POST 4:\n+b", "1\n2\na\nx\nb\n5\n6\n"],
  ["everything goes", "DEL 1.=6", ""],
])("on a file of six lines: %s", (_, operations, expected) => {
  expect(edit(six, operations)).toBe(expected);
});

test.each([
  ["a missing final newline stays missing", "a\nb", "SWAP 1:\n+x", "x\nb"],
  ["also when a line comes after the last", "a\nb", "INS.POST 2:\n+c", "a\nb\nc"],
  ["also when the last line goes", "a\nb", "DEL 2", "a"],
  ["replacing the last line ends it", "a\nb", "SWAP 2:\n+b", "a\nb\n"],
  ["appending ends it", "a\nb", "INS.TAIL:\n+c", "a\nb\nc\n"],
  ["an existing one stays", "a\nb\n", "DEL 2", "a\n"],
  ["an empty file gets lines", "", "INS.HEAD:\n+a", "a\n"],
  ["carriage returns are kept and given to new lines", "a\r\nb\r\n", "INS.POST 1:\n+x\n+y", "a\r\nx\r\ny\r\nb\r\n"],
  ["mixed endings of other lines stay", "a\r\nb\nc\r\nd\r\n", "SWAP 3:\n+x", "a\r\nb\nx\r\nd\r\n"],
  ["old Macintosh endings", "a\rb\r", "SWAP 1:\n+x\n+y", "x\ry\rb\r"],
])("%s", (_, text, operations, expected) => {
  expect(edit(text, operations)).toBe(expected);
});

test("operations that cannot stand together or beyond the file are refused with both places", () => {
  const mistakes = [
    "SWAP 5.=3:\n+x",
    "SWAP 6.=7:\n+x",
    "INS.PRE 0:\n+x",
    "DEL 4\nSWAP 3.=4:\n+x",
    "SWAP 2:\n+x\nSWAP 2:\n+y",
    "SWAP 2.=4:\n+x\nINS.POST 2:\n+y",
    "INS.PRE 4:\n+y\nDEL 2.=4",
  ];
  expect(mistakes.map((operations) => edit(six, operations)).join("\n")).toMatchInlineSnapshot(`
    "Row 2: The range ends at 3, before it starts at 5. Write the smaller number first.
    Row 2: Line 7 does not exist: the tagged version has 6 lines, counted from 1. To append use INS.TAIL:.
    Row 2: Line 0 does not exist: the tagged version has 6 lines, counted from 1. To append use INS.TAIL:.
    Row 3: SWAP 3.=4 touches lines that DEL 4 in row 2 already changes. Use one operation per range, with only the final text as its body.
    Row 4: SWAP 2 touches lines that SWAP 2 in row 2 already changes. Use one operation per range, with only the final text as its body.
    Row 4: INS.POST 2 lies inside SWAP 2.=4 of row 2. Make it one SWAP of that range whose body is the final text.
    Row 2: INS.PRE 4 lies inside DEL 2.=4 of row 4. Make it one SWAP of that range whose body is the final text."
  `);
  expect(edit("x", "DEL 2")).toMatchInlineSnapshot(
    `"Row 2: Line 2 does not exist: the tagged version has 1 line, counted from 1. To append use INS.TAIL:."`,
  );
});
