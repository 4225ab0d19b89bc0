/** No text a person reads falls back into words that no technical writer uses. Comments and texts for the model are not read here. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");

const banned: readonly RegExp[] = [
  /\bgo(?:es)? on with\b/i,
  /\b(?:brings|takes|taken|take) (?:it )?(?:again|back)\b/i,
  /\bmend(?:s|ed|ing)?\b/i,
  /\bwhom\b/i,
  /\banew\b/i,
  /\b(?:is|are|was|were) dear\b/i,
  /\b(?:is|are) told\b/i,
  /\bleft in peace\b/i,
  /\bcannot be had\b/i,
  /\bis none of\b/i,
  /\bis called so\b/i,
  /\band its kin\b/i,
  /\bat most so many\b/i,
  /\bshall think\b/i,
  /\bneeds permission:/,
  /\bmust not harm\b|\bbefore it harms\b/i,
  /\b(?:is|are) no (?:export|JSON|file|directory|address|key|URL)\b/i,
  /\bthe model's sight\b/i,
  /\bkedge says (?:what|which|how|why)\b/i,
];

const quoted = /"(?:[^"\\\n]|\\.)* (?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)* (?:[^`\\]|\\.)*`/g;

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*\/\/.*$|^\s*\/?\*.*$|\s\/\/ .*$/gm, "");
}

function textsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), "utf8");
  if (!file.endsWith(".ts")) return text.split("\n");
  return withoutComments(text).match(quoted) ?? [];
}

/** Tests, what tools say to the model, and lists of words. */
const notRead = /\.test\.ts$|^packages\/tools\/|(?:stop|plain|related)-words\.json$/;

const files = [
  "README.md",
  ...globSync("docs/*.md", { cwd: root }),
  ...globSync("packages/*/src/**/*.{ts,json}", { cwd: root }).filter((file) => !notRead.test(file)),
  "packages/cli/src/arguments/help.md",
  "packages/tui/src/dialogs/model/welcome.md",
].sort();

test("texts of the product are plain", () => {
  const found = files.flatMap((file) =>
    textsOf(file)
      .filter((text) => banned.some((word) => word.test(text)))
      .map((text) => `${file}: ${text.trim().slice(0, 160)}`),
  );
  expect(found).toEqual([]);
});
