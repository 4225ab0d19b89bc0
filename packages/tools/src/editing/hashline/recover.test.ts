import { expect, test } from "vitest";
import type { LineChange } from "./lines.ts";
import type { PlainOperation } from "./operations.ts";
import { recoverEdit } from "./recover.ts";

const text = (words: string) => words.replaceAll(" ", "\n").concat("\n");

function swap(first: number, last = first, body: readonly string[] = ["new"]): PlainOperation {
  return { kind: "replace", verb: "SWAP", row: 2, first, last, body };
}

type Case = {
  readonly tagged: string;
  readonly present: string;
  readonly ownEdits?: readonly (readonly LineChange[])[];
};

const recover = ({ tagged, present, ownEdits }: Case, ...operations: readonly PlainOperation[]) =>
  recoverEdit({ operations, tagged: text(tagged), present: text(present), ownEdits });

test("a foreign change elsewhere is merged", async () => {
  expect(await recover({ tagged: "a b c d", present: "a a2 b c d" }, swap(3))).toEqual({
    kind: "external",
    changes: [{ index: 3, removed: 1, added: ["new"] }],
  });
});

test("a foreign change that merely touches ours is a conflict", async () => {
  expect(await recover({ tagged: "a b c d", present: "a b2 c d" }, swap(3))).toBeUndefined();
  expect(await recover({ tagged: "a b c d", present: "a b c x d" }, swap(3))).toBeUndefined();
  const append: PlainOperation = { kind: "edge", verb: "INS.TAIL", row: 2, body: ["new"] };
  expect(await recover({ tagged: "a b c d", present: "a b c d e" }, append)).toBeUndefined();
});

test("lines typed again unchanged do not stand in the way of a foreign change", async () => {
  const case1 = { tagged: "a b c d e", present: "a b2 c d e" };
  expect(await recover(case1, swap(2, 4, ["b", "c", "new"]))).toEqual({
    kind: "external",
    changes: [{ index: 3, removed: 1, added: ["new"] }],
  });
});

test("among equal lines it is not guessed which one is left", async () => {
  expect(await recover({ tagged: "x x y", present: "x y" }, swap(1))).toBeUndefined();
});

test("lines that stand between the same neighbours in one place only are edited there", async () => {
  expect(await recover({ tagged: "a b c d e f g h", present: "e f g h b c d" }, swap(3))).toEqual({
    kind: "session-replay",
    changes: [{ index: 5, removed: 1, added: ["new"] }],
  });
});

test("lines found twice are not edited", async () => {
  expect(await recover({ tagged: "a b c d e f g h", present: "e f g h b c d i b c d" }, swap(3))).toBeUndefined();
});

test("the one place left is not edited if it may be the other one", async () => {
  expect(await recover({ tagged: "b c d 1 2 3 4 5 b c d", present: "0 1 2 3 4 5 b c d" }, swap(2))).toBeUndefined();
});

test("lines of a range are carried over own edits beside it, not inside it", async () => {
  const beside = { tagged: "a b c d", present: "a x b c d", ownEdits: [[{ index: 1, removed: 0, added: ["x"] }]] };
  expect(await recover(beside, swap(2, 3))).toEqual({
    kind: "session-chain",
    changes: [{ index: 2, removed: 2, added: ["new"] }],
  });
  const inside = { tagged: "a b c d", present: "a b x c d", ownEdits: [[{ index: 2, removed: 0, added: ["x"] }]] };
  expect(await recover(inside, swap(2, 3))).toBeUndefined();
});

test("a line that is not where the record of own edits puts it is not edited", async () => {
  expect(await recover({ tagged: "a b c", present: "a x c", ownEdits: [[]] }, swap(2))).toBeUndefined();
});
