/** Holds back rules that allow where a stricter rule would not come along: without it they would allow more than they did. */

import { headOf, mayLimit } from "../../configuration/rule-head.ts";
import type { Findings, FoundRule } from "../findings.ts";

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
    const isLost = lostRules.some((lost) => mayLimit(lost, rule));
    const isAsked = layer === "local" && limits.some((limit) => mayLimit(limit, rule));
    if (!isLost && !isAsked) return true;
    const why = isLost ? "a stricter rule that limits it cannot be converted" : "your own settings ask about it";
    notes.push({ ...from, kind: "unsupported", why: `is not imported: ${why}` });
    return false;
  });
}
