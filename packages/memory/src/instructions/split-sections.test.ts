/** Which sections of an instruction file serve one part of a project, and which do not. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ruleTextOf, sectionsForOnePlace } from "./split-sections.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kedge-split-"));
  for (const path of ["packages/web/src", "packages/api", "docs"]) mkdirSync(join(root, path), { recursive: true });
  writeFileSync(join(root, "packages/web/src/app.ts"), "");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const filler = "More about it, in words that name no file. ".repeat(6);
const found = (text: string) =>
  sectionsForOnePlace(text, root).map(({ title, line, patterns }) => [title, line, ...patterns]);

test.each([
  ["one file", "Start with `packages/web/src/app.ts`.", ["packages/web/src/**"]],
  ["two files of one package", "See packages/web/src/app.ts and `packages/web`.", ["packages/web/**"]],
  ["a pattern of one directory", "All of `packages/api/*.ts`, and packages/api.", ["packages/api/**"]],
  ["an ending", "Tests are `*.test.ts`, never `*.test.ts` elsewhere.", ["**/*.test.ts"]],
  ["two places", "packages/web and docs/ belong together.", undefined],
  ["nothing that exists", "Use and/or, see https://example.com/docs/x and a/b.", undefined],
  ["a way out", "See ../packages/web or packages/../docs.", undefined],
  ["nothing at all", "Be kind.", undefined],
])("%s", (_, sentence, patterns) => {
  const text = `# Project\n\nIntro.\n\n## Part\n${sentence}\n${filler}\n`;
  expect(found(text)).toEqual(patterns === undefined ? [] : [["Part", 5, ...patterns]]);
});

test("headings in code are none, deeper ones belong to their section, and a first-level one ends it", () => {
  const text = `## Web\n\`\`\`sh\n## packages/api\n\`\`\`\n### More\npackages/web ${filler}\n# Other\ndocs/ ${filler}\n`;
  const [section, ...others] = sectionsForOnePlace(text, root);
  expect(others).toEqual([]);
  expect(section).toMatchObject({ title: "Web", patterns: ["packages/**"] });
  expect(section?.text).not.toContain("# Other");
  expect(section === undefined ? "" : ruleTextOf(section)).toMatch(
    /^---\npaths:\n {2}- "packages\/\*\*"\n---\n## Web\n[\s\S]*[^\n]\n$/,
  );
});

test("a short section stays where it is", () => {
  expect(found("## Web\nSee packages/web.\n")).toEqual([]);
});
