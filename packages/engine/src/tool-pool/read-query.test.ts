import { expect, test } from "vitest";
import { readQuery } from "./read-query.ts";

const isToolName = (name: string) => name === "mcp__git__log";

test.each([
  ["select:a,b", { kind: "select", names: ["a", "b"] }],
  ["select: a , ,a,b ", { kind: "select", names: ["a", "b"] }],
  ["select:", { kind: "select", names: [] }],
  ["mcp__git__log", { kind: "select", names: ["mcp__git__log"] }],
  ["mcp__git__", { kind: "prefix", prefix: "mcp__git__" }],
  ["mcp__gi", { kind: "prefix", prefix: "mcp__gi" }],
  ["mcp__git__ show  history", { kind: "words", words: "show history", required: [], prefix: "mcp__git__" }],
  ["+slack send", { kind: "words", words: "send", required: ["slack"], prefix: "" }],
  ["c++ + build", { kind: "words", words: "c++ + build", required: [], prefix: "" }],
] as const)("%s", (text, query) => {
  expect(readQuery(text, isToolName)).toEqual(query);
});
