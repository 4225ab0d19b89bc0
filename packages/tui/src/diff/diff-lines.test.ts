import { type DiffFile, readUnifiedDiff } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { formatPatch, structuredPatch } from "diff";
import { describe, expect, it } from "vitest";
import { diffLines } from "./diff-lines.ts";

describe("the diff of two texts", () => {
  it("says the same as the texts it was made of", () => {
    const random = createSeededRandom();
    const text = () =>
      Array.from(
        { length: random.below(25) },
        () => `${["a", "b", "-- x", "++ y", "", "@@ -1 +1 @@"][random.below(6)]}\n`,
      ).join("");
    for (let round = 0; round < 300; round++) {
      const before = text();
      const after = text();
      const patch = formatPatch(structuredPatch("a/f", "b/f", before, after, "", "", { context: 3 }));
      const lines = (files: readonly DiffFile[]) => files.flatMap(({ hunks }) => hunks.map((hunk) => hunk.lines));
      expect(lines(readUnifiedDiff(patch).files), `seed ${random.seed}`).toEqual(lines([diffLines(before, after)]));
    }
  });

  it("of texts that have nothing in common is one replaced by the other", () => {
    const lines = (word: string) => Array.from({ length: 800 }, (_, index) => `${word} ${index}\n`).join("");
    const { hunks } = diffLines(lines("old"), lines("new"));
    expect(hunks.map((hunk) => [hunk.lines.length, hunk.lines.at(0), hunk.lines.at(-1)])).toEqual([
      [1600, { kind: "removed", text: "old 0", oldNumber: 1 }, { kind: "added", text: "new 799", newNumber: 800 }],
    ]);
  });
});
