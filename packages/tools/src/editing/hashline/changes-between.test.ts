import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { changesBetween } from "./changes-between.ts";
import { applyChanges } from "./lines.ts";

test("places that changed apart are changes of their own", async () => {
  expect(await changesBetween("a\nb\nc\nd\n", "a\nx\ny\nc\nd\ne\n")).toEqual([
    { index: 1, removed: 1, added: ["x", "y"] },
    { index: 4, removed: 0, added: ["e"] },
  ]);
  expect(await changesBetween("a\n", "a\n")).toEqual([]);
  expect(await changesBetween("", "a\n")).toEqual([{ index: 0, removed: 0, added: ["a"] }]);
  expect(await changesBetween("a\nb\n", "")).toEqual([{ index: 0, removed: 2, added: [] }]);
});

test("texts that have little in common are one change", async () => {
  const before = Array.from({ length: 1_500 }, (_, index) => `old ${index}\n`).join("");
  const after = Array.from({ length: 1_500 }, (_, index) => `new ${index}\n`).join("");
  expect(await changesBetween(before, after)).toHaveLength(1);
});

test("the changes turn one text into the other", async () => {
  const random = createSeededRandom();
  const draw = () => Array.from({ length: random.below(12) }, () => `${"abc"[random.below(3)]}\n`).join("");
  for (let round = 0; round < 500; round += 1) {
    const [before, after] = [draw(), draw()];
    expect(applyChanges(before, await changesBetween(before, after)), `seed ${random.seed}`).toBe(after);
  }
});
