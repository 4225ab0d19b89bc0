/** Tells what would be decided about a call, part by part, for people who write rules. */
import type { PermissionAction } from "@kedge/protocol";
import { actionOf, type Finding, judge, reasonOf, weigh } from "./judge.ts";
import { type SourcedRule, verdictsOf } from "./sources.ts";
import type { JudgeCall, JudgeContext } from "./subject.ts";
import { subjectsOf } from "./subjects.ts";

export type CallExplanation = {
  readonly verdict: PermissionAction;
  readonly parts: readonly ExplainedPart[];
  readonly why: string;
};

export type ExplainedPart = {
  readonly permission: string;
  readonly text: string;
  readonly verdict: PermissionAction;
  /** The rule that decided, if one did. */
  readonly rule?: SourcedRule;
  readonly why: string;
  /** What each source that speaks of it says. */
  readonly sources: readonly SourcedRule[];
};

export function explainCall(call: JudgeCall, context: JudgeContext): CallExplanation {
  const verdict = judge(call, context);
  const parts = weigh(call, subjectsOf(call, context), context).map((finding) => explainFinding(finding, context));
  const why = verdict.verdict === "ask" ? verdict.reason : verdict.decision.reason;
  return { verdict: verdict.verdict, parts, why };
}

function explainFinding(finding: Finding, context: JudgeContext): ExplainedPart {
  const { subject, rule } = finding;
  return {
    permission: subject.permission,
    text: subject.stated,
    verdict: actionOf(finding),
    ...(rule !== undefined && { rule }),
    why: reasonOf(finding, context),
    sources: verdictsOf(subject, context),
  };
}
