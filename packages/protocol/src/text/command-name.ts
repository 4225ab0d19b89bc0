/** What a typed slash command stands for: its name or alias, the beginning of one name, a path, or nothing. */
import { nearNames } from "./near-names.ts";

export type CommandName = { readonly name: string; readonly aliases?: readonly string[] };

export type FoundName<Command> =
  | { readonly kind: "found"; readonly command: Command }
  /** The word begins a path and is meant as text. */
  | { readonly kind: "path" }
  | { readonly kind: "none"; readonly sentence: string };

/** How a sentence names the place where a command is missing, and what lists the commands there. */
export type CommandSurface = { readonly help: string; readonly where?: string };

const candidatesMax = 8;

/** Top-level directories of Unix systems: `/tmp is full` is a sentence. */
const topDirectories: ReadonlySet<string> = new Set(
  "bin boot dev etc home lib lib64 media mnt nix opt private proc root run sbin srv sys tmp usr var".split(" "),
);

/** The typed word has no slash. Of two commands with one name, the first is found. */
export function findCommandName<Command extends CommandName>(
  word: string,
  known: readonly Command[],
  surface: CommandSurface = { help: "/help" },
): FoundName<Command> {
  const exact = known.find(({ name }) => name === word) ?? known.find(({ aliases }) => aliases?.includes(word));
  if (exact !== undefined) return { kind: "found", command: exact };
  const begun = known.filter(({ name }) => name.startsWith(word));
  const names = [...new Set(begun.map(({ name }) => name))];
  const [first] = begun;
  if (first !== undefined && names.length === 1) return { kind: "found", command: first };
  if (topDirectories.has(word)) return { kind: "path" };
  return { kind: "none", sentence: names.length > 1 ? ambiguousText(word, names) : unknownText(word, known, surface) };
}

function ambiguousText(word: string, names: readonly string[]): string {
  const listed = names.slice(0, candidatesMax).map((name) => `/${name}`);
  const more = names.length > candidatesMax ? ` and ${names.length - candidatesMax} more` : "";
  return `/${word} may be ${listed.join(", ")}${more}.`;
}

function unknownText(word: string, known: readonly CommandName[], { help, where = "" }: CommandSurface): string {
  const names = [...new Set(known.flatMap(({ name, aliases = [] }) => [name, ...aliases]))];
  const [nearest] = nearNames(word, names, { countMax: 1 });
  const next = nearest === undefined ? `List commands with ${help}.` : `Did you mean /${nearest}?`;
  return `Unknown command /${word}${where === "" ? "" : ` ${where}`}. ${next}`;
}
