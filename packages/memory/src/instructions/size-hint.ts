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
  if (lines <= linesMax && tokens <= tokensMax) return undefined;
  const size = `long: ${lines.toLocaleString("en-US")} lines, about ${tokens.toLocaleString("en-US")} tokens in every request`;
  const movable = sectionsForOnePlace(text, directory);
  if (movable.length > 0)
    return `${size}; ${named(movable)} serve one part of the project: kedge instructions split ${shownPath} shows how to move them into rules`;
  const largest = sectionsOf(text).toSorted((left, right) => right.text.length - left.text.length);
  const which = largest.length === 0 ? "sections that serve one kind of work" : `sections such as ${named(largest)}`;
  return `${size}; move ${which} into a rule with paths or a skill`;
}

function named(sections: readonly { readonly title: string }[]): string {
  return sections
    .slice(0, sectionsShown)
    .map(({ title }) => `"${title}"`)
    .join(", ");
}
