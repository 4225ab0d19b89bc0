/** Holds back rules that allow where a stricter rule would not come along: without it they would allow more than they did. */
import { namesPermission } from "@kedge/engine";
import type { Findings, FoundRule } from "../findings.ts";
import { headOf, mayMeet } from "./rule-head.ts";

type Limit = { readonly permission: string; readonly head: string };

/**
 * `asked` are the rules of the user's own set-up that ask: in kedge, what one developer allows in a project is stronger
 * than they are.
 */
export function withoutWidened(findings: Findings, asked: readonly FoundRule[]): readonly FoundRule[] {
  const { rules, lostRules, notes } = findings;
  const limits = asked.map(({ rule }) => ({
    permission: rule.permission,
    head: headOf(rule.pattern, rule.permission),
  }));
  return rules.filter((found) => {
    const { rule, layer, from } = found;
    if (rule.action !== "allow") return true;
    const isLost = lostRules.some((lost) => mayLimit(lost, found));
    const isAsked = layer === "local" && limits.some((limit) => mayLimit(limit, found));
    if (!isLost && !isAsked) return true;
    const why = isLost ? "a stricter rule that limits it cannot be converted" : "your own settings ask about it";
    notes.push({ ...from, kind: "unsupported", why: `is held back, because ${why}` });
    return false;
  });
}

function mayLimit({ permission, head }: Limit, { rule }: FoundRule): boolean {
  const isSame = namesPermission(rule.permission, permission) || namesPermission(permission, rule.permission);
  return isSame && mayMeet(head, headOf(rule.pattern, rule.permission));
}
