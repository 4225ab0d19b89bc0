/** Reads a bash command as mere text: the places where a forbidden command could begin, and the words it mentions. */
import { type GlobOptions, matchGlobAtWords } from "./glob.ts";

/**
 * The texts that deny and ask rules are tried on: the command as written, the same without quoting, and what lies
 * between operators. It errs towards a match; what may run is never decided from these.
 */
export function commandTexts(command: string, home: string | undefined): readonly string[] {
  const written = command
    .replaceAll("\\\n", "")
    .replace(/\$(?:IFS\b|\{IFS\})/g, " ")
    .replace(/["'\\]/g, "")
    .replace(/[ \t]+/g, " ");
  const plain = home === undefined ? written : written.replace(/(?<=^|\s)(?:~|\$HOME)(?=\/)/g, () => home);
  const texts = new Set([command, written, plain.trim()]);
  for (const piece of plain.split(/[;&|\n()`]+/)) {
    const text = piece.trim();
    if (text === "") continue;
    texts.add(text);
    const baseName = /^\/?(?:[^\s/]+\/)+(?=[^\s/])/.exec(text);
    if (baseName !== null) texts.add(text.slice(baseName[0].length));
  }
  return [...texts];
}

export function matchCommandTexts(pattern: string, texts: readonly string[], options: GlobOptions): boolean {
  return texts.some((text) => matchGlobAtWords(pattern, text, options));
}

/** Words that could be paths, quotes and assignments taken off. */
export function wordsOf(command: string): readonly string[] {
  const words = command
    .replaceAll("\\\n", "")
    .replace(/["'\\]/g, "")
    .split(/[\s;&|()<>`={}@:,]+/);
  return words.filter((word) => word !== "");
}
