/** Removes an allow rule that a person gave for the project from the user's own file there, keeping everything else in it. */
import { canonicalPermission } from "@kedge/engine";
import { isJsonObject, type PermissionRule, type SaveRules } from "@kedge/protocol";
import type { Settings } from "../configuration/setting-file.ts";
import type { TrustParts } from "../trust/workspace-trust.ts";
import { type Changed, changeLocalFile, rulesIn, ruleText, type SettingsText } from "./saved-rules.ts";

export async function removeRuleOfProject(
  rule: PermissionRule,
  parts: TrustParts,
): Promise<Awaited<ReturnType<SaveRules>>> {
  return changeLocalFile(parts, {
    verb: "remove",
    apply: (text, language) => withoutRule(text, rule, language),
    notice: (name) => `Removed from ${name}: ${ruleText(rule)}.`,
  });
}

function withoutRule(before: string, rule: PermissionRule, language: SettingsText): Changed {
  let text = before;
  for (;;) {
    const settings = language.parse(text);
    const rules = settings === undefined ? undefined : rulesIn(settings);
    if (settings === undefined || rules === undefined) return { ok: false, why: "the file is invalid. Fix it first" };
    if (!rules.some((each) => isSame(each, rule))) {
      if (text === before) return { ok: false, why: "the rule is not in the file. Remove it where it is set" };
      return { ok: true, text };
    }
    // A list may hold the same rule more than once.
    const place = placeOf(settings, rule);
    if (place === undefined) return { ok: false, why: "its rules use a form that kedge cannot change" };
    text = language.edit(text, place, undefined);
  }
}

/** Where in the settings the rule is written; undefined for forms that hold more than this rule. */
function placeOf({ permission }: Settings, rule: PermissionRule): readonly (string | number)[] | undefined {
  if (Array.isArray(permission)) {
    const at = permission.findIndex((each) => rulesIn({ permission: [each] })?.some((own) => isSame(own, rule)));
    return at === -1 ? undefined : ["permission", at];
  }
  if (!isJsonObject(permission)) return undefined;
  for (const [name, value] of Object.entries(permission)) {
    if (canonicalPermission(name) !== rule.permission) continue;
    if (value === rule.action && rule.pattern === "*") return ["permission", name];
    if (!isJsonObject(value) || value[rule.pattern] !== rule.action) continue;
    return Object.keys(value).length === 1 ? ["permission", name] : ["permission", name, rule.pattern];
  }
  return undefined;
}

function isSame(left: PermissionRule, right: PermissionRule): boolean {
  return left.permission === right.permission && left.pattern === right.pattern && left.action === right.action;
}
