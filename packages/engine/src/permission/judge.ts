/** The judge: decides from rules, mode and defaults whether a call may run, may not, or needs a person. */
import type { PermissionDecision, PermissionRule } from "@kedge/protocol";
import { forbiddenWhilePlanning, type Level, levelWithoutRule } from "./defaults.ts";
import { canonicalPermission } from "./names.ts";
import { decidingRule, rulesAbout, type SourcedRule } from "./sources.ts";
import { forbiddenFile, type JudgeCall, type JudgeContext, type Subject, subjectsOf, wholeTool } from "./subjects.ts";

export type AllowVerdict = { readonly verdict: "allow"; readonly decision: PermissionDecision };

export type DenyVerdict = {
  readonly verdict: "deny";
  readonly decision: PermissionDecision;
  readonly permission: string;
  /** Rules of that permission that matched or could match, for the text that the model reads. */
  readonly related: readonly SourcedRule[];
};

export type AskVerdict = {
  readonly verdict: "ask";
  /** The permission of the first string; `unanswered` names those of all. */
  readonly permission: string;
  /** Exactly the strings that need an answer. */
  readonly patterns: readonly string[];
  /** Patterns of `grants`, for display. Empty means that "always" is not offered. */
  readonly always: readonly string[];
  /** What to record when the answer is "always". */
  readonly grants: readonly PermissionRule[];
  /** The same strings in the form that a rule would have to name. */
  readonly unanswered: readonly { readonly permission: string; readonly pattern: string }[];
  readonly reason: string;
  /** Rules that demand the question. */
  readonly rules: readonly SourcedRule[];
};

export type Verdict = AllowVerdict | DenyVerdict | AskVerdict;

/** How one subject was decided. */
type Finding = { readonly subject: Subject; readonly rule?: SourcedRule; readonly level: Level | undefined };

/** Pure: the same call and context always give the same verdict. Called by the pipeline before every tool run. */
export function judge(call: JudgeCall, context: JudgeContext): Verdict {
  const forbidden = forbiddenFile(call, context);
  if (forbidden !== undefined) {
    const reason = `${forbidden} is closed to every tool`;
    return denied("secret_file", { behavior: "deny", source: "guard", reason, rules: [] }, []);
  }
  const root = context.root ?? call.cwd;
  const subjects = subjectsOf(call, context);
  const asked: Finding[] = [];
  const allowed: Finding[] = [];
  const toolRule = ruleForToolName(call, subjects, context);
  if (toolRule?.rule?.action === "deny") return deniedByRule(toolRule.subject, toolRule.rule, context);
  if (toolRule !== undefined) asked.push(toolRule);
  for (const subject of subjects) {
    const rule = decidingRule(subject, context);
    if (rule?.action === "deny") return deniedByRule(subject, rule, context);
    const level = rule === undefined ? levelWithoutRule(subject, context.mode, root) : undefined;
    const finding: Finding = rule === undefined ? { subject, level } : { subject, rule, level };
    ((rule ?? level)?.action === "allow" ? allowed : asked).push(finding);
  }
  if (context.mode === "plan" && forbiddenWhilePlanning(call, subjects, root)) {
    const reason = `plan mode forbids ${call.tool}, which changes something`;
    const permission = subjects[0]?.permission ?? canonicalPermission(call.tool);
    return denied(permission, { behavior: "deny", source: "mode", reason, rules: [] }, []);
  }
  return asked.length > 0 ? question(asked, context) : { verdict: "allow", decision: allowance(allowed, context) };
}

/** A rule may name the tool although the tool states its needs under other permissions; it can only tighten. */
function ruleForToolName(call: JudgeCall, subjects: readonly Subject[], context: JudgeContext): Finding | undefined {
  if (context.rules.length === 0) return undefined;
  const permission = canonicalPermission(call.tool);
  if (subjects.some((subject) => subject.permission === permission)) return undefined;
  const subject = wholeTool(permission);
  const rule = decidingRule(subject, context);
  if (rule === undefined || rule.action === "allow") return undefined;
  return { subject, rule, level: undefined };
}

function deniedByRule(subject: Subject, rule: SourcedRule, context: JudgeContext): DenyVerdict {
  const reason = `${ruleText(rule)} forbids ${subject.stated}`;
  const decision: PermissionDecision = { behavior: "deny", source: "rule", reason, rules: [rule] };
  return denied(subject.permission, decision, rulesAbout(subject.permission, context));
}

function denied(permission: string, decision: PermissionDecision, related: readonly SourcedRule[]): DenyVerdict {
  return { verdict: "deny", decision, permission, related };
}

function question(asked: readonly Finding[], context: JudgeContext): AskVerdict {
  const unanswered = asked.map(({ subject }) => ({
    permission: subject.permission,
    pattern: subject.spellings[0] ?? subject.stated,
  }));
  const canGrant = asked.every(({ subject, rule }) => subject.always.length > 0 && rule?.source !== "policy");
  const grants = canGrant ? asked.flatMap(({ subject }) => grantsFor(subject)) : [];
  return {
    verdict: "ask",
    permission: unanswered[0]?.permission ?? "",
    patterns: [...new Set(asked.map(({ subject }) => subject.stated))],
    always: [...new Set(grants.map(({ pattern }) => pattern))],
    grants: distinct(grants),
    unanswered,
    reason: reasons(asked, context),
    rules: distinct(asked.flatMap(({ rule }) => (rule === undefined ? [] : [rule]))),
  };
}

function grantsFor(subject: Subject): readonly PermissionRule[] {
  return subject.always.map((pattern) => ({ permission: subject.permission, pattern, action: "allow" }));
}

/** Named after the strongest cause: a rule before the mode, the mode before the default. */
function allowance(allowed: readonly Finding[], context: JudgeContext): PermissionDecision {
  const rules = allowed.flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
  const byMode = allowed.some(({ level }) => level?.source === "mode");
  return {
    behavior: "allow",
    source: rules.length > 0 ? "rule" : byMode ? "mode" : "default",
    reason: reasons(allowed, context),
    rules: distinct(rules),
  };
}

function reasons(findings: readonly Finding[], context: JudgeContext): string {
  const [first, ...others] = findings;
  if (first === undefined) return "nothing is needed";
  if (others.length === 0) return reasonOf(first, context);
  return [...new Set(findings.map((finding) => reasonOf(finding, context)))].join("; ");
}

function reasonOf({ subject, rule, level }: Finding, context: JudgeContext): string {
  const { permission, stated } = subject;
  if (rule !== undefined) return `${ruleText(rule)} ${rule.action === "allow" ? "allows" : "asks about"} ${stated}`;
  if (level?.source === "mode") return `the mode ${context.mode} allows ${permission}`;
  if (level?.action === "allow") return `${permission} is allowed by default`;
  if (permission === "external_directory") return `${stated} is outside the workspace`;
  if (permission === "secret_file") return `${stated} may hold secrets`;
  return `no rule allows ${permission} of ${stated}`;
}

function ruleText(rule: SourcedRule): string {
  return `the ${rule.source} rule ${rule.permission} ${JSON.stringify(rule.pattern)}`;
}

function distinct<Rule extends PermissionRule>(rules: readonly Rule[]): readonly Rule[] {
  if (rules.length < 2) return rules;
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}
