/** Strategy 1: the text exactly as given, or with the line endings of the file. */
import { lineEndingOf, withLineEnding } from "../../file-content.ts";
import type { Candidate, Search, Strategy } from "./strategy.ts";
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
  const wanted = matchingForm(text, oldString);
  if (wanted === undefined) return [];
  const ending = lineEndingOf(wanted) ?? lineEndingOf(text);
  const newText = ending === undefined ? newString : withLineEnding(newString, ending);
  const found: Candidate[] = [];
  for (let start = text.indexOf(wanted); start !== -1; start = text.indexOf(wanted, start + 1))
    found.push({ start, end: start + wanted.length, newText, similarity: 1 });
  return found;
}

/** Models write line feeds only; in a file with carriage returns the same text is looked for in the file's own form. */
function matchingForm(text: string, wanted: string): string | undefined {
  if (wanted === "") return undefined;
  if (text.includes(wanted)) return wanted;
  const otherForm = withLineEnding(wanted, wanted.includes("\r\n") ? "\n" : "\r\n");
  return text.includes(otherForm) ? otherForm : undefined;
}
