/** What rules say about a tool as a whole: such a tool is not even named to the model, or may run where nobody can ask. */
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

/**
 * True if a source allows every use of the tool and no source asks about or denies any. Nothing less will do for what
 * runs elsewhere, where nobody can be asked.
 */
export function isToolAllowed(tool: string, rules: readonly RuleSet[]): boolean {
  const permission = canonicalPermission(tool);
  const about = rules.flatMap((set) => set.rules.filter((rule) => namesPermission(rule.permission, permission)));
  return about.some((rule) => rule.pattern === "*") && about.every((rule) => rule.action === "allow");
}
