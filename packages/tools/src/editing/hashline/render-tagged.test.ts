import { expect, test } from "vitest";
import { renderCompactDiff } from "./compact-diff.ts";
import { stripTagged, tagRow } from "./render-tagged.ts";

test("a search marks matches and indents what surrounds them", () => {
  expect([tagRow(3, "x", "*"), tagRow(4, "y", " ")]).toEqual(["*3:x", " 4:y"]);
});

test.each([
  ["[a.ts#0A3B]\n1:one\n2: two:2\n", "one\n two:2\n"],
  ["1:one\n2:\n3:three", "one\n\nthree"],
  ["[a.ts#0A3B]\n*7:x\n 8:y\n", "x\ny\n"],
  ["1:one\ntwo\n", undefined],
  ["[a.ts#0A3B]\n", undefined],
  ["[a.ts#0A3B]\nplain\n", undefined],
  ["", undefined],
  ["plain\n", undefined],
])("pasted marks come off only if every line has them: %j", (content, expected) => {
  expect(stripTagged(content)).toBe(expected);
});

test("a short diff gives old numbers to what went and new ones to what is there", () => {
  const before = ["1", "2", "3", "4", "5", "6", "7", "8"];
  const changes = [
    { index: 1, removed: 1, added: ["a", "b"] },
    { index: 2, removed: 0, added: ["c"] },
    { index: 6, removed: 2, added: [] },
  ];
  expect(renderCompactDiff(before, changes).split("\n")).toEqual([
    " 1:1",
    "-2:2",
    "+2:a",
    "+3:b",
    "+4:c",
    " 5:3",
    "…",
    " 8:6",
    "-7:7",
    "-8:8",
  ]);
});

test("a short diff stays short", () => {
  const added = Array.from({ length: 100 }, (_, index) => `${index}`);
  const rows = renderCompactDiff(["x"], [{ index: 0, removed: 0, added }]).split("\n");
  expect([rows.length, rows.at(-1)]).toEqual([61, "… 41 more rows"]);
});
