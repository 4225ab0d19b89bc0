/** Says when an instruction file is so long that every request pays for what only some work needs. */
import type { InstructionEntry } from "./instruction-entry.ts";

const linesMax = 200;
const tokensMax = 2_000;
const sectionsShown = 3;

export function sizeHint({
  lines,
  tokens,
  text,
}: Pick<InstructionEntry, "lines" | "tokens" | "text">): string | undefined {
  if (lines <= linesMax && tokens <= tokensMax) return undefined;
  const largest = sectionsOf(text)
    .sort((left, right) => right.characters - left.characters)
    .slice(0, sectionsShown)
    .map(({ title }) => `"${title}"`);
  const which =
    largest.length === 0 ? "sections that serve one kind of work" : `sections such as ${largest.join(", ")}`;
  return `long: ${lines} lines, about ${tokens} tokens in every request; move ${which} into a rule with paths or a skill`;
}

function sectionsOf(text: string): { readonly title: string; readonly characters: number }[] {
  return text
    .split(/^(?=#{2,3} )/m)
    .filter((part) => part.startsWith("#"))
    .map((part) => ({
      title: (part.split("\n", 1)[0] ?? "").replace(/^#+\s*/, "").slice(0, 60),
      characters: part.length,
    }));
}
