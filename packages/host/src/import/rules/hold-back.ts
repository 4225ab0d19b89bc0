/** Holds back rules that allow where a stricter rule got lost: without it they would allow more than they did. */
import { namesPermission } from "@kedge/engine";
import type { Findings, FoundRule } from "../findings.ts";
import { headOf, mayMeet } from "./rule-head.ts";

/** Whatever its layer, a rule that denied somewhere denied there as well. */
export function withoutWidened(findings: Findings): readonly FoundRule[] {
  const { rules, lostRules, notes } = findings;
  return rules.filter(({ rule, from }) => {
    if (rule.action !== "allow") return true;
    const isWidened = lostRules.some(
      ({ permission, head }) =>
        (namesPermission(rule.permission, permission) || namesPermission(permission, rule.permission)) &&
        mayMeet(head, headOf(rule.pattern, rule.permission)),
    );
    if (isWidened) {
      const why = "is held back, because a stricter rule that limits it cannot be converted";
      notes.push({ ...from, kind: "unsupported", why });
    }
    return !isWidened;
  });
}
