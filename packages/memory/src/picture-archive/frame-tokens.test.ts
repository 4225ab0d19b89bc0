/** The numbers that vendors state for pictures of our sizes. */
import { expect, test } from "vitest";
import { framesMaxFor, frameTokens } from "./frame-tokens.ts";
import { type FrameModel, shapeFor } from "./shape.ts";

const full = (model: FrameModel) => {
  const { widthPx, heightPxMax } = shapeFor(model);
  return frameTokens({ width: widthPx, height: heightPxMax }, model);
};

test.each<[FrameModel, number]>([
  [{ id: "claude-sonnet-4-5", provider: "anthropic", wire: "anthropic" }, 1_568],
  [{ id: "claude-opus-4-7", provider: "anthropic", wire: "anthropic" }, 4_761],
  [{ id: "claude-sonnet-5", provider: "anthropic", wire: "anthropic" }, 56 * 56],
  [{ id: "anthropic/claude-opus-4.7", provider: "openrouter", wire: "openai-chat" }, 4_761],
  [{ id: "gemini-3-pro", provider: "google", wire: "google" }, 1_120],
  [{ id: "gemini-2.5-pro", provider: "google", wire: "google" }, 9 * 258],
  [{ id: "gpt-5.4", provider: "openai", wire: "openai-responses" }, 49 * 49],
  [{ id: "gpt-5.2", provider: "openai", wire: "openai-responses" }, 1_536],
  [{ id: "gpt-5-mini", provider: "openai", wire: "openai-responses" }, 2_489],
  [{ id: "gpt-5", provider: "openai", wire: "openai-responses" }, 70 + 4 * 140],
  [{ id: "gpt-4o", provider: "openai", wire: "openai-chat" }, 85 + 4 * 170],
  [{ id: "o3", provider: "openai", wire: "openai-responses" }, 75 + 4 * 150],
  [{ id: "kimi-k2.5", provider: "moonshot", wire: "openai-chat" }, 56 * 56],
  [{ id: "glm-4.6v", provider: "zai", wire: "openai-chat" }, 56 * 56],
  [{ id: "house-model", provider: "acme", wire: "openai-chat" }, 56 * 56],
])("a full frame for %o", (model, tokens) => {
  expect(full(model)).toBe(tokens);
});

test("a low frame costs less", () => {
  const model = { id: "claude-sonnet-4-5", provider: "anthropic", wire: "anthropic" };
  expect(frameTokens({ width: 1_568, height: 40 }, model)).toBe(56 * 2);
});

test("a picture over the edge is shrunk first", () => {
  const model = { id: "claude-sonnet-4-5", provider: "anthropic", wire: "anthropic" };
  expect(frameTokens({ width: 3_136, height: 56 }, model)).toBe(56);
});

test("frames in a request", () => {
  expect(framesMaxFor({ id: "x", provider: "anthropic" })).toBe(8);
  expect(framesMaxFor({ id: "x", provider: "company", wire: "google" })).toBe(8);
  expect(framesMaxFor({ id: "x", provider: "acme", wire: "openai-chat" })).toBe(5);
});
