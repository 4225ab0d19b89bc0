/**
 * Every text of the product that people read, one page of Markdown per surface: `node scripts/list-texts.ts`.
 *
 * `--write <directory>` puts each page into a file. `--draw 150 --seed 7` prints that many texts at random, for a reader
 * who did not write them.
 */
import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type SourceText, surfaceNames, textsIn } from "./source-texts.ts";

const root = resolve(import.meta.dirname, "..");

/** Tests, doubles, and lists of words that are looked for rather than shown. */
const notRead = /\.test\.ts$|^packages\/testing\/|(?:words|traits|weights|fixtures|names)[\w-]*\.json$|\/fixtures\//;

export function listTexts(): readonly SourceText[] {
  return globSync(["packages/*/src/**/*.{ts,tsx}", "packages/cli/src/**/*.json"], { cwd: root })
    .filter((file) => !notRead.test(file))
    .sort()
    .flatMap((file) => textsIn(file, readFileSync(join(root, file), "utf8")));
}

const usage =
  "Usage: node scripts/list-texts.ts [surface …] [--write <directory>] [--draw <count> [--seed <number>]]\n";

type Wishes = {
  readonly names: readonly string[];
  readonly directory: string | undefined;
  readonly count: number | undefined;
  readonly seed: number;
};

function main(words: readonly string[]): number {
  const wishes = readWishes(words);
  const unknown = wishes?.names.find((name) => !surfaceNames.includes(name));
  if (wishes === undefined || unknown !== undefined) {
    const problem =
      unknown === undefined ? "" : `Unknown surface "${unknown}". Choose from ${surfaceNames.join(", ")}.\n`;
    process.stderr.write(`${problem}${usage}`);
    return 2;
  }
  const { directory, count, seed } = wishes;
  const names = wishes.names.length > 0 ? wishes.names : surfaceNames;
  const texts = listTexts().filter(({ surface }) => names.includes(surface));
  if (count !== undefined) {
    process.stdout.write(drawn(texts, count, seed).map(entryText).join(""));
    return 0;
  }
  const pages = names.map((name) => [name, pageText(name, texts)] as const);
  if (directory === undefined) process.stdout.write(pages.map(([, page]) => page).join("\n"));
  else {
    mkdirSync(directory, { recursive: true });
    for (const [name, page] of pages) writeFileSync(join(directory, `${name.replaceAll(" ", "-")}.md`), page);
  }
  return 0;
}

function readWishes(words: readonly string[]): Wishes | undefined {
  try {
    const options = { write: { type: "string" }, draw: { type: "string" }, seed: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    const count = values.draw === undefined ? undefined : Number(values.draw);
    return { names: positionals, directory: values.write, count, seed: Number(values.seed ?? 1) };
  } catch {
    return undefined;
  }
}

/** One surface as Markdown: a heading for each file, a point for each text. */
function pageText(surface: string, texts: readonly SourceText[]): string {
  const own = texts.filter((each) => each.surface === surface);
  const files = Map.groupBy(own, ({ file }) => file);
  const sections = [...files].map(([file, entries]) => `## ${file}\n\n${entries.map(pointText).join("")}`);
  return `# Texts of ${surface} (${own.length})\n\n${sections.join("\n")}`;
}

function pointText({ line, text }: SourceText): string {
  const fence = text.includes("`") ? "``" : "`";
  const shown = text.includes("\n")
    ? `\n\n  \`\`\`\n  ${text.replaceAll("\n", "\n  ")}\n  \`\`\``
    : ` ${fence}${text}${fence}`;
  return `- ${line}:${shown}\n`;
}

function entryText({ surface, file, line, text }: SourceText): string {
  return `${file}:${line} (${surface})\n  ${text.replaceAll("\n", "\n  ")}\n`;
}

/** A shuffle by a seed, cut off: the same seed draws the same texts of the same sources. */
export function drawn(texts: readonly SourceText[], count: number, seed: number): readonly SourceText[] {
  const rank = ({ file, line, text }: SourceText) => {
    return createHash("sha256").update(`${seed}\n${file}\n${line}\n${text}`).digest("hex");
  };
  return texts
    .map((each) => [rank(each), each] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .slice(0, count)
    .map(([, each]) => each);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
