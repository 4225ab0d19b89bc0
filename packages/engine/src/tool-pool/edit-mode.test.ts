import { expect, test } from "vitest";
import { editModeFor } from "./edit-mode.ts";

test.each([
  ["claude-opus-5", {}, "replace"],
  ["gpt-5.2-codex", {}, "patch"],
  ["openai/GPT-5", {}, "patch"],
  ["gpt-4.1", {}, "replace"],
  ["gpt-oss-120b", {}, "replace"],
  ["gpt-5", { mode: "hashline" }, "hashline"],
  ["gpt-5", { mode: "replace", modes: { "gpt-*": "hashline" } }, "hashline"],
  ["qwen3", { modes: { "gpt-*": "hashline" } }, "replace"],
] as const)("%s with %j edits by %s", (id, choice, mode) => {
  expect(editModeFor(id, choice)).toBe(mode);
});
