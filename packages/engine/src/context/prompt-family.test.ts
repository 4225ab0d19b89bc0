import { expect, test } from "vitest";
import { promptFamily } from "./prompt-family.ts";

test.each([
  ["claude-sonnet-4-6", "anthropic"],
  ["us.anthropic.claude-opus-4-6-v1:0", "anthropic"],
  ["gpt-5.2-codex", "codex"],
  ["GPT-4-codex-preview", "codex"],
  ["openai/gpt-4.1", "beast"],
  ["o3", "beast"],
  ["o3-mini", "beast"],
  ["openai/o1-pro", "beast"],
  ["pro3-solo1", "default"],
  ["gpt-5.2", "gpt"],
  ["gpt-oss-120b", "gpt"],
  ["gemini-3-pro", "gemini"],
  ["arcee/trinity-large", "trinity"],
  ["qwen3-coder", "default"],
  ["", "default"],
])("%s gets %s", (id, family) => {
  expect(promptFamily(id)).toBe(family);
});
