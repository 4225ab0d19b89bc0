/** What a pipe into `xargs` holds, as far as the commands before it tell. */
import type { ShellInput, ShellWord } from "../shell-command.ts";
import { literalWord } from "./program-call.ts";

/** Print names of files below the places they are given, which are judged on their own; the pattern must be met. */
const listers: Readonly<Record<string, RegExp>> = {
  find: /^(?!.* -(printf|exec|ok)).*$/s,
  ls: /^/,
  fd: /^(?!.* (-x|-X|--exec))/s,
  fdfind: /^(?!.* (-x|-X|--exec))/s,
  git: /^git (ls-files|rev-list|(diff|show|log|diff-tree) .*--name-only)\b/s,
  rg: / (--files|--files-with-matches|--files-without-match|-[a-zA-Z]*l)\b/,
  grep: / (--files-with-matches|-[a-zA-Z]*[lL])/,
  seq: /^/,
  pgrep: /^/,
  pidof: /^/,
  lsof: / -t\b/,
};

/** Leave lines as they are. */
const filters = new Set(["sort", "uniq", "head", "tail", "tac", "shuf", "grep", "egrep", "fgrep"]);

const wordsMax = 200;

/** Undefined when nothing is known. A listed name stands as one word that is no option and lies where it was found. */
export function findProducedWords(input: ShellInput, by: "words" | "lines"): readonly ShellWord[] | undefined {
  if (input.kind === "text") return input.text === undefined ? undefined : splitText(input.text, by);
  if (input.kind !== "output" || input.by === undefined) return undefined;
  const [first, ...later] = input.by;
  if (first === undefined || !later.every((words) => filters.has(baseName(words)))) return undefined;
  const program = baseName(first);
  const isKnown = first.every((word) => word.isLiteral || word.isGlob);
  const text = first.map((word) => word.text).join(" ");
  if (isKnown && listers[program]?.test(text)) return [literalWord("{}")];
  if (program !== "echo" || later.length > 0 || !first.every((word) => word.isLiteral)) return undefined;
  return splitText(text.slice(text.indexOf(" ") + 1), by);
}

function baseName(words: readonly ShellWord[]): string {
  const text = words[0]?.isLiteral ? words[0].text : "";
  return text.slice(text.lastIndexOf("/") + 1);
}

function splitText(text: string, by: "words" | "lines"): readonly ShellWord[] | undefined {
  if (/["'\\]/.test(text)) return undefined;
  const parts = text.split(by === "words" ? /\s+/ : "\n").map((part) => part.trim());
  const kept = parts.filter((part) => part !== "");
  return kept.length > wordsMax ? undefined : kept.map(literalWord);
}
