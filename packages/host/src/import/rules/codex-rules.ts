/** Reads the command rules of Codex, which are calls of `prefix_rule` with literal arguments; anything else is noted. */
import type { PermissionAction } from "@kedge/protocol";
import type { Findings, ImportLayer, Origin } from "../findings.ts";
import { type RuleCall, readCalls } from "./starlark-calls.ts";

const actions: { readonly [decision: string]: PermissionAction } = { allow: "allow", prompt: "ask", forbidden: "deny" };

/** Words that are the same in a rule and in the text of a command, without quotes. */
const plainWord = /^[\w@%+=:,./~^-]+$/;
const spellingsMax = 64;

export function convertCodexRules(source: string, layer: ImportLayer, from: Origin, findings: Findings): void {
  const read = readCalls(source);
  for (const call of read.calls) convertCall(call, layer, from, findings);
  if (read.problem !== undefined) {
    const { line, why } = read.problem;
    findings.notes.push({ ...from, key: `line ${line}`, kind: "broken", why });
    // What follows is not known, and may forbid anything.
    findings.lostRules.push({ layer, permission: "bash", head: "" });
  }
}

function convertCall(call: RuleCall, layer: ImportLayer, { file }: Origin, findings: Findings): void {
  const from = { file, key: `line ${call.line}` };
  const { pattern, decision = "allow" } = call.fields;
  const action = typeof decision === "string" && Object.hasOwn(actions, decision) ? actions[decision] : undefined;
  const prefixes = prefixesOf(call, action);
  if (typeof prefixes === "string" || action === undefined) {
    findings.notes.push({ ...from, kind: "unsupported", why: String(prefixes) });
    if (action !== "allow") findings.lostRules.push({ layer, permission: "bash", head: headOfWords(pattern) });
    return;
  }
  for (const prefix of prefixes) {
    const rule = { permission: "bash", pattern: `${prefix} *`, action };
    findings.rules.push({ layer, rule, isOrdered: false, from });
  }
}

/** The text says why there are none. */
function prefixesOf({ name, fields }: RuleCall, action: PermissionAction | undefined): readonly string[] | string {
  if (name !== "prefix_rule") return `calls ${name}, which has no equivalent in kedge`;
  if (action === undefined) return "has an unknown decision";
  const prefixes = Array.isArray(fields["pattern"]) ? spell(fields["pattern"]) : undefined;
  const isExact = prefixes !== undefined && !prefixes.includes("");
  return isExact ? prefixes : "has a pattern without an exact equivalent";
}

/** Every way to say the words, where some have alternatives. */
function spell(words: readonly unknown[]): readonly string[] | undefined {
  let spellings: readonly string[] = [""];
  for (const word of words) {
    const choices = Array.isArray(word) ? word : [word];
    if (!choices.every((choice) => typeof choice === "string" && plainWord.test(choice))) return undefined;
    spellings = spellings.flatMap((start) => choices.map((choice) => (start === "" ? choice : `${start} ${choice}`)));
    if (spellings.length > spellingsMax) return undefined;
  }
  return spellings;
}

function headOfWords(pattern: unknown): string {
  const [first] = Array.isArray(pattern) ? pattern : [];
  return typeof first === "string" && plainWord.test(first) ? first : "";
}
