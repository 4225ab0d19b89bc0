/** Whether the command of a hook can be started at all, told from its first words without running anything. */
import { statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isRunnable } from "../is-runnable.ts";
import type { Hook } from "./hook.ts";

export type StartPlace = {
  readonly cwd: string;
  readonly root: string;
  readonly home: string;
  readonly environment: { readonly [name: string]: string };
};

/** Words that bash has itself, or that begin what only running it would tell. */
const ownWords: ReadonlySet<string> = new Set(
  "alias bg break builtin case cd command continue declare do done echo eval exec exit export false fg for function getopts hash if jobs kill let local printf pwd read readonly return select set shift source test then time times trap true type ulimit umask unset until wait while [ [[ { ( ! . :".split(
    " ",
  ),
);
const interpreters: ReadonlySet<string> = new Set([
  "bash",
  "sh",
  "zsh",
  "node",
  "python",
  "python3",
  "ruby",
  "perl",
  "deno",
  "bun",
]);
const scriptName = /\.(?:sh|bash|py|[cm]?[jt]s|rb|pl)$/;

/** The sentence, without a full stop, says what is missing; undefined where nothing is, or only running it would tell. */
export function missingOf({ action }: Hook, given: StartPlace): string | undefined {
  if (action.type !== "command") return undefined;
  const place = { ...given, environment: { ...given.environment, ...action.environment } };
  // What says itself what happens without its program, such as a notification of another system, can start.
  if (action.args === undefined && /\|\||\bcommand -v\b|\bwhich\b/.test(action.command)) return undefined;
  const words = action.args === undefined ? firstWords(action.command, place) : [action.command, ...action.args];
  const [program, script] = words;
  if (program === undefined || program === "" || ownWords.has(program)) return undefined;
  const problem = program.includes("/") ? problemOf(program, place, { mustRun: true }) : findProgram(program, place);
  if (problem !== undefined) return problem;
  const isScript = interpreters.has(program.replace(/^.*\//, "")) && script !== undefined && scriptName.test(script);
  return isScript ? problemOf(script, place, { mustRun: false }) : undefined;
}

function findProgram(name: string, { environment }: StartPlace): string | undefined {
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => isRunnable(join(folder, name))) ? undefined : `program not found: ${name}`;
}

function problemOf(given: string, { cwd }: StartPlace, { mustRun }: { readonly mustRun: boolean }): string | undefined {
  const path = isAbsolute(given) ? given : join(cwd, given);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return `file not found: ${path}`;
  return mustRun && !isRunnable(path) ? `${path} is not executable` : undefined;
}

/** The first two words, as far as they are plain; variables of the project and the home are known. */
function firstWords(command: string, { root, home, environment }: StartPlace): readonly string[] {
  const words: string[] = [];
  const fill = (text: string) =>
    text.replaceAll(/\$\{?(\w+)\}?/g, (whole, name: string) => {
      if (name.endsWith("_PROJECT_DIR")) return root;
      return name === "HOME" ? home : (environment[name] ?? whole);
    });
  // A word is made of quoted and bare pieces that touch.
  for (const [raw] of command.matchAll(/\s*(?:"[^"]*"|'[^']*'|[^\s"';&|<>()])+(?=\s|$|;|&|\|)/gy)) {
    const pieces = raw.trim().matchAll(/"([^"]*)"|'([^']*)'|([^"']+)/g);
    const filled = [...pieces].map(([, double, single, bare]) => single ?? fill(double ?? bare ?? "")).join("");
    const word = filled.startsWith("~/") ? join(home, filled.slice(2)) : filled;
    // What is set before a command, or found out by the shell, only running it tells.
    if (/[$`*?=]/.test(word)) return [];
    words.push(word);
    if (words.length === 2) break;
  }
  return words;
}
