/** The frontmatter of rules, in every form that people write it in. */
import { expect, test } from "vitest";
import { splitFrontmatter } from "./frontmatter.ts";

const patternsOf = (yaml: string) => splitFrontmatter(`---\n${yaml}\n---\nBody.`);

test.each([
  ["paths: src/**", ["src/**"]],
  ['paths: "src/**"', ["src/**"]],
  ["paths: a.ts, b.ts", ["a.ts", "b.ts"]],
  ["paths: [a.ts, 'b c.ts']", ["a.ts", "b c.ts"]],
  ['paths:\n  - a.ts\n  - "b.ts"  # the second', ["a.ts", "b.ts"]],
  ["description: x\npaths:\n- a.ts\nother: y", ["a.ts"]],
  ['applyTo: "**/*.ts,**/*.tsx"', ["**/*.ts", "**/*.tsx"]],
  ["paths: src/*.{ts,tsx}", ["src/*.{ts,tsx}"]],
  ["globs: *.rs", ["*.rs"]],
  ["paths: **/*.ts, !**/*.test.ts", ["**/*.ts", "!**/*.test.ts"]],
  ["paths: {src,lib}/**/*.ts, tests/**", ["{src,lib}/**/*.ts", "tests/**"]],
  ["paths:\n  - **/*.py\n  - !skip.py", ["**/*.py", "!skip.py"]],
])("%s", (yaml, patterns) => {
  expect(patternsOf(yaml)).toEqual({ body: "Body.", patterns });
});

test.each(["paths: [a", "paths: 'a", "paths: {a: b}", "paths: |\n  a", "paths:\n  a: b", "]["])(
  "what is not understood loses the condition, not the rule: %s",
  (yaml) => {
    const { body, patterns, problem } = patternsOf(yaml);
    expect({ body, patterns }).toEqual({ body: "Body.", patterns: undefined });
    expect(problem).toMatch(/^the frontmatter cannot be read/);
  },
);

test("a file without it, with an empty one, and one that is never closed stay as they are", () => {
  expect(splitFrontmatter("Body.")).toEqual({ body: "Body." });
  expect(splitFrontmatter("---\n---\nBody.")).toEqual({ body: "Body." });
  expect(splitFrontmatter("---\npaths: a\nBody.")).toEqual({ body: "---\npaths: a\nBody." });
  expect(patternsOf("title: x")).toEqual({ body: "Body." });
});
