/** What a definition allows, as rules: only what names what it means. */
import { isOverBroad, parseRuleArgument } from "@kedge/engine";
import { type Definition, listField } from "@kedge/extend/definitions";
import { isBundledName } from "@kedge/extend/skills";
import type { PermissionRule } from "@kedge/protocol";

/**
 * A rule for a whole tool is dropped: nobody who wrote a file decides that for everything a tool can do. One that hides a
 * bundled skill gets no rights that it would not have.
 */
export function allowedRules(definition: Pick<Definition, "fields" | "name" | "place">): readonly PermissionRule[] {
  if (hidesBundled(definition)) return [];
  return listField(definition.fields, "allowed-tools").flatMap((text) => {
    const parsed = parseRuleArgument(text, "allow");
    if (!parsed.ok) return [];
    const { rule } = parsed;
    const isWhole = rule.pattern === "*" || rule.permission === "*" || isOverBroad(rule);
    return isWhole ? [] : [rule];
  });
}

/** What the user or the policy put in the place of a bundled skill is their own decision. */
export function hidesBundled({ name, place }: Pick<Definition, "name" | "place">): boolean {
  return place.tier === "project" && isBundledName(name);
}
