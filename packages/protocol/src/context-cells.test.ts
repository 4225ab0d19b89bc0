/** The budget of a window by cell, and the remedy for the largest. */
import { expect, test } from "vitest";
import { contextCells } from "./context-cells.ts";

const sources = [
  { kind: "policy", tokens: 3 },
  { kind: "instruction", tokens: 40 },
  { kind: "data", tokens: 5 },
  { kind: "reminder", tokens: 1 },
] as const;
const parts = [
  { name: "tool definitions", tokens: 9 },
  { name: "tool output", tokens: 20 },
  { name: "prompts", tokens: 2 },
];

test("every part has one cell, and the largest is named with what to do", () => {
  expect(contextCells({ tokens: 80, windowTokens: 200, sources, parts })).toEqual({
    cells: [
      { name: "system", tokens: 3 },
      { name: "tools", tokens: 9 },
      { name: "instructions", tokens: 40 },
      { name: "memory", tokens: 5 },
      { name: "history", tokens: 3 },
      { name: "tool output", tokens: 20 },
      { name: "free", tokens: 120 },
    ],
    advice: expect.stringMatching(/^Largest: instructions\. List the files with \/memory/),
  });
});

test("nothing is advised for a window that is nearly empty, and an overfull one has nothing free", () => {
  expect(contextCells({ tokens: 10, windowTokens: 200, sources, parts }).advice).toBeUndefined();
  const full = contextCells({ tokens: 300, windowTokens: 200, sources, parts });
  expect(full.cells.some(({ name }) => name === "free")).toBe(false);
});
