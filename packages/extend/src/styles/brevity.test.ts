/** The levels of brevity, and what each tells the model. */
import { expect, test } from "vitest";
import { makeDefinition } from "../definitions/make-definition.ts";
import { brevityLevel, brevityLevels, brevityStyle } from "./brevity.ts";
import { styleText } from "./output-style.ts";

test.each([
  ["", "full"],
  ["LITE", "lite"],
  ["wenyan", "wenyan-full"],
  ["nothing", undefined],
])("/brief %s", (word, level) => {
  expect(brevityLevel(word)).toBe(level);
});

test("every level names what stays exact, when to write normally, and one pair of examples", () => {
  for (const level of brevityLevels) {
    const { name, text } = brevityStyle(level);
    expect(name).toBe(level);
    expect(text).toMatch(/commit messages[\s\S]*cannot be undone/);
    expect(text).toMatch(/Not: [\s\S]*But: /);
    expect(text.length).toBeLessThan(1_200);
  }
});

test("an output style is found by its name in any case", () => {
  const place = { source: "native", tier: "user", folder: "/h" } as const;
  const text = "---\nname: Plain Words\n---\nNo jargon.";
  const made = makeDefinition({ kind: "style", place, file: "/h/x.md", directory: "/h", text, nameOfFile: "x" });
  const styles = made.ok ? [made.definition] : [];
  expect(styleText("plain words", styles)).toEqual({
    name: "Plain-Words",
    text: expect.stringMatching(/^Output style "Plain-Words"[\s\S]*No jargon\.$/),
  });
  expect(styleText("other", styles)).toBeUndefined();
});
