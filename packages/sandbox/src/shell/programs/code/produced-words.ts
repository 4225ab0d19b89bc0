/** What a pipe into `xargs` holds, as far as the commands before it tell. */
import type { ShellInput, ShellWord } from "../../shell-command.ts";
import { literalWord } from "../program-call.ts";
import { filters, listers } from "./lister-table.ts";

const wordsMax = 200;

/** Stands for every name that a listing prints: like a pattern without a sign, it becomes names of existing files. */
export const listedName: ShellWord = { text: "{}", isLiteral: false, isSplit: true, isGlob: true };

/** A name behind the place it was found in, which is no option. */
const placedName: ShellWord = { ...listedName, text: "./{}" };
const listedNumber: ShellWord = { text: "{}", isLiteral: false, isSplit: true, isGlob: false, isNumber: true };

/** At which signs the input is divided into words. */
export type InputDivision = "words" | "lines" | "NUL" | "other";

/** Undefined when nothing is known. A listed name lies where it was found. */
export function findProducedWords(input: ShellInput, by: InputDivision): readonly ShellWord[] | undefined {
  if (input.kind === "text") return input.text === undefined ? undefined : splitText(input.text, by);
  if (input.kind !== "output" || input.by === undefined) return undefined;
  const [first, ...later] = input.by;
  if (first === undefined || !later.every(isFilter)) return undefined;
  const lister = listerOf(first);
  if (lister !== undefined) return [listedWord(lister, by)];
  if (programOf(first) !== "echo" || later.length > 0 || !first.every((word) => word.isLiteral)) return undefined;
  return splitText(
    first
      .slice(1)
      .map((word) => word.text)
      .join(" "),
    by,
  );
}

/** Divided at blanks and line ends, which names may have, the rest of a name can begin with anything. */
function listedWord(lister: string, by: InputDivision): ShellWord {
  if (numbering.has(lister)) return listedNumber;
  return lister === "find" && by === "NUL" ? placedName : listedName;
}

const numbering: ReadonlySet<string> = new Set(["seq", "pgrep", "pidof", "lsof", "git rev-list"]);

function isFilter(words: readonly ShellWord[]): boolean {
  if (!words.every((word) => word.isLiteral)) return false;
  const rest = words.slice(1).map((word) => `\0${word.text}`);
  return rowOf(filters, programOf(words))?.test(rest.join("")) ?? false;
}

/** The name of its row, for a call that lists and does nothing else. */
function listerOf(words: readonly ShellWord[]): string | undefined {
  if (!words.every((word) => word.isLiteral || word.isGlob)) return undefined;
  const [, second] = words;
  const program = programOf(words);
  const name = program === "git" ? `git ${second?.text ?? ""}` : program === "fdfind" ? "fd" : program;
  const row = rowOf(listers, name);
  if (row === undefined) return undefined;
  const given = words.slice(name.startsWith("git ") ? 2 : 1).map((word) => word.text);
  const { needs, valued } = row;
  if (needs !== undefined && !given.some((text) => needs.test(text))) return undefined;
  const isPlain = given.every((text, index) => {
    if (!text.startsWith("-")) return true;
    return row.options.test(text) && !valued?.test(given[index - 1] ?? "");
  });
  return isPlain ? name : undefined;
}

function rowOf<Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A program of the workspace may carry the name of a known one and print what it likes. */
function programOf(words: readonly ShellWord[]): string {
  const text = words[0]?.isLiteral ? words[0].text : "";
  return text.replace(/^(?:\/usr)?\/bin\//, "");
}

function splitText(text: string, by: InputDivision): readonly ShellWord[] | undefined {
  if (/["'\\]/.test(text)) return undefined;
  if (by === "NUL" || by === "other") return undefined;
  const parts = text.split(by === "words" ? /\s+/ : "\n").map((part) => part.trim());
  const kept = parts.filter((part) => part !== "");
  return kept.length > wordsMax ? undefined : kept.map(literalWord);
}
