/** Joins what the gates and phases from outside found with the judge's verdict, into one question. */
import type { Need } from "@kedge/protocol";
import type { Gated } from "../../gates/index.ts";
import type { AllowVerdict, AskVerdict } from "../../permission/index.ts";

/** What a question is about. */
export type NamedCall = { readonly tool: string; readonly needs: readonly Need[] };

export const openGates: Gated = { evidence: [], isIrreversible: false };

/** What the gates ask about is for a person alone, and no answer lasts longer than the call. */
export function raiseVerdict(verdict: AllowVerdict | AskVerdict, call: NamedCall, gated: Gated): AskVerdict {
  const { raise, isIrreversible } = gated;
  const question = verdict.verdict === "ask" ? verdict : questionOf(call, raise?.reason ?? verdict.decision.reason);
  if (raise === undefined && !isIrreversible) return question;
  const reason =
    verdict.verdict === "ask" && raise !== undefined ? `${verdict.reason}; ${raise.reason}` : question.reason;
  return { ...question, reason, always: [], grants: [], isOrdinary: false, canClassify: false };
}

/** A question about all of a call. Nothing is proposed for "always": the next call may be another one. */
export function questionOf({ tool, needs }: NamedCall, reason: string): AskVerdict {
  const unanswered = needs.flatMap(({ permission, patterns }) => patterns.map((pattern) => ({ permission, pattern })));
  return {
    verdict: "ask",
    permission: unanswered[0]?.permission ?? tool,
    patterns: [...new Set(unanswered.map(({ pattern }) => pattern))],
    always: [],
    grants: [],
    unanswered,
    reason,
    rules: [],
    isGuarded: false,
    isOrdinary: false,
    outward: [],
    canClassify: false,
  };
}
