/** No text a person reads falls back into words that no technical writer uses. Comments and texts for the model are exempt. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bannedWords } from "./text-rules.ts";

const root = join(import.meta.dirname, "..");

/** Code without its comments; the words above are none that code uses. */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*\/\/.*$|^\s*\/?\*.*$|\s\/\/ .*$/gm, "");
}

function linesOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), "utf8");
  return (file.endsWith(".ts") ? withoutComments(text) : text).split("\n");
}

/** Tests and lists of words. What tools say to the model is shown to people as well. */
const notRead =
  /\.test\.ts$|(?:stop|plain|related|attack)-(?:words|traits|weights)\.json$|(?:find-attack|answer-kinds)\.ts$/;

const documents = [
  "package.json",
  ...globSync(["*.md", "docs/*.md", "packages/*/AGENTS.md"], { cwd: root }),
  "packages/cli/src/texts/help.md",
  "packages/tui/src/dialogs/model/welcome.md",
  "packages/cli/src/texts/welcome.md",
];
const sources = globSync("packages/*/src/**/*.{ts,json}", { cwd: root }).filter((file) => !notRead.test(file));

test("texts of the product and its documents are plain", () => {
  const found = [...documents, ...sources].sort().flatMap((file) =>
    linesOf(file)
      .filter((line) => bannedWords.some((word) => word.test(line)))
      .map((line) => `${file}: ${line.trim().slice(0, 160)}`),
  );
  expect(found).toEqual([]);
});

/** Marks of texts that were replaced by rule and not by a person: a sentence without its subject. */
const damaged = [
  /^(?:- )?Available: (?:no|none|one|two|\d)/m,
  /\. [a-z]\w* (?:\w+ )*not found\./,
  /\bPrices are Prices\b/,
];

test("no sentence of the documents is damaged", () => {
  const found = documents.flatMap((file) =>
    damaged.filter((mark) => mark.test(linesOf(file).join("\n"))).map((mark) => `${file}: ${mark}`),
  );
  expect(found).toEqual([]);
});
