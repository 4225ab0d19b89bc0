/** Says when an instruction file is so long that every request pays for what only some work needs. */
import type { InstructionEntry } from "./instruction-entry.ts";
import { sectionsForOnePlace, sectionsOf } from "./split-sections.ts";

const linesMax = 200;
const tokensMax = 2_000;
const sectionsShown = 3;

/** Begins with "long: ". */
export function sizeHint(
  { lines, tokens, text, directory }: Pick<InstructionEntry, "lines" | "tokens" | "text" | "directory">,
  shownPath: string,
): string | undefined {
  const size = lengthNote({ lines, tokens });
  if (size === undefined) return undefined;
  const movable = sectionsForOnePlace(text, directory);
  if (movable.length > 0)
    return `${size}; ${named(movable)} apply to one part of the project. Move them into rules with kedge instructions split ${shownPath}`;
  const largest = sectionsOf(text).toSorted((left, right) => right.text.length - left.text.length);
  const which = largest.length === 0 ? "sections for one kind of work" : `sections such as ${named(largest)}`;
  return `${size}; move ${which} into a rule with paths or a skill`;
}

/** The same without a look at the sections. */
export function lengthNote({ lines, tokens }: Pick<InstructionEntry, "lines" | "tokens">): string | undefined {
  if (lines <= linesMax && tokens <= tokensMax) return undefined;
  const [lineCount, tokenCount] = [lines, tokens].map((count) => count.toLocaleString("en-US"));
  return `long: ${lineCount} lines, about ${tokenCount} tokens in every request`;
}

function named(sections: readonly { readonly title: string }[]): string {
  return sections
    .slice(0, sectionsShown)
    .map(({ title }) => `"${title}"`)
    .join(", ");
}
