/** Strategy 6: equal after undoing one level of escapes that the model put in too much, in the new text as well. */
import { findExact } from "./simple.ts";
import { asWholeLines, type Candidate, equalBlock, findWindows, type Search, type Strategy } from "./strategy.ts";
import { collapse } from "./text-lines.ts";

type EscapeKind = "newline" | "tab" | "doubleQuote" | "singleQuote" | "backslash" | "backtick" | "dollar";

const kindOfEscaped: { readonly [character: string]: EscapeKind } = {
  n: "newline",
  t: "tab",
  '"': "doubleQuote",
  "'": "singleQuote",
  "\\": "backslash",
  "`": "backtick",
  $: "dollar",
};

const plainOfEscaped: { readonly [character: string]: string } = { n: "\n", t: "\t" };

/** Models escape everything, as inside a string of JSON, or only what their own quoting needed. */
const levels: readonly (readonly EscapeKind[])[] = [
  ["newline", "tab", "doubleQuote", "singleQuote", "backslash", "backtick", "dollar"],
  ["doubleQuote"],
  ["singleQuote"],
  ["doubleQuote", "singleQuote"],
  ["doubleQuote", "backslash"],
  ["newline", "tab"],
  ["backslash"],
  ["backtick", "dollar"],
];

export const escapeNormalized: Strategy = {
  name: "EscapeNormalized",
  combinesWithReplaceAll: true,
  find(search) {
    if (!search.oldString.includes("\\")) return [];
    let found: readonly Candidate[] = [];
    for (const level of levels) {
      const oldString = undoEscapes(search.oldString, level);
      if (oldString === search.oldString) continue;
      const candidates = findUnescaped(search, oldString, undoInNew(search, level));
      if (candidates.length === 0) continue;
      // Two readings of the escapes that do not come to the same leave the choice open.
      if (found.length > 0 && !areEqual(found, candidates)) return refuseAll([...found, ...candidates]);
      found = candidates;
    }
    return found;
  },
};

/** Whether a line that the file does not have is there once its escapes are undone. */
export function isOverEscaped({ wanted, fileLines }: Search): boolean {
  const suspects = wanted.oldLines.filter((line) => line.includes("\\"));
  if (suspects.length === 0) return false;
  const present = new Set(fileLines.map(collapse));
  return suspects.some(
    (line) => !present.has(collapse(line)) && levels.some((level) => present.has(collapse(undoEscapes(line, level)))),
  );
}

function findUnescaped(search: Search, oldString: string, newString: string | undefined): readonly Candidate[] {
  const exact = findExact({ text: search.text, oldString, newString: newString ?? "" });
  const wanted = asWholeLines(oldString, newString ?? "");
  const found =
    exact.length > 0
      ? exact
      : findWindows(search.fileLines, wanted.oldLines, collapse).map((first) => equalBlock(search, first, wanted));
  return newString === undefined ? refuseAll(found) : found;
}

function refuseAll(candidates: readonly Candidate[]): readonly Candidate[] {
  const starts = new Set<number>();
  const refused: Candidate[] = [];
  for (const { start, end, similarity } of candidates) {
    if (starts.has(start)) continue;
    starts.add(start);
    refused.push({ start, end, similarity, newText: undefined, refusal: "escapes" });
  }
  return refused;
}

function areEqual(left: readonly Candidate[], right: readonly Candidate[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ start, end, newText }, index) => {
      const other = right[index];
      return other?.start === start && other.end === end && other.newText === newText;
    })
  );
}

/** The kinds are undone together, from left to right, so that an escaped backslash is never read twice. */
function undoEscapes(text: string, kinds: readonly EscapeKind[]): string {
  return text.replaceAll(/\\([nt"'\\`$])/g, (escaped, character: string) => {
    const kind = kindOfEscaped[character];
    return kind !== undefined && kinds.includes(kind) ? (plainOfEscaped[character] ?? character) : escaped;
  });
}

/** Undefined when the new text does not show whether it is escaped as the old one is. */
function undoInNew({ oldString, newString }: Search, level: readonly EscapeKind[]): string | undefined {
  const undone = undoEscapes(newString, level);
  if (undone === newString) return newString;
  const evident = level.filter((kind) => countEscaped(oldString, kind) > 0);
  const escaped = evident.filter((kind) => countEscaped(newString, kind) > 0);
  const plain = evident.filter((kind) => hasPlain(newString, kind));
  // The new text is written plainly: what looks like an escape in it is code.
  if (plain.length > 0 && escaped.every((kind) => plain.includes(kind))) return newString;
  if (plain.length > 0 || escaped.length === 0) return undefined;
  return level.includes("newline") && breaksLiteral(newString, level) ? undefined : undone;
}

function countEscaped(text: string, kind: EscapeKind): number {
  let count = 0;
  for (const [, character = ""] of text.matchAll(/\\([\s\S])/g)) if (kindOfEscaped[character] === kind) count += 1;
  return count;
}

function hasPlain(text: string, kind: EscapeKind): boolean {
  const rest = text.replaceAll(/\\[nt"'\\`$]/g, "");
  switch (kind) {
    case "newline":
      return rest.includes("\n");
    case "tab":
      return rest.includes("\t");
    case "doubleQuote":
      return rest.includes('"');
    case "singleQuote":
      return rest.includes("'");
    case "backslash":
      return rest.includes("\\");
    case "backtick":
      return rest.includes("`");
    case "dollar":
      return rest.includes("$");
  }
}

/** A line break that would open inside of quotes was meant to stay an escape. */
function breaksLiteral(text: string, level: readonly EscapeKind[]): boolean {
  const undone = undoEscapes(text, level);
  return undone.split("\n").some((line) => {
    const double = line.replaceAll(/\\./g, "").split('"').length - 1;
    return double % 2 === 1;
  });
}
