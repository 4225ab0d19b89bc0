/** What the model reads when a call may not run: denied by rule, mode or guard, rejected by the user, or nobody there. */
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import type { AskVerdict, DenyVerdict } from "./judge.ts";
import { displayName } from "./names.ts";
import { parseRuleArgument } from "./rule-forms.ts";
import type { SourcedRule } from "./sources.ts";

const deniedByRule = textBeside(import.meta.url, "./texts/denied-by-rule.md");
const deniedWhilePlanning = textBeside(import.meta.url, "./texts/denied-while-planning.md");
const deniedByGuard = textBeside(import.meta.url, "./texts/denied-by-guard.md");
const rejected = textBeside(import.meta.url, "./texts/rejected.md");
const rejectedWithFeedback = textBeside(import.meta.url, "./texts/rejected-with-feedback.md");
const blockedLook = textBeside(import.meta.url, "./texts/blocked-look.md");
const headless = textBeside(import.meta.url, "./texts/headless.md");

const rulesListedMax = 20;
const remediesListedMax = 20;

export function denialText({ decision, permission, related }: DenyVerdict): string {
  const reason = decision.reason;
  switch (decision.source) {
    case "guard":
      return fillSlots(deniedByGuard, { reason });
    case "mode":
      return fillSlots(deniedWhilePlanning, { reason });
    case "rule":
    case "default":
    case "sandbox":
    case "classifier":
    case "user":
    case "headless":
    case "phase":
      return fillSlots(deniedByRule, { reason, permission, rules: rulesJson(decision.rules, related) });
  }
}

export function rejectionText(feedback?: string): string {
  return feedback === undefined || feedback.trim() === "" ? rejected : fillSlots(rejectedWithFeedback, { feedback });
}

/** For a run in which nobody can answer: names the rule that would have permitted the call. */
export function headlessText(question: AskVerdict): string {
  return fillSlots(headless, { reason: question.reason, remedy: remedy(question) });
}

/** For a look that was held back where nobody can be asked: names the rule that would run it normally. */
export function blockedLookText(question: AskVerdict, blocked: string): string {
  return fillSlots(blockedLook, { blocked, remedy: remedy(question) });
}

/** Keeps the order of the sources; when there are too many, the rules that decided stay and the latest others. */
function rulesJson(deciding: readonly SourcedRule[], related: readonly SourcedRule[]): string {
  const lines = related.map(ruleJson);
  const decidingLines = new Set(deciding.map(ruleJson));
  let spare = rulesListedMax - decidingLines.size;
  const kept: string[] = [];
  for (const line of lines.reverse()) {
    if (decidingLines.delete(line) || spare-- > 0) kept.push(line);
  }
  return `[${kept.reverse().join(",\n")}]`;
}

function ruleJson({ permission, pattern, action, source }: SourcedRule): string {
  return JSON.stringify({ permission, pattern, action, source });
}

/** The flags that would have allowed the call; undefined where none would. */
export function allowFlags({ unanswered, rules, isGuarded }: AskVerdict): string | undefined {
  return isGuarded || rules.some(isLocked) ? undefined : flagsFor(unanswered.slice(0, remediesListedMax));
}

/** These two outrank what a user allows, so no further rule would help. */
function isLocked({ source }: SourcedRule): boolean {
  return source === "policy" || source === "project";
}

function remedy({ unanswered, rules, isGuarded }: AskVerdict): string {
  if (isGuarded) return "No rule can allow it; it needs approval each time, in a session that can ask.";
  const locked = rules.find(isLocked);
  if (locked !== undefined) {
    return `The ${locked.source} rule ${ruleJson(locked)} demands an answer each time; only changing that rule permits it.`;
  }
  const listed = unanswered.slice(0, remediesListedMax);
  const flags = flagsFor(listed);
  const config = rules.length === 0 ? configFor(listed) : undefined;
  const ways = [
    flags === undefined ? undefined : `kedge started with ${flags}`,
    config === undefined ? undefined : `the setting ${config} in the user's configuration`,
  ].filter((way) => way !== undefined);
  return ways.length === 0
    ? `A rule {permission, pattern, action: "allow"} for ${JSON.stringify(listed)} would permit it.`
    : `What would permit it: ${ways.join(", or ")}.`;
}

function flagsFor(strings: AskVerdict["unanswered"]): string | undefined {
  const flags = strings.map(({ permission, pattern }) => flagFor(permission, pattern));
  return flags.length === 0 || flags.includes(undefined) ? undefined : flags.join(" ");
}

/** Undefined where the text would be read back as a different rule. */
function flagFor(permission: string, pattern: string): string | undefined {
  const text = pattern === "*" ? displayName(permission) : `${displayName(permission)}(${pattern})`;
  const parsed = parseRuleArgument(text, "allow");
  if (!parsed.ok || parsed.rule.permission !== permission || parsed.rule.pattern !== pattern) return undefined;
  return `--allow '${text.replaceAll("'", "'\\''")}'`;
}

function configFor(strings: AskVerdict["unanswered"]): string | undefined {
  const permission: { [name: string]: { [pattern: string]: "allow" } } = {};
  for (const { permission: name, pattern } of strings) {
    // Number-like keys are refused in this form.
    if (/^\d+$/.test(pattern) || /^\d+$/.test(name)) return undefined;
    permission[name] = { ...permission[name], [pattern]: "allow" };
  }
  return `"permission": ${JSON.stringify(permission)}`;
}
