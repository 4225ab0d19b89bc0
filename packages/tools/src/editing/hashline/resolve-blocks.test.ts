import { expect, test } from "vitest";
import { describeRejection } from "./guidance.ts";
import type { BlockOperation } from "./operations.ts";
import { type ResolveBlock, resolveBlocks } from "./resolve-blocks.ts";

const text = "before();\nfunction a() {\n  b();\n}\nconst c = 1;\n";

/** Knows the two blocks of the text above. */
const resolveBlock: ResolveBlock = async (_path, _text, line) => {
  if (line === 2) return { ok: true, first: 2, last: 4 };
  if (line === 5) return { ok: true, first: 5, last: 5 };
  return { ok: false, reason: "closing", detail: `Line ${line} begins nothing.` };
};

function block(verb: BlockOperation["verb"], line: number): BlockOperation {
  return { kind: "block", verb, row: 2, line, body: verb === "DEL.BLK" ? [] : ["x"] };
}

test("blocks become ranges, and each is echoed", async () => {
  const operations = [block("SWAP.BLK", 2), block("DEL.BLK", 5), block("INS.BLK.POST", 2)];
  expect(await resolveBlocks({ path: "a.ts", text, operations, resolveBlock })).toEqual({
    ok: true,
    operations: [
      { kind: "replace", verb: "SWAP", row: 2, first: 2, last: 4, body: ["x"] },
      { kind: "replace", verb: "DEL", row: 2, first: 5, last: 5, body: [] },
      { kind: "insert", verb: "INS.POST", row: 2, line: 4, body: ["x"] },
    ],
    echoes: [
      "SWAP.BLK 2: lines 2.=4 (3 lines)",
      "DEL.BLK 5: line 5 (1 line)",
      "INS.BLK.POST 2: lines 2.=4 (3 lines), body after line 4",
    ],
    warnings: [],
  });
});

test("an insert after a line that only closes a block needs no syntax and warns", async () => {
  const operations = [block("INS.BLK.POST", 4)];
  expect(await resolveBlocks({ path: "a.ts", text, operations, resolveBlock: undefined })).toEqual({
    ok: true,
    operations: [{ kind: "insert", verb: "INS.POST", row: 2, line: 4, body: ["x"] }],
    echoes: [],
    warnings: ["Row 2: line 4 only closes a block, so INS.BLK.POST 4 was taken as INS.POST 4."],
  });
});

test("a block that cannot be found is refused with the plain form and the lines around it", async () => {
  const refusal = async (operation: BlockOperation, resolver: ResolveBlock | undefined = resolveBlock) => {
    const resolved = await resolveBlocks({ path: "a.ts", text, operations: [operation], resolveBlock: resolver });
    return resolved.ok ? "accepted" : describeRejection(resolved.rejection);
  };
  expect(await refusal(block("SWAP.BLK", 3))).toBe(
    "Row 2: SWAP.BLK 3: Line 3 begins nothing. Use SWAP 3.=M: with an explicit last line instead.\n" +
      " 1:before();\n 2:function a() {\n*3:  b();\n 4:}\n 5:const c = 1;",
  );
  expect(await refusal(block("DEL.BLK", 4))).toMatch(/^Row 2: DEL\.BLK 4: Line 4 begins nothing\. Use DEL 4\.=M with/);
  expect(await refusal(block("INS.BLK.POST", 1))).toMatch(
    /Use INS\.POST M: with an explicit last line instead\.\n\*1:/,
  );
  expect(await refusal(block("SWAP.BLK", 6))).toBe(
    "Row 2: Line 6 does not exist: the tagged version has 5 lines, counted from 1. To append use INS.TAIL:.",
  );
  const unable: ResolveBlock = async () => ({ ok: false, reason: "no grammar" });
  expect(await refusal(block("SWAP.BLK", 1), unable)).toMatch(/^Row 2: SWAP\.BLK 1: no grammar\. Use SWAP 1\.=M:/);
});
