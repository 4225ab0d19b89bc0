/** Proposes the pattern of an "always" answer. */
import type { ShellWord } from "../shell-command.ts";
import type { Findings } from "./program-call.ts";

/** None for what a prefix cannot bound: code given as text, other commands, outward acts, options a rule must name. */
export function suggestPattern(words: readonly ShellWord[], findings: Findings): string | undefined {
  const isBounded =
    findings.outward === undefined &&
    findings.unknown === undefined &&
    findings.guard === undefined &&
    findings.inner.length === 0 &&
    findings.riskyOptions.length === 0 &&
    findings.concerns.length === 0 &&
    findings.suggestedWords !== 0;
  if (!isBounded) return undefined;
  const kept = words.slice(0, findings.suggestedWords ?? guessWords(words));
  if (kept.length === 0 || kept.some((word) => !word.isLiteral || /[*?\s]/.test(word.text))) return undefined;
  return `${kept.map((word) => word.text).join(" ")} *`;
}

/** The second word of an unknown program counts as its sub-command when it looks like one. */
function guessWords(words: readonly ShellWord[]): number {
  const [first, second] = words;
  if (first?.text.includes("/")) return 1;
  return second?.isLiteral && /^[a-z][a-z-]*$/.test(second.text) ? 2 : 1;
}
