/** Tools that rules forbid altogether: the model is not even told about them. */
import type { RuleSet } from "@kedge/protocol";
import { canonicalPermission, namesPermission } from "./names.ts";

/** True if a source denies every use of the tool and takes nothing of it back in a later rule. */
export function isToolDenied(tool: string, rules: readonly RuleSet[]): boolean {
  const permission = canonicalPermission(tool);
  return rules.some((set) => {
    const about = set.rules.filter((rule) => namesPermission(rule.permission, permission));
    const wholeDeny = about.findLastIndex((rule) => rule.pattern === "*" && rule.action === "deny");
    return wholeDeny >= 0 && about.slice(wholeDeny).every((rule) => rule.action === "deny");
  });
}
