/** What a definition allows, as rules: only what names what it means. */
import { isOverBroad, parseRuleArgument } from "@kedge/engine";
import { type Definition, listField } from "@kedge/extend/definitions";
import type { PermissionRule } from "@kedge/protocol";

/** A rule for a whole tool is dropped: nobody who wrote a file decides that for everything a tool can do. */
export function allowedRules({ fields }: Pick<Definition, "fields">): readonly PermissionRule[] {
  return listField(fields, "allowed-tools").flatMap((text) => {
    const parsed = parseRuleArgument(text, "allow");
    if (!parsed.ok) return [];
    const { rule } = parsed;
    const isWhole = rule.pattern === "*" || rule.permission === "*" || isOverBroad(rule);
    return isWhole ? [] : [rule];
  });
}
