/** Which shape a model gets. */
import { expect, test } from "vitest";
import { gridOf } from "./pages.ts";
import { type FrameModel, shapeFor, shapeNames } from "./shape.ts";

const chosen = (model: FrameModel, forced?: string) => {
  const { name, widthPx } = shapeFor(model, forced);
  return `${name} ${widthPx}`;
};

test.each<[string, string, string]>([
  ["claude-sonnet-4-5", "anthropic", "11on16-bw 1568"],
  ["claude-opus-4-7", "anthropic", "11on16-bw 1932"],
  ["anthropic/claude-opus-4.8", "openai-chat", "11on16-bw 1932"],
  ["gemini-3-pro", "google", "8on22-bw 2048"],
  ["google/gemini-3-flash", "openai-chat", "8on22-bw 2048"],
  ["gpt-5.4", "openai-responses", "8on22-bw 1568"],
  ["openai/gpt-5.4", "openai-chat", "8on22-bw 1568"],
  ["Kimi-K2.5", "openai-chat", "8on16-bw 1568"],
  ["glm-4.6v", "anthropic", "8on16-bw 1568"],
  ["house-model", "google", "8on22-bw 2048"],
  ["o3", "openai-responses", "8on22-bw 1568"],
  ["house-model", "openai-chat", "11on16-bw 1568"],
])("%s on %s", (id, wire, shape) => {
  expect(chosen({ id, provider: "p", wire })).toBe(shape);
});

test("a forced shape keeps the size of the model's frames; an unknown one counts as none", () => {
  expect(chosen({ id: "gemini-3-pro", provider: "google" }, "8x13-bw")).toBe("8x13-bw 2048");
  expect(chosen({ id: "gemini-3-pro", provider: "google" }, "toString")).toBe("8on22-bw 2048");
  expect(chosen({ id: "gemini-3-pro", provider: "google" }, "5x8")).toBe("5x8 2576");
});

test("every shape of the table has a layout that holds text", () => {
  const model = { id: "x", provider: "x" };
  expect(Object.fromEntries(shapeNames().map((name) => [name, gridOf(shapeFor(model, name)).characters]))).toEqual({
    "11on16-bw": 141 * 97,
    "8on22-bw": 195 * 70,
    "8on16-bw": 195 * 97,
    "8x13-bw": 195 * 120,
    "doc-8on16-bw": 96 * 97 * 2,
    "doc-8on16-sent": 96 * 97 * 2,
    "doc-8on16-sent-dim": 96 * 97 * 2,
    "6x12-dim": 260 * 130,
    "8x8u": 195 * 195,
    "8x8r": 195 * 97,
    "5x8": 513 * 321,
    "5x8-sent": 513 * 321,
  });
});
