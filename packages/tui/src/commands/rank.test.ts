/** How well an item matches decides first, and then its place in the list. */
import { expect, test } from "vitest";
import { rank } from "./rank.ts";

const items = [
  { label: "/tree", keywords: "shows the places" },
  { label: "/model", keywords: "models changes the model" },
  { label: "/mode", keywords: "changes the permission mode" },
  { label: "/redo", keywords: "brings it again" },
  { label: "/permissions", keywords: "approvals" },
  { label: "Fix the mode line", keywords: "session" },
  { label: "日本語のテーマ" },
];

test.each([
  ["", items.map(({ label }) => label)],
  ["mode", ["/mode", "/model", "Fix the mode line"]],
  ["/mode", ["/mode", "/model", "Fix the mode line"]],
  ["mo", ["/model", "/mode", "Fix the mode line", "/permissions"]],
  ["MODELS", ["/model"]],
  ["approvals", ["/permissions"]],
  ["appr", ["/permissions"]],
  ["rdo", ["/redo"]],
  ["line fix", ["Fix the mode line"]],
  ["permission", ["/permissions", "/mode"]],
  ["テーマ", ["日本語のテーマ"]],
  ["zz", []],
])("what %j finds", (query, labels) => {
  expect(rank(items, query).map(({ label }) => label)).toEqual(labels);
});

test("a whole word of the other names is better than one in the middle of the label", () => {
  const list = [{ label: "Start a new session" }, { label: "/clear", keywords: "new reset" }];
  expect(rank(list, "new").map(({ label }) => label)).toEqual(["/clear", "Start a new session"]);
});

test("among equals the order of the list stays", () => {
  const recentFirst = [{ label: "/mode" }, { label: "/model" }, { label: "/more" }];
  expect(rank(recentFirst, "mo")).toEqual(recentFirst);
  expect(rank(recentFirst.toReversed(), "mo")).toEqual(recentFirst.toReversed());
});
