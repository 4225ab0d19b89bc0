/** Strategy 1: the text exactly as given, or with the line endings of the file. */
import { lineEndingOf, withLineEnding } from "../../file-content.ts";
import { alignLines } from "./align-lines.ts";
import type { Candidate, Search, Strategy } from "./strategy.ts";
import { splitWanted } from "./text-lines.ts";
import { settleWithinIndentation } from "./within-indentation.ts";

export const simple: Strategy = {
  name: "Simple",
  combinesWithReplaceAll: true,
  find: (search) => findExact(search).map((place) => settleWithinIndentation(search, place)),
};

/** All exact places, those that overlap included: between them nobody can choose. */
export function findExact({
  text,
  oldString,
  newString,
}: Pick<Search, "text" | "oldString" | "newString">): readonly Candidate[] {
  if (oldString === "") return [];
  const prevailing = lineEndingOf(text);
  return findPlaces(text, oldString).map(({ start, end }) => {
    const newText = withEndingsOf({ present: text.slice(start, end), oldString, newString, prevailing });
    return { start, end, newText, similarity: 1 };
  });
}

/** Lines that stay keep the ending they have in the file, the others take the one that prevails at the place. */
function withEndingsOf({
  present,
  oldString,
  newString,
  prevailing,
}: {
  readonly present: string;
  readonly oldString: string;
  readonly newString: string;
  readonly prevailing: "\n" | "\r\n" | undefined;
}): string {
  const ending = lineEndingOf(present) ?? prevailing;
  const isMixed = present.includes("\r\n") && /(?<!\r)\n/.test(present);
  if (ending === undefined || !isMixed) return ending === undefined ? newString : withLineEnding(newString, ending);
  const endings = present.match(/\r?\n/g) ?? [];
  const newLines = splitWanted(newString);
  const newEndings = newLines.map(() => ending as string);
  for (const [index, partner] of alignLines(splitWanted(oldString), newLines).entries())
    if (partner !== undefined) newEndings[partner] = endings[index] ?? ending;
  return newLines.map((line, index) => (index === newLines.length - 1 ? line : line + newEndings[index])).join("");
}

type Span = { readonly start: number; readonly end: number };

/** Models write line feeds only, so either line ending counts as the other; most texts have one kind and need no pattern. */
function findPlaces(text: string, wanted: string): readonly Span[] {
  const found: Span[] = [];
  if (!wanted.includes("\n") || !(text.includes("\r\n") || wanted.includes("\r\n"))) {
    for (let start = text.indexOf(wanted); start !== -1; start = text.indexOf(wanted, start + 1))
      found.push({ start, end: start + wanted.length });
    return found;
  }
  const lines = wanted.split(/\r?\n/).map((line) => line.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const pattern = new RegExp(lines.join(String.raw`(?:\r\n|(?<!\r)\n)`), "g");
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push({ start: match.index, end: match.index + match[0].length });
    pattern.lastIndex = match.index + 1;
  }
  return found;
}
