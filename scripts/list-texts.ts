/** Prints every text of the product that people read, by surface: `node scripts/list-texts.ts [surface …]`. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
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

function main(wanted: readonly string[]): number {
  const unknown = wanted.find((name) => !surfaceNames.includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`Unknown surface "${unknown}". Choose from ${surfaceNames.join(", ")}.\n`);
    return 2;
  }
  const texts = listTexts();
  for (const surface of wanted.length > 0 ? wanted : surfaceNames) {
    const own = texts.filter((each) => each.surface === surface);
    process.stdout.write(`# ${surface} (${own.length})\n\n`);
    for (const { file, line, text } of own)
      process.stdout.write(`${file}:${line}\n  ${text.replaceAll("\n", "\n  ")}\n`);
    process.stdout.write("\n");
  }
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
