/** Matches rules with a subject and combines what the sources say: any deny wins, then policy, grants, the stricter side. */
import type { PermissionRule, RuleSource } from "@kedge/protocol";
import { type GlobOptions, matchGlob } from "./glob.ts";
import { namesPermission } from "./names.ts";
import { matchCommandTexts } from "./shell-text.ts";
import type { JudgeContext, Subject } from "./subjects.ts";

export type SourcedRule = PermissionRule & { readonly source: RuleSource };

type Verdicts = { [Source in RuleSource]?: SourcedRule };

/** Sources that belong to the user, the first one that speaks being heard. */
const trustedSources: readonly RuleSource[] = ["command-line", "flag", "local", "user"];

/** The rule that decides about the subject, or undefined if none does. */
export function decidingRule(subject: Subject, context: JudgeContext): SourcedRule | undefined {
  if (context.rules.length === 0 && context.grants.length === 0) return undefined;
  const verdicts: Verdicts = {};
  for (const set of context.rules) {
    const rule = lastMatch(set.rules, set.source, subject, context);
    if (rule !== undefined) verdicts[set.source] = { ...rule, source: set.source };
  }
  const grant = lastMatch(context.grants, "session", subject, context);
  if (grant !== undefined) verdicts.session = { ...grant, source: "session" };
  return combine(verdicts);
}

/** Rules of the subject's permission, matching or not, in the order of the sources given. */
export function rulesAbout(permission: string, context: JudgeContext): readonly SourcedRule[] {
  const about: SourcedRule[] = [];
  for (const set of [...context.rules, { source: "session" as const, rules: context.grants }]) {
    for (const rule of set.rules) {
      if (namesPermission(rule.permission, permission)) about.push({ ...rule, source: set.source });
    }
  }
  return about;
}

function combine(verdicts: Verdicts): SourcedRule | undefined {
  for (const rule of Object.values(verdicts)) if (rule.action === "deny") return rule;
  if (verdicts.policy !== undefined) return verdicts.policy;
  if (verdicts.session !== undefined) return verdicts.session;
  const trusted = trustedSources.find((source) => verdicts[source] !== undefined);
  const mine = trusted === undefined ? undefined : verdicts[trusted];
  // What is left of the project is an ask, and nothing short of a deny is stricter.
  if (verdicts.project !== undefined) return mine?.action === "ask" ? mine : verdicts.project;
  return mine ?? verdicts.builtin;
}

function lastMatch(
  rules: readonly PermissionRule[],
  source: RuleSource,
  subject: Subject,
  context: JudgeContext,
): PermissionRule | undefined {
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index];
    if (rule === undefined) continue;
    // A checked-in file can be written by strangers: it tightens and never loosens.
    if (source === "project" && rule.action === "allow") continue;
    if (namesPermission(rule.permission, subject.permission) && matches(rule, source, subject, context)) return rule;
  }
  return undefined;
}

function matches(rule: PermissionRule, source: RuleSource, subject: Subject, context: JudgeContext): boolean {
  if (subject.permission === "bash") {
    // Without reading the command as a shell would, a wildcard could allow what hides behind an operator.
    if (rule.action === "allow") return rule.pattern === subject.stated && rule.pattern !== "*";
    return matchCommandTexts(rule.pattern, subject.commandTexts, { home: context.home });
  }
  if (rule.pattern === "*") return true;
  const options: GlobOptions = {
    home: context.home,
    ignoreCase: subject.path !== undefined && context.ignorePathCase === true,
  };
  for (const spelling of subject.spellings) if (matchGlob(rule.pattern, spelling, options)) return true;
  // The user granted what the tool stated, which may be spelled from the working directory and not from the root.
  return source === "session" && matchGlob(rule.pattern, subject.stated, options);
}
