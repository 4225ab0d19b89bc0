/** Texts that people read, as the sources have them: strings and templates that are sentences or labels, by surface. */
import { lineAt, maskSource } from "./source-scan.ts";

/** `text` is what stands between the quotes, with its slots as written. */
export type SourceText = {
  readonly surface: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
};

/** The first that fits. A path is relative to the root of the repository. */
const surfaces: readonly (readonly [surface: string, path: RegExp])[] = [
  ["help", /^packages\/cli\/src\/arguments\//],
  ["onboarding", /welcome|^packages\/tui\/src\/texts\/onboarding/],
  ["permission questions", /^packages\/tui\/src\/texts\/permission-questions|^packages\/protocol\/src\/.*question/],
  ["dialogs", /^packages\/tui\/src\/texts\/(?:dialogs|reports)/],
  ["palette", /^packages\/tui\/src\/texts\/(?:palette|commands)/],
  ["terminal", /^packages\/tui\//],
  ["web", /^packages\/web\//],
  ["command line", /^packages\/cli\//],
  ["settings", /setting|configuration/],
  ["provider errors", /^packages\/models\//],
  ["tools", /^packages\/tools\//],
  ["extensions", /^packages\/extend\//],
  ["agents", /^packages\/agents\//],
  ["safety", /^packages\/(?:sandbox|memory)\//],
  ["server", /^packages\/(?:server|sdk)\//],
  ["engine", /^packages\/(?:engine|protocol|store)\//],
  ["host", /^packages\/host\//],
];

export const surfaceNames: readonly string[] = [...new Set(surfaces.map(([name]) => name))];

export function surfaceOf(file: string): string {
  return surfaces.find(([, path]) => path.test(file))?.[0] ?? "other";
}

/** The texts of one file; none of what only programs read. */
export function textsIn(file: string, source: string): readonly SourceText[] {
  const surface = surfaceOf(file);
  const found = file.endsWith(".json") ? summariesIn(source) : stringsIn(source);
  return found
    .filter(({ text }) => isRead(text))
    .map(({ at, text }) => ({ surface, file, line: lineAt(source, at), text }));
}

type Found = { readonly at: number; readonly text: string };

function summariesIn(source: string): readonly Found[] {
  return [...source.matchAll(/"(?:summary|description|message|recovery)": "((?:[^"\\]|\\.)*)"/g)].map((match) => ({
    at: match.index,
    text: match[1] ?? "",
  }));
}

function stringsIn(source: string): readonly Found[] {
  const masked = maskSource(source);
  const found: Found[] = [];
  for (let at = 0; at < source.length; at += 1) {
    const quote = masked[at];
    if (quote !== source[at] || (quote !== '"' && quote !== "'")) continue;
    const end = masked.indexOf(quote, at + 1);
    if (end < 0) break;
    found.push({ at, text: unescaped(source.slice(at + 1, end)) });
    at = end;
  }
  for (let at = 0; at < source.length; at += 1) {
    if (masked[at] !== "`" || source[at] !== "`") continue;
    const end = endOfTemplate(source, at + 1);
    found.push({ at, text: unescaped(source.slice(at + 1, end)) });
    at = end;
  }
  return found.toSorted((left, right) => left.at - right.at);
}

/** Templates inside of its slots count as part of it. */
function endOfTemplate(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const char = source[at];
    if (char === "\\") at += 1;
    else if (depth === 0 && char === "`") return at;
    else if (source.startsWith("${", at)) {
      depth += 1;
      at += 1;
    } else if (depth > 0 && char === "`") at = endOfTemplate(source, at + 1);
    else if (depth > 0 && char === "{") depth += 1;
    else if (depth > 0 && char === "}") depth -= 1;
  }
  return source.length;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(["'`$\\])/g, "$1");
}

const ofPrograms =
  /=>|\bfunction\s*\(|\bconst \w+ =|\b(?:SELECT|INSERT INTO|CREATE (?:TABLE|INDEX)|UPDATE \w+ SET|DELETE FROM|ALTER TABLE|PRAGMA)\b|^\s*(?:FROM|WHERE|ORDER BY|VALUES)\b/;

/** Two words at least, one of them of three letters. */
function isRead(text: string): boolean {
  return (
    text.length > 8 &&
    /[A-Za-z]{2,}[,:;]? (?:[A-Za-z]|\$\{)/.test(text) &&
    /[a-z]{3}/.test(text) &&
    !ofPrograms.test(text)
  );
}
