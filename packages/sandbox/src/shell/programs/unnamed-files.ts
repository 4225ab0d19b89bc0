/** Tells which programs read files that their words do not name: everything below a directory, or what was found. */
import { isPlaceless, showsNoContent } from "../known-names.ts";
import type { ShellWord } from "../shell-command.ts";

const always: ReadonlySet<string> = new Set("ack ag rg rgrep ripgrep ugrep".split(" "));

/** The options with which these go through directories: letters among others, or whole words. */
const recursing: ReadonlyMap<string, RegExp> = new Map(
  [
    [
      "grep egrep fgrep ggrep zgrep",
      /^-[A-Za-z]*[rR]|^--(?:dereference-)?recursive$|^--directories=recurse$|^recurse$/,
    ],
    ["diff", /^-[A-Za-z]*r|^--recursive$/],
    ["cp gcp", /^-[A-Za-z]*[rRa]|^--recursive$|^--archive$/],
    ["zip", /^-[A-Za-z]*[rR]|^--recurse-paths$/],
    ["rsync", /^-[A-Za-z]*[ra]|^--recursive$|^--archive$/],
    ["find gfind bfs", /^-(?:exec|execdir|ok|okdir)$/],
    ["fd fdfind", /^-[A-Za-z]*[xX]|^--exec/],
    ["tar gtar bsdtar", /^-?[A-Za-z]*c|^--create$/],
  ].flatMap(([names, options]) => `${names}`.split(" ").map((name) => [name, options as RegExp] as const)),
);

export function readsUnnamedFiles(name: string, words: readonly ShellWord[]): boolean {
  if (always.has(name)) return true;
  if (name === "xargs" || name === "parallel")
    return !words.some(({ text }) => showsNoContent(text) || isPlaceless(text));
  const options = recursing.get(name);
  if (options === undefined) return false;
  // The first letters of tar are options without a dash; elsewhere they would be a name.
  const tried = name.endsWith("tar") ? words.filter(({ text }, index) => index === 0 || text.startsWith("-")) : words;
  return tried.some(({ text, isLiteral }) => options.test(text) || (!isLiteral && /^[$`]/.test(text)));
}
