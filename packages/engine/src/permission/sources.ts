/** Matches rules with a subject and combines what the sources say: any deny wins, then policy, grants, the stricter side. */
import type { PermissionRule, RuleSource } from "@kedge/protocol";
import { type GlobOptions, matchGlob } from "./glob.ts";
import { namesPermission } from "./names.ts";
import { isOverBroad } from "./over-broad.ts";
import { matchCommandTexts } from "./shell-text.ts";
import type { JudgeContext, Subject } from "./subject.ts";

export type SourcedRule = PermissionRule & { readonly source: RuleSource };

type Verdicts = { [Source in RuleSource]?: SourcedRule };

/** Sources that belong to the user, the first one that speaks being heard. */
const trustedSources: readonly RuleSource[] = ["command-line", "flag", "local", "user"];

/** The rule that decides about the subject, or undefined if none does. */
export function decidingRule(subject: Subject, context: JudgeContext): SourcedRule | undefined {
  if (context.rules.length === 0 && context.grants.length === 0) return undefined;
  const rule = combine(collect(subject, context));
  return rule?.action === "allow" ? (ruleThatMayMatch(subject, rule, context) ?? rule) : rule;
}

/**
 * A stricter rule that would win if the unknown rest of the command turned out so. It asks: a person can look at what
 * stands there, and knows what it will be.
 */
function ruleThatMayMatch(subject: Subject, allowing: SourcedRule, context: JudgeContext): SourcedRule | undefined {
  const { certain } = subject;
  if (certain === undefined || allowing.pattern === subject.whole) return undefined;
  for (const { source, rules } of context.rules) {
    const from = source === allowing.source ? rules.findLastIndex((rule) => isSameRule(rule, allowing)) + 1 : 0;
    for (const rule of rules.slice(from)) {
      if (rule.action === "allow" || !namesPermission(rule.permission, "bash")) continue;
      const literal = rule.pattern.split(/[*?]/, 1)[0] ?? "";
      if (literal.length > certain.length && literal.startsWith(certain)) return { ...rule, action: "ask", source };
    }
  }
  return undefined;
}

function isSameRule(left: PermissionRule, right: PermissionRule): boolean {
  return left.permission === right.permission && left.pattern === right.pattern && left.action === right.action;
}

/** The rule of each source that decides for it, in no order. */
export function verdictsOf(subject: Subject, context: JudgeContext): readonly SourcedRule[] {
  return Object.values(collect(subject, context));
}

function collect(subject: Subject, context: JudgeContext): Verdicts {
  const verdicts: Verdicts = {};
  for (const set of context.rules) {
    const rule = lastMatch(set.rules, set.source, subject, context);
    if (rule !== undefined) verdicts[set.source] = { ...rule, source: set.source };
  }
  const grant = lastMatch(context.grants, "session", subject, context);
  if (grant !== undefined) verdicts.session = { ...grant, source: "session" };
  return verdicts;
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
  // The definition of an agent only tightens: its questions are asked whatever others allow.
  if (verdicts.agent?.action === "ask") return verdicts.agent;
  if (verdicts.policy !== undefined) return verdicts.policy;
  if (verdicts.session !== undefined) return verdicts.session;
  const trusted = trustedSources.find((source) => verdicts[source] !== undefined);
  const mine = trusted === undefined ? undefined : verdicts[trusted];
  // A checked-in file can be written by strangers: against what the user says it only tightens.
  const { project } = verdicts;
  if (mine !== undefined && project !== undefined)
    return mine.action === "ask" ? mine : project.action === "ask" ? project : mine;
  return mine ?? project ?? verdicts.agent ?? verdicts.builtin;
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
    // What would permit anything is no answer of the user to this command.
    if (context.mode === "auto" && subject.permission === "bash" && isOverBroad(rule)) continue;
    if (namesPermission(rule.permission, subject.permission) && matches(rule, source, subject, context)) return rule;
    if (!isOfOthers(source) && allowsWhole(rule, subject)) return rule;
  }
  return undefined;
}

/** Not written by the user for this machine. */
function isOfOthers(source: RuleSource): boolean {
  return source === "project" || source === "agent";
}

function matches(rule: PermissionRule, source: RuleSource, subject: Subject, context: JudgeContext): boolean {
  if (rule.action === "allow" && subject.floor !== undefined) return !isOfOthers(source) && isSpelledOut(rule, subject);
  if (subject.permission === "bash") return matchesCommand(rule, subject, context);
  if (rule.pattern === "*") return true;
  const options: GlobOptions = {
    home: context.home,
    ignoreCase: subject.path !== undefined && context.ignorePathCase === true,
  };
  const { spellings, grantSpellings = [...spellings, subject.stated] } = subject;
  const tried = source === "session" ? grantSpellings : spellings;
  return tried.some((spelling) => matchGlob(rule.pattern, spelling, options));
}

function matchesCommand(rule: PermissionRule, subject: Subject, context: JudgeContext): boolean {
  const { pattern, action } = rule;
  const options: GlobOptions = { home: context.home };
  if (action === "allow") {
    if (isSpelledOut(rule, subject)) return true;
    return matchGlob(pattern, subject.stated, options) && namesRisks(pattern, subject);
  }
  // A rule for everything does not mean what merely starts another command.
  if (subject.isTransparent && action === "ask" && pattern === "*") return false;
  if (subject.isRaw) return pattern === "*" || matchCommandTexts(pattern, subject.commandTexts, options);
  if (matchGlob(pattern, subject.stated, options)) return true;
  return subject.commandTexts.some((text) => matchGlob(pattern, text, options));
}

/** Who allowed a command in so many words allowed the files that it names. */
function allowsWhole(rule: PermissionRule, subject: Subject): boolean {
  return (
    rule.action === "allow" &&
    subject.whole !== undefined &&
    namesPermission(rule.permission, "bash") &&
    isSpelledOut(rule, subject)
  );
}

/** The user has seen exactly this text and wrote it down. */
function isSpelledOut({ pattern }: PermissionRule, { whole, stated, floor }: Subject): boolean {
  if (floor?.kind === "unreviewed") return pattern === stated;
  return pattern === whole && pattern !== "*" && floor?.kind !== "guard";
}

/** An option that turns a harmless program into another one is allowed only by a rule that names it. */
function namesRisks(pattern: string, { riskyOptions = [] }: Subject): boolean {
  if (riskyOptions.length === 0) return true;
  const words = pattern.split(/\s+/);
  return riskyOptions.every(({ spellings }) =>
    spellings.some((option) =>
      words.some((word) => word.replace(/\*+$/, "") === option || word.startsWith(`${option}=`)),
    ),
  );
}
