/** What a pipe into `xargs` holds, as far as the commands before it tell. */
import type { ShellInput, ShellWord } from "../../shell-command.ts";
import { literalWord } from "../program-call.ts";
import { filters, listers } from "./lister-table.ts";

const wordsMax = 200;

/** Stands for every name that a listing prints: like a pattern without a sign, it becomes names of existing files. */
export const listedName: ShellWord = { text: "{}", isLiteral: false, isSplit: true, isGlob: true };

/** Undefined when nothing is known. A listed name stands as one word that is no option and lies where it was found. */
export function findProducedWords(input: ShellInput, by: "words" | "lines"): readonly ShellWord[] | undefined {
  if (input.kind === "text") return input.text === undefined ? undefined : splitText(input.text, by);
  if (input.kind !== "output" || input.by === undefined) return undefined;
  const [first, ...later] = input.by;
  if (first === undefined || !later.every(isFilter)) return undefined;
  if (isLister(first)) return [listedName];
  if (programOf(first) !== "echo" || later.length > 0 || !first.every((word) => word.isLiteral)) return undefined;
  return splitText(
    first
      .slice(1)
      .map((word) => word.text)
      .join(" "),
    by,
  );
}

function isFilter(words: readonly ShellWord[]): boolean {
  if (!words.every((word) => word.isLiteral)) return false;
  const rest = words.slice(1).map((word) => `\0${word.text}`);
  return rowOf(filters, programOf(words))?.test(rest.join("")) ?? false;
}

function isLister(words: readonly ShellWord[]): boolean {
  if (!words.every((word) => word.isLiteral || word.isGlob)) return false;
  const [, second] = words;
  const program = programOf(words);
  const name = program === "git" ? `git ${second?.text ?? ""}` : program;
  const row = rowOf(listers, name === "fdfind" ? "fd" : name);
  if (row === undefined) return false;
  const given = words.slice(name.startsWith("git ") ? 2 : 1).map((word) => word.text);
  const { needs, valued } = row;
  if (needs !== undefined && !given.some((text) => needs.test(text))) return false;
  return given.every((text, index) => {
    if (!text.startsWith("-")) return true;
    return row.options.test(text) && !valued?.test(given[index - 1] ?? "");
  });
}

function rowOf<Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A program of the workspace may carry the name of a known one and print what it likes. */
function programOf(words: readonly ShellWord[]): string {
  const text = words[0]?.isLiteral ? words[0].text : "";
  return text.replace(/^(?:\/usr)?\/bin\//, "");
}

function splitText(text: string, by: "words" | "lines"): readonly ShellWord[] | undefined {
  if (/["'\\]/.test(text)) return undefined;
  const parts = text.split(by === "words" ? /\s+/ : "\n").map((part) => part.trim());
  const kept = parts.filter((part) => part !== "");
  return kept.length > wordsMax ? undefined : kept.map(literalWord);
}
