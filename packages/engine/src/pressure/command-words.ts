/** The words of shell commands, well enough to compare one with another. */
import { splitShell } from "@kedge/protocol";

/** A longer command is a script; its beginning is compared. */
const commandCharactersMax = 8_000;
/** Where output goes says nothing about what is tried, and its `&` is no operator. */
const redirection = /\s\d?>&\d\b|\s&?>{1,2}\s?\/dev\/null\b|\s\d>{1,2}\s?\/dev\/null\b/g;

/** Every simple command, each as its words without quotes. */
export function commandSegments(command: string): readonly (readonly string[])[] {
  const { parts } = splitShell(command.slice(0, commandCharactersMax));
  return parts.map(({ text }) => tokensOf(text)).filter((words) => words.length > 0);
}

/** How much two commands have in common, from 0 to 1: words of both, each counted as often as it occurs. */
export function commandSimilarity(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return 0;
  const counts = new Map<string, number>();
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of right) {
    const count = counts.get(word) ?? 0;
    if (count === 0) continue;
    shared += 1;
    counts.set(word, count - 1);
  }
  return (2 * shared) / (left.length + right.length);
}

/** Words and operators; an option and its value behind `=` are two words. */
export function tokensOf(command: string): readonly string[] {
  const text = command.slice(0, commandCharactersMax).replaceAll("\\\n", " ").replace(redirection, " ").trim();
  const pieces = text.match(/\n+|&&|\|\||[;|&]|(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s;|&"'\\]|["'\\])+/g) ?? [];
  return pieces.flatMap((piece) => {
    if (piece.startsWith("\n")) return ["\n"];
    const plain = piece.replace(/["'\\]/g, "");
    const option = /^(--?[\w-]+)=(.+)$/s.exec(plain);
    return option === null ? [plain] : [option[1] ?? "", option[2] ?? ""];
  });
}
