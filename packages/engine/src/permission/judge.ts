/** The judge: decides from rules, mode and defaults whether a call may run, may not, or needs a person. */
import type { Look, PermissionAction, PermissionDecision, PermissionRule } from "@kedge/protocol";
import { type BuiltinGuard, builtinGuard } from "./builtin-guards.ts";
import { forbiddenWhilePlanning, type Level, levelWithoutRule } from "./defaults.ts";
import { canonicalPermission } from "./names.ts";
import { decidingRule, rulesAbout, type SourcedRule } from "./sources.ts";
import type { JudgeCall, JudgeContext, Subject } from "./subject.ts";
import { forbiddenFile, subjectsOf, wholeTool } from "./subjects.ts";

export type AllowVerdict = {
  readonly verdict: "allow";
  readonly decision: PermissionDecision;
  /** Allowed because it only looks, and therefore only where it cannot act. */
  readonly look?: AllowedLook;
};

/** Files that the call names and may read. */
export type AllowedLook = Pick<Look, "shown" | "histories" | "onlyNames">;

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
  /** A rule cannot answer it, only a person can. */
  readonly isGuarded: boolean;
  /** Nothing in it but what the rules leave open: no guard, concern, secret, risky option or place outside. */
  readonly isOrdinary: boolean;
  /** The commands among the strings that act outside of this machine. */
  readonly outward: readonly string[];
  /**
   * Nobody wished to be asked and nothing in it is beyond a model's judgement, so that one may answer in auto mode;
   * about `outward` only if the user asked for each of them.
   */
  readonly canClassify: boolean;
};

export type Verdict = AllowVerdict | DenyVerdict | AskVerdict;

/** How one subject was decided. */
export type Finding = {
  readonly subject: Subject;
  readonly rule?: SourcedRule;
  readonly guard?: BuiltinGuard;
  readonly level?: Level;
};

/** Pure: the same call and context always give the same verdict. Called by the pipeline before every tool run. */
export function judge(call: JudgeCall, context: JudgeContext): Verdict {
  const subjects = subjectsOf(call, context);
  const forbidden = forbiddenFile(call, subjects, context);
  if (forbidden !== undefined) {
    const reason = `${forbidden} is off limits to every tool`;
    return denied("secret_file", { behavior: "deny", source: "guard", reason, rules: [] }, []);
  }
  const findings = weigh(call, subjects, context);
  const refusal = findings.find((finding) => actionOf(finding) === "deny");
  if (refusal !== undefined) return deniedFor(refusal, context);
  const root = context.root ?? call.cwd;
  if (context.mode === "plan" && forbiddenWhilePlanning(call, subjects, root)) {
    const reason = `plan mode does not allow ${call.tool}, which makes changes`;
    const permission = subjects[0]?.permission ?? canonicalPermission(call.tool);
    return denied(permission, { behavior: "deny", source: "mode", reason, rules: [] }, []);
  }
  const asked = findings.filter((finding) => actionOf(finding) === "ask");
  if (asked.length > 0) return question(asked, context);
  const decision = allowance(findings, context);
  // Who allowed the whole text in so many words has seen what it comes upon.
  const isHeld = ({ subject, level, rule }: Finding) =>
    level?.isConfined || (subject.needsView && context.mode !== "bypass" && rule?.pattern !== subject.whole);
  return findings.some(isHeld)
    ? { verdict: "allow", decision, look: allowedLook(findings) }
    : { verdict: "allow", decision };
}

function allowedLook(findings: readonly Finding[]): AllowedLook {
  const histories = [...new Set(findings.flatMap(({ subject }) => subject.histories ?? []))];
  const commands = findings.filter(({ subject }) => subject.permission === "bash");
  return {
    shown: findings.flatMap(namedFile),
    ...(histories.length > 0 && { histories }),
    ...(commands.every(({ subject }) => subject.onlyNames) && { onlyNames: true }),
  };
}

/** What is named was judged by itself, with its place and its secrets. */
function namedFile({ subject: { permission, path } }: Finding): readonly string[] {
  return permission === "read" && path !== undefined ? [path] : [];
}

/** Each subject by itself, the tool's own name first. */
export function weigh(call: JudgeCall, subjects: readonly Subject[], context: JudgeContext): readonly Finding[] {
  const root = context.root ?? call.cwd;
  const byName = ruleForToolName(call, subjects, context);
  const findings: Finding[] = byName === undefined ? [] : [byName];
  for (const subject of subjects) {
    const deciding = decidingRule(subject, context);
    const isFree = deciding !== undefined && !context.isTrial && isLookOfProject(deciding, subject);
    const rule = isFree ? undefined : deciding;
    const guard = context.isTrial ? undefined : builtinGuard(subject, rule);
    if (guard !== undefined && rule?.action !== "deny") findings.push({ subject, guard });
    else
      findings.push(
        rule === undefined ? { subject, level: levelWithoutRule(subject, context, root) } : { subject, rule },
      );
  }
  return findings;
}

/** A look is free where it cannot act. That a file of the project allows it too is no reason to show it what is hidden. */
function isLookOfProject({ action, source }: SourcedRule, { look, floor }: Subject): boolean {
  return (
    action === "allow" && (source === "project" || source === "agent") && look === "confined" && floor === undefined
  );
}

export function actionOf({ rule, guard, level }: Finding): PermissionAction {
  return guard?.action ?? rule?.action ?? level?.action ?? "ask";
}

/** A rule may name the tool although the tool states its needs under other permissions; it can only tighten. */
function ruleForToolName(call: JudgeCall, subjects: readonly Subject[], context: JudgeContext): Finding | undefined {
  if (context.rules.length === 0) return undefined;
  const permission = canonicalPermission(call.tool);
  if (subjects.some((subject) => subject.permission === permission)) return undefined;
  const subject = wholeTool(permission);
  const rule = decidingRule(subject, context);
  return rule === undefined || rule.action === "allow" ? undefined : { subject, rule };
}

function deniedFor(finding: Finding, context: JudgeContext): DenyVerdict {
  const { subject, rule } = finding;
  const reason = reasonOf(finding, context);
  if (rule === undefined)
    return denied(subject.permission, { behavior: "deny", source: "guard", reason, rules: [] }, []);
  const decision: PermissionDecision = { behavior: "deny", source: "rule", reason, rules: [rule] };
  return denied(subject.permission, decision, rulesAbout(subject.permission, context));
}

function denied(permission: string, decision: PermissionDecision, related: readonly SourcedRule[]): DenyVerdict {
  return { verdict: "deny", decision, permission, related };
}

function question(asked: readonly Finding[], context: JudgeContext): AskVerdict {
  const unanswered = asked.map(({ subject }) => nameForRule(subject));
  const canGrant = asked.every(
    ({ subject, rule, guard }) =>
      subject.always.length > 0 && rule?.source !== "policy" && rule?.source !== "agent" && guard === undefined,
  );
  const grants = canGrant ? grantsFor(asked.map(({ subject }) => subject)) : [];
  const isOrdinary = asked.every(isUnremarkable);
  return {
    verdict: "ask",
    permission: unanswered[0]?.permission ?? "",
    patterns: [...new Set(asked.map(({ subject }) => subject.stated))],
    always: [...new Set(grants.map(({ pattern }) => pattern))],
    grants: distinct(grants),
    unanswered,
    reason: reasons(asked, context),
    rules: distinct(asked.flatMap(({ rule }) => (rule === undefined ? [] : [rule]))),
    isGuarded: asked.some(({ subject, guard }) => subject.floor?.kind === "guard" || guard !== undefined),
    isOrdinary,
    outward: [...new Set(asked.flatMap(({ subject }) => (subject.outward === undefined ? [] : [subject.stated])))],
    canClassify: isOrdinary && asked.every(({ rule }) => rule === undefined),
  };
}

const remarkable: ReadonlySet<string> = new Set([
  ...["secret_file", "doom_loop", "external_directory", "plan", "sandbox_network"],
]);

function isUnremarkable({ subject, guard }: Finding): boolean {
  if (guard !== undefined || (subject.riskyOptions ?? []).length > 0) return false;
  // What is sent outside must be known to the last word.
  if (subject.outward !== undefined && subject.certain !== undefined) return false;
  return subject.floor === undefined && !remarkable.has(subject.permission);
}

/** What was raised by a concern is lifted only by a rule that spells out the whole command. */
function nameForRule({ permission, spellings, stated, floor, whole }: Subject): AskVerdict["unanswered"][number] {
  if (floor !== undefined && whole !== undefined) return { permission: "bash", pattern: whole };
  return { permission, pattern: spellings[0] ?? stated };
}

/** A command that is granted to the last word brings its files along; a rule for one of them would permit more. */
function grantsFor(subjects: readonly Subject[]): readonly PermissionRule[] {
  const commands = new Set(subjects.flatMap(({ permission, always }) => (permission === "bash" ? always : [])));
  return subjects.flatMap(({ permission, always, whole }) => {
    if (permission !== "bash" && whole !== undefined && commands.has(whole)) return [];
    return always.map((pattern) => ({ permission, pattern, action: "allow" as const }));
  });
}

/** Named after the strongest cause: a rule before the mode, the mode before the sandbox and the default. */
function allowance(allowed: readonly Finding[], context: JudgeContext): PermissionDecision {
  const rules = allowed.flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
  const source = (["mode", "sandbox"] as const).find((one) => allowed.some(({ level }) => level?.source === one));
  return {
    behavior: "allow",
    source: rules.length > 0 ? "rule" : (source ?? "default"),
    reason: reasons(allowed, context),
    rules: distinct(rules),
    ...(allowed.some(({ subject }) => subject.outward !== undefined) && { outward: true }),
  };
}

function reasons(findings: readonly Finding[], context: JudgeContext): string {
  const [first, ...others] = findings;
  if (first === undefined) return "nothing is needed";
  if (others.length === 0) return reasonOf(first, context);
  return [...new Set(findings.map((finding) => reasonOf(finding, context)))].join("; ");
}

const verbs: { readonly [Action in PermissionAction]: string } = {
  allow: "allows",
  ask: "asks about",
  deny: "denies",
};

/** What is not a command is named with what would be done to it. */
const doing: { readonly [permission: string]: string } = {
  bash: "",
  edit: "editing ",
  read: "reading ",
  webfetch: "fetching ",
};

export function reasonOf({ subject, rule, guard, level }: Finding, context: JudgeContext): string {
  const { permission, stated, floor } = subject;
  if (guard !== undefined) {
    const lift = guard.action === "deny" ? "; only a user rule that names this exact command allows it" : "";
    return `${stated}: ${guard.why}${lift}`;
  }
  if (rule !== undefined) return `${ruleText(rule)} ${verbs[rule.action]} ${stated}`;
  if (level?.source === "mode") return `${context.mode} mode allows ${permission}`;
  if (level?.source === "sandbox") return `${stated} runs in the sandbox`;
  if (level?.action === "allow") return allowedReason(subject);
  if (floor !== undefined) return `${stated}: ${floor.why}`;
  if (permission === "external_directory") return `${stated} is outside the workspace`;
  if (permission === "secret_file") return `${stated} may contain secrets`;
  if (permission === "sandbox_network")
    return `the command in the sandbox waits to connect to ${stated}, which is not in sandbox.allowedHosts`;
  if (subject.look === "not" && subject.riskyOptions?.length === 0 && !context.isTrial)
    return `${stated} is read-only but cannot be confined here, and no rule covers it`;
  const risks = subject.riskyOptions ?? [];
  if (risks.length > 0)
    return `no rule that names ${risks.map(({ spellings: [name] }) => name).join(", ")} covers ${stated}`;
  return `no rule covers ${doing[permission] ?? `${permission} `}${stated}`;
}

function allowedReason({ permission, stated, look, isTransparent }: Subject): string {
  if (isTransparent) return `${stated} is judged by the command it starts`;
  if (look !== undefined) return `${stated} is read-only`;
  return `${permission} is allowed by default`;
}

function ruleText(rule: SourcedRule): string {
  return `the ${rule.source} rule ${rule.permission} ${JSON.stringify(rule.pattern)}`;
}

function distinct<Rule extends PermissionRule>(rules: readonly Rule[]): readonly Rule[] {
  if (rules.length < 2) return rules;
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}
