/** Turns the permission rules of Claude Code into rules of kedge that mean exactly the same, or says why there are none. */

import { isJsonObject, type PermissionAction } from "@kedge/protocol";
import { convertClaudeRule } from "../../configuration/claude-rule.ts";
import type { Findings, ImportLayer, Origin } from "../findings.ts";

/** `permissions` of a settings file. */
export function convertClaudeRules(
  permissions: unknown,
  layer: ImportLayer,
  { file }: Origin,
  findings: Findings,
): void {
  if (!isJsonObject(permissions)) {
    findings.notes.push({ file, key: "permissions", kind: "broken", why: "must be an object" });
    return;
  }
  for (const action of ["allow", "ask", "deny"] as const) {
    const texts = permissions[action] ?? [];
    if (!Array.isArray(texts)) {
      findings.notes.push({ file, key: `permissions.${action}`, kind: "broken", why: "must be a list" });
      continue;
    }
    for (const text of texts) addRule(text, { action, layer, file }, findings);
  }
}

type RulePlace = { readonly action: PermissionAction; readonly layer: ImportLayer; readonly file: string };

function addRule(text: unknown, { action, layer, file }: RulePlace, findings: Findings): void {
  const shown = typeof text === "string" ? text : JSON.stringify(text);
  const from = { file, key: `${action} ${shown}` };
  const converted = typeof text === "string" ? convertClaudeRule(text.trim(), { action, layer }) : undefined;
  if (converted === undefined) {
    findings.notes.push({ ...from, kind: "broken", why: "is not a rule" });
  } else if (converted.ok) {
    const { permission, patterns } = converted;
    for (const pattern of patterns)
      findings.rules.push({ layer, rule: { permission, pattern, action }, isOrdered: false, from });
  } else {
    findings.notes.push({ ...from, kind: "unsupported", why: converted.why });
    if (action !== "allow" && !converted.isIdle)
      findings.lostRules.push({ layer, permission: converted.permission, head: converted.head });
  }
}
