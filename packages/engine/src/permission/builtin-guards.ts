/** Commands that lose what cannot be had back: refused or asked about in every mode, unless the user named them. */
import { textBeside } from "@kedge/protocol/text-file";
import type { SourcedRule } from "./sources.ts";
import type { Subject } from "./subject.ts";

export type BuiltinGuard = {
  /** The program and its sub-command. */
  readonly command: string;
  /**
   * One of these makes it dangerous, several behind each other all of them; without a list it always is. A single
   * letter counts among others too (`-fd`); a sign alone stands for words that begin with it (`+main`).
   */
  readonly words?: readonly string[];
  /** One of these makes it harmless. */
  readonly unless?: readonly string[];
  readonly action: "ask" | "deny";
  readonly why: string;
};

type GuardTable = { readonly guards: readonly BuiltinGuard[]; readonly programs: ReadonlySet<string> };

let table: GuardTable | undefined;

/** Read with the first command. Denials stand first, as the test of this module checks. */
function guardTable(): GuardTable {
  if (table !== undefined) return table;
  const guards = JSON.parse(textBeside(import.meta.url, "./builtin-guards.json")) as readonly BuiltinGuard[];
  table = { guards, programs: new Set(guards.map(({ command }) => command.split(" ", 1)[0] ?? "")) };
  return table;
}

/** Whose word is enough to lift one: a project's file or a hasty answer is not. */
const liftingSources: ReadonlySet<SourcedRule["source"]> = new Set(["policy", "command-line", "flag", "local", "user"]);

/** The guard that holds for a command, denies before asks; undefined if none does or the rule lifts it. */
export function builtinGuard(subject: Subject, rule: SourcedRule | undefined): BuiltinGuard | undefined {
  if (subject.permission !== "bash") return undefined;
  if (rule?.action === "allow" && isNamed(rule, subject)) return undefined;
  const texts = [subject.stated, ...subject.commandTexts].filter(startsGuarded);
  if (texts.length === 0) return undefined;
  const commands = texts.map((text) => text.split(/\s+/));
  return guardTable().guards.find((guard) => commands.some((words) => meets(guard, words)));
}

/** Most commands are none of these programs. */
function startsGuarded(text: string): boolean {
  const end = text.indexOf(" ");
  return end !== -1 && guardTable().programs.has(text.slice(0, end));
}

function meets({ command, words, unless = [] }: BuiltinGuard, given: readonly string[]): boolean {
  const named = command.split(" ");
  if (!named.every((word, index) => given[index] === word)) return false;
  const rest = given.slice(named.length);
  if (unless.some((word) => hasWord(rest, word))) return false;
  return words === undefined || words.some((all) => all.split(" ").every((word) => hasWord(rest, word)));
}

function hasWord(given: readonly string[], word: string): boolean {
  if (/^[^-\w]$/.test(word)) return given.some((each) => each.startsWith(word));
  if (word.startsWith("--")) return given.some((each) => each === word || each.startsWith(`${word}=`));
  const letter = word.slice(1);
  return given.some((each) => /^-[A-Za-z]+$/.test(each) && each.includes(letter));
}

function isNamed(rule: SourcedRule, subject: Subject): boolean {
  return liftingSources.has(rule.source) && (rule.pattern === subject.stated || rule.pattern === subject.whole);
}
