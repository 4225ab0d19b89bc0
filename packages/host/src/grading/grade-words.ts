/** How a grade is shown to people. */
import type { Graded } from "./grade-tests.ts";

/** Below this share of noticed changes, tests count as weak. */
export const scoreWanted = 0.8;

export function gradeText({ score, killed, valid, mutants, target, isKnown }: Graded): string {
  const survivors = mutants.filter(({ verdict }) => verdict === "survived");
  const invalid = mutants.length - valid;
  const head = `${target}: ${killed} of ${valid} changes detected, score ${score.toFixed(2)}${isKnown ? " (cached)" : ""}`;
  const left = invalid === 0 ? [] : [`${invalid} more did not compile and are not counted.`];
  const lines = survivors.map(({ line, operator, before, after }) => {
    const shown = after.trim() === "" || after === ";" ? "removed" : `→ ${oneLine(after)}`;
    return `  line ${line}: ${oneLine(before)} ${shown} (${operator})`;
  });
  return [head, ...left, ...(lines.length === 0 ? [] : ["Not detected:", ...lines])].join("\n");
}

const shownCharacters = 60;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters - 1)}…` : line;
}
