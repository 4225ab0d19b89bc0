/** Commands that lose what cannot be had back: refused or asked about in every mode, unless the user named them. */
import { textBeside } from "@kedge/protocol/text-file";
import { matchGlob } from "./glob.ts";
import type { SourcedRule } from "./sources.ts";
import type { Subject } from "./subject.ts";

export type BuiltinGuard = { readonly pattern: string; readonly action: "ask" | "deny"; readonly why: string };

/** Checked by the test of this module. */
const guards = JSON.parse(textBeside(import.meta.url, "./builtin-guards.json")) as readonly BuiltinGuard[];

/** Whose word is enough to lift one: a project's file or a hasty answer is not. */
const liftingSources: ReadonlySet<SourcedRule["source"]> = new Set(["policy", "command-line", "flag", "local", "user"]);

/** The guard that holds for a command, denies before asks; undefined if none does or the rule lifts it. */
export function builtinGuard(subject: Subject, rule: SourcedRule | undefined): BuiltinGuard | undefined {
  if (subject.permission !== "bash") return undefined;
  if (rule?.action === "allow" && isNamed(rule, subject)) return undefined;
  const texts = [subject.stated, ...subject.commandTexts];
  const first = texts.map((text) => text.slice(0, text.indexOf(" "))).some((program) => guardedPrograms.has(program));
  // Most commands are none of these programs; a text that is not understood may start them anywhere.
  if (!first && !subject.isRaw) return undefined;
  return guards.find(({ pattern }) => texts.some((text) => matchGlob(pattern, text)));
}

const guardedPrograms: ReadonlySet<string> = new Set(guards.map(({ pattern }) => pattern.split(" ", 1)[0] ?? ""));

function isNamed(rule: SourcedRule, subject: Subject): boolean {
  return liftingSources.has(rule.source) && (rule.pattern === subject.stated || rule.pattern === subject.whole);
}
