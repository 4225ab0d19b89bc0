/** A shortened text passes only with every exact thing of the original in it. */
import { expect, test } from "vitest";
import { compareCompressed } from "./compare-compressed.ts";

const original = `# Build

You should always make sure to run \`npm test\` before you commit, because 3 checks depend on it.
See https://example.com/docs/a?b=1 and the file src/build/run.ts for details, or README.md.

$ make all

\`\`\`sh
rm -rf dist   # 42
\`\`\`
`;

test("prose may change", () => {
  const shorter = original
    .replace("You should always make sure to run", "Run")
    .replace("before you commit, because 3 checks depend on it.", "before commit: 3 checks need it.")
    .replace("for details, or", "or");
  expect(shorter.length).toBeLessThan(original.length);
  expect(compareCompressed(original, shorter)).toEqual([]);
});

test.each<readonly [kind: string, from: string, to: string]>([
  ["heading", "# Build", "# Compile"],
  ["inline code", "`npm test`", "`npm t`"],
  ["number", "3 checks", "4 checks"],
  ["URL", "a?b=1", "a?b=2"],
  ["path", "src/build/run.ts", "src/run.ts"],
  ["path", "or README.md", "or the readme"],
  ["command", "$ make all", "$ make"],
  ["code block", "rm -rf dist", "rm dist"],
  ["inline code", "`npm test`", "npm test"],
])("a changed %s is a loss", (kind, from, to) => {
  expect(compareCompressed(original, original.replace(from, to)).map((loss) => loss.kind)).toContain(kind);
});

test("what was said twice must be said twice", () => {
  expect(compareCompressed("`a` and `a`", "`a`")).toEqual([{ kind: "inline code", missing: ["`a`"], added: [] }]);
});
