import { withoutPlaceholder } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { createTextFilter } from "./text-filter.ts";

function through(pieces: readonly string[]): readonly string[] {
  const admissions = createTextFilter();
  return pieces.map((piece) => admissions.add(piece));
}

test.each([
  [["."], [""]],
  [
    [" ", "…", "\n..."],
    ["", "", ""],
  ],
  [
    ["...", " wait"],
    ["", "... wait"],
  ],
  [
    ["  hello", " ", "\n", "world. ", "."],
    ["hello", "", "", " \nworld.", " ."],
  ],
])("%j is let through as %j", (pieces, shown) => {
  expect(through(pieces)).toEqual(shown);
});

test("whatever the pieces, what is shown is the text without placeholder", () => {
  const { seed, below } = createSeededRandom();
  const randomPiece = () => Array.from({ length: below(4) }, () => [".", " ", "…", "\n", "a"][below(5)]).join("");
  for (let round = 0; round < 500; round += 1) {
    const pieces = Array.from({ length: below(6) }, randomPiece);
    expect(through(pieces).join(""), `seed ${seed}, round ${round}`).toBe(withoutPlaceholder(pieces.join("")));
  }
});
