/** Proves which command a typed word stands for. */
import { expect, test } from "vitest";
import { findCommandName } from "./command-name.ts";

const known = [
  { name: "compact" },
  { name: "cost", aliases: ["usage"] },
  { name: "mode" },
  { name: "model" },
  { name: "tmux" },
  { name: "cost", aliases: [] },
];

test.each([
  ["cost", "cost"],
  ["usage", "cost"],
  ["mode", "mode"],
  ["mod", "/mod may be /mode, /model."],
  ["cos", "cost"],
  ["tm", "tmux"],
  ["co", "/co may be /compact, /cost."],
  ["us", "Unknown command /us. Did you mean /usage?"],
  ["zz", "Unknown command /zz. List commands with /help."],
  ["compcat", "Unknown command /compcat. Did you mean /compact?"],
  ["tmp", "path"],
])("%s stands for %s", (word, meant) => {
  const found = findCommandName(word, known);
  expect(found.kind === "found" ? found.command.name : found.kind === "path" ? "path" : found.sentence).toBe(meant);
});
