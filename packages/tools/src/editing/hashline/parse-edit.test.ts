import { expect, test } from "vitest";
import { describeRejection } from "./guidance.ts";
import { parseEdit } from "./parse-edit.ts";

function refusal(input: string): string {
  const parsed = parseEdit(input);
  return parsed.ok ? "accepted" : describeRejection(parsed.rejection);
}

test("every operation of the strict form is understood", () => {
  const input = [
    "[src/a.ts#0A3B]",
    "SWAP 1.=2:",
    "+one",
    "+",
    "SWAP.BLK 4:",
    "++plus",
    "DEL 6.=7",
    "DEL.BLK 8",
    "INS.PRE 9:",
    "+-minus",
    "INS.POST 9:",
    "+  indented ",
    "INS.BLK.POST 10:",
    "+x",
    "INS.HEAD:",
    "+SWAP 1.=2:",
    "INS.TAIL:",
    "+[b.ts#0000]",
    "[b c.ts#FFFF]",
    "DEL 1.=1",
  ].join("\n");
  expect(parseEdit(input)).toEqual({
    ok: true,
    sections: [
      {
        row: 1,
        path: "src/a.ts",
        tag: "0A3B",
        operations: [
          { kind: "replace", verb: "SWAP", row: 2, first: 1, last: 2, body: ["one", ""] },
          { kind: "block", verb: "SWAP.BLK", row: 5, line: 4, body: ["+plus"] },
          { kind: "replace", verb: "DEL", row: 7, first: 6, last: 7, body: [] },
          { kind: "block", verb: "DEL.BLK", row: 8, line: 8, body: [] },
          { kind: "insert", verb: "INS.PRE", row: 9, line: 9, body: ["-minus"] },
          { kind: "insert", verb: "INS.POST", row: 11, line: 9, body: ["  indented "] },
          { kind: "block", verb: "INS.BLK.POST", row: 13, line: 10, body: ["x"] },
          { kind: "edge", verb: "INS.HEAD", row: 15, body: ["SWAP 1.=2:"] },
          { kind: "edge", verb: "INS.TAIL", row: 17, body: ["[b.ts#0000]"] },
        ],
      },
      {
        row: 19,
        path: "b c.ts",
        tag: "FFFF",
        operations: [{ kind: "replace", verb: "DEL", row: 20, first: 1, last: 1, body: [] }],
      },
    ],
  });
});

const swap = { kind: "replace", verb: "SWAP", row: 2, first: 3, last: 5, body: ["x"] };

test.each([
  ["one line", "SWAP 3:\n+x", { ...swap, last: 3 }],
  ["a missing colon", "SWAP 3.=5\n+x", swap],
  ["two dots", "SWAP 3..5:\n+x", swap],
  ["a hyphen", "SWAP 3-5:\n+x", swap],
  ["an ellipsis", "SWAP 3…5:\n+x", swap],
  ["a space", "SWAP 3 5:\n+x", swap],
  ["spaces around the separator", "SWAP 3 .= 5 :\n+x", swap],
  ["lower case", "swap 3.=5:\n+x", swap],
  ["blank rows before and after the body", "SWAP 3.=5:\n\n+x\n\n", swap],
  ["deletion of one line", "DEL 3", { ...swap, verb: "DEL", last: 3, body: [] }],
  ["an insert without colon", "ins.post 3\n+x", { kind: "insert", verb: "INS.POST", row: 2, line: 3, body: ["x"] }],
  ["an insert at the head without colon", "INS.HEAD\n+x", { kind: "edge", verb: "INS.HEAD", row: 2, body: ["x"] }],
  ["carriage returns", "SWAP 3.=5:\r\n+x\r\n", swap],
])("accepted with a plain meaning: %s", (_, operations, expected) => {
  expect(parseEdit(`[a.ts#0A3B]\n${operations}`)).toEqual({
    ok: true,
    sections: [{ row: 1, path: "a.ts", tag: "0A3B", operations: [expected] }],
  });
});

test("body rows without a plus sign are text, and the first of them is named", () => {
  expect(parseEdit("[a.toml#0A3B]\nSWAP 1:\n[package]\n  name = 1\n\nlast\n\nDEL 3")).toEqual({
    ok: true,
    bareRow: 3,
    sections: [
      {
        row: 1,
        path: "a.toml",
        tag: "0A3B",
        operations: [
          { kind: "replace", verb: "SWAP", row: 2, first: 1, last: 1, body: ["[package]", "  name = 1", "", "last"] },
          { kind: "replace", verb: "DEL", row: 8, first: 3, last: 3, body: [] },
        ],
      },
    ],
  });
});

test("a forgotten plus sign of an empty line between two body rows is added", () => {
  expect(parseEdit("[a#0A3B]\nINS.HEAD:\n+x\n\n+y")).toMatchObject({
    bareRow: 4,
    sections: [{ operations: [{ body: ["x", "", "y"] }] }],
  });
});

test.each([
  "[a.ts#0a3b]",
  "*** [a.ts#0A3B] ***",
  "*** Update File: a.ts#0A3B",
  "*** Update File: [a.ts#0A3B]",
  "[*** Add File: a.ts#0A3B]",
  "*** *** [a.ts#0A3B]",
  "\n*** Begin Patch\n[a.ts#0A3B]",
])("a polluted header counts as long as its tag is there: %s", (header) => {
  expect(parseEdit(`${header}\nDEL 1\n*** End Patch\n`)).toMatchObject({
    ok: true,
    sections: [{ path: "a.ts", tag: "0A3B", operations: [{ verb: "DEL" }] }],
  });
});

test("an envelope without its end was cut off, unless it was aborted", () => {
  const begun = "*** Begin Patch\n[a#0A3B]\nSWAP 1.=1:\n+x";
  expect(parseEdit(begun)).toEqual({ ok: false, rejection: { kind: "cutOff", row: 4, slots: {} } });
  expect(parseEdit(`${begun}\n*** End Patch`).ok).toBe(true);
  expect(parseEdit(`${begun}\n*** Abort`).ok).toBe(true);
});

test("what stands before an abort row is kept, what follows is not looked at", () => {
  expect(parseEdit("[a#0A3B]\nDEL 1\n*** Abort\n@@ nonsense")).toEqual({
    ok: true,
    sections: [
      {
        row: 1,
        path: "a",
        tag: "0A3B",
        operations: [{ kind: "replace", verb: "DEL", row: 2, first: 1, last: 1, body: [] }],
      },
    ],
  });
});

const header = "[a.ts#0A3B]\n";

test("each kind of mistake is answered by its row and its own guidance", () => {
  const mistakes = {
    "nothing at all": " \n",
    "no header": "SWAP 1.=1:\n+x",
    "header without tag": "[a.ts]\nDEL 1",
    "header with half a tag": "\n[a.ts#0A3]\nDEL 1",
    "patch header instead of a header": "*** Update File: a.ts\nDEL 1",
    "second header without tag": `${header}DEL 1\n[b.ts]\nDEL 1`,
    "section without operation": `${header}[b.ts#0A3B]\nDEL 1`,
    "patch words": `${header}DEL 1\n*** Delete File: b.ts`,
    "move words": `${header}*** Move to: b.ts`,
    "unified hunk": `${header}@@ -1,2 +3,4 @@ function x`,
    "other hunk": `${header}@@ class A @@\n+x`,
    "bare number": `${header}12`,
    "bare range": `${header}3-5:`,
    "body before any operation": `${header}+x`,
    "text before any operation": `${header}const x = 1;`,
    "minus row": `${header}SWAP 1:\n-old\n+new`,
    "no such operation": `${header}INS 4:\n+x`,
    "text beside the operation": `${header}SWAP 4: x`,
    "range for a block": `${header}DEL.BLK 4.=5`,
    "replacement without body": `${header}SWAP 4.=5:\nDEL 7`,
    "insert without body": `${header}INS.BLK.POST 4:\n`,
    "deletion with colon": `${header}DEL 4.=5:`,
    "deletion with body": `${header}DEL.BLK 4\n+x`,
    "deletion with bare body": `${header}DEL 4\nx`,
    "very long row": `${header}${"x".repeat(200)}`,
  };
  const answers = Object.entries(mistakes).map(([name, input]) => `${name}\n  ${refusal(input)}`);
  expect(answers.join("\n")).toMatchInlineSnapshot(`
    "nothing at all
      Row 1: Start with a header row [path#TAG], copied from the last read of the file. Found nothing instead.
    no header
      Row 1: Start with a header row [path#TAG], copied from the last read of the file. Found "SWAP 1.=1:" instead.
    header without tag
      Row 1: "[a.ts]" has no version. Copy the header [path#TAG] from the last read of the file; the tag is four hexadecimal digits. New files are made with write.
    header with half a tag
      Row 2: "[a.ts#0A3]" has no version. Copy the header [path#TAG] from the last read of the file; the tag is four hexadecimal digits. New files are made with write.
    patch header instead of a header
      Row 1: "*** Update File: a.ts" has no version. Copy the header [path#TAG] from the last read of the file; the tag is four hexadecimal digits. New files are made with write.
    second header without tag
      Row 3: "[b.ts]" has no version. Copy the header [path#TAG] from the last read of the file; the tag is four hexadecimal digits. New files are made with write.
    section without operation
      Row 1: [a.ts#0A3B] has no operation below it. Add one of SWAP, SWAP.BLK, DEL, DEL.BLK, INS.PRE, INS.POST, INS.BLK.POST, INS.HEAD, INS.TAIL, or remove the header.
    patch words
      Row 3: "*** Delete File: b.ts" is a word of a patch envelope and does not belong here. A section is [path#TAG] and then operations: SWAP, SWAP.BLK, DEL, DEL.BLK, INS.PRE, INS.POST, INS.BLK.POST, INS.HEAD, INS.TAIL. New files are made with write; delete and rename with the shell.
    move words
      Row 2: "*** Move to: b.ts" is a word of a patch envelope and does not belong here. A section is [path#TAG] and then operations: SWAP, SWAP.BLK, DEL, DEL.BLK, INS.PRE, INS.POST, INS.BLK.POST, INS.HEAD, INS.TAIL. New files are made with write; delete and rename with the shell.
    unified hunk
      Row 2: "@@ -1,2 +3,4 @@ function x" is the header of a unified diff. Write a verb header instead, such as SWAP N.=M: with the new lines below it, each beginning with +.
    other hunk
      Row 2: "@@ class A @@": drop the @@ brackets and write a verb header, such as SWAP N.=M: or INS.POST N:.
    bare number
      Row 2: The number 12 needs a verb: SWAP 12.=12: with the new lines below it, or DEL 12. If it is text of a body, write +12.
    bare range
      Row 2: The range needs a verb: SWAP 3.=5: with the new lines below it, or DEL 3.=5.
    body before any operation
      Row 2: "+x" stands before any operation. Put a verb header above it, such as SWAP N.=M:, INS.PRE N: or INS.POST N:.
    text before any operation
      Row 2: "const x = 1;" stands before any operation. Put a verb header above it, such as SWAP N.=M:, INS.PRE N: or INS.POST N:.
    minus row
      Row 3: "-old" begins with a minus. The ranges already name what goes, so old lines are never written. For a line of text that begins with a minus write +-….
    no such operation
      Row 2: "INS 4:" is not an operation. The forms are SWAP N.=M:  SWAP.BLK N:  DEL N.=M  DEL.BLK N  INS.PRE N:  INS.POST N:  INS.BLK.POST N:  INS.HEAD:  INS.TAIL: and the body stands in the rows below, each beginning with +.
    text beside the operation
      Row 2: "SWAP 4: x" is not an operation. The forms are SWAP N.=M:  SWAP.BLK N:  DEL N.=M  DEL.BLK N  INS.PRE N:  INS.POST N:  INS.BLK.POST N:  INS.HEAD:  INS.TAIL: and the body stands in the rows below, each beginning with +.
    range for a block
      Row 2: "DEL.BLK 4.=5" is not an operation. The forms are SWAP N.=M:  SWAP.BLK N:  DEL N.=M  DEL.BLK N  INS.PRE N:  INS.POST N:  INS.BLK.POST N:  INS.HEAD:  INS.TAIL: and the body stands in the rows below, each beginning with +.
    replacement without body
      Row 2: SWAP needs at least one body row beginning with + (+ alone is an empty line). To remove lines use DEL or DEL.BLK.
    insert without body
      Row 2: INS.BLK.POST needs at least one body row beginning with + (+ alone is an empty line). To remove lines use DEL or DEL.BLK.
    deletion with colon
      Row 2: DEL takes no colon and no body. Remove them, or use SWAP to put other lines in place.
    deletion with body
      Row 3: DEL.BLK takes no colon and no body. Remove them, or use SWAP.BLK to put other lines in place.
    deletion with bare body
      Row 3: DEL takes no colon and no body. Remove them, or use SWAP to put other lines in place.
    very long row
      Row 2: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" stands before any operation. Put a verb header above it, such as SWAP N.=M:, INS.PRE N: or INS.POST N:."
  `);
});
