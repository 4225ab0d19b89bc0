/** Takes over the permissions of OpenCode, which have the order, the stars and the names that kedge's have. */
import { canonicalPermission, parsePermissionRules } from "@kedge/engine";
import { isJsonObject } from "@kedge/protocol";
import { headOf } from "../../configuration/rule-head.ts";
import type { Findings, ImportLayer, Origin } from "../findings.ts";
import { noteUnsupported } from "../note-settings.ts";

/** Permissions that mean the same in both. */
const names: ReadonlySet<string> = new Set([
  ...["*", "read", "edit", "glob", "grep", "list", "bash", "webfetch", "websearch", "codesearch"],
  ...["external_directory", "doom_loop", "task", "skill", "lsp", "question"],
]);

/** Of these kedge has the tool, and knows no patterns of its own for it. */
const wholeOnly: ReadonlySet<string> = new Set(["task", "skill", "question", "lsp"]);

export type OpencodePermissions = {
  readonly permission: unknown;
  /** Of older versions: a tool that is off is denied. */
  readonly tools: unknown;
};

export function convertOpencodeRules(
  { permission, tools }: OpencodePermissions,
  layer: ImportLayer,
  { file }: Origin,
  findings: Findings,
): void {
  for (const [name, isOn] of Object.entries(isJsonObject(tools) ? tools : {})) {
    const from = { file, key: `tools.${name}` };
    if (isOn === false && names.has(name)) {
      const rule = { permission: canonicalPermission(name), pattern: "*", action: "deny" as const };
      findings.rules.push({ layer, rule, isOrdered: true, from });
    } else noteUnsupported(findings, from, "Write a rule for it in permission.");
  }
  if (permission === undefined) return;
  const entries = isJsonObject(permission) ? Object.entries(permission) : [["", permission] as const];
  for (const [name, value] of entries) {
    const from = { file, key: name === "" ? "permission" : `permission.${name}` };
    const given = name === "" ? value : { [name]: value };
    const parsed = parsePermissionRules({ permission: given }, { source: "user" });
    if (!parsed.ok) {
      findings.notes.push({ file, key: parsed.path, kind: "broken", why: `must be ${parsed.expected}` });
      continue;
    }
    for (const rule of parsed.rules.rules) {
      const isKnown = (name === "" || names.has(name)) && (!wholeOnly.has(name) || rule.pattern === "*");
      if (isKnown) {
        findings.rules.push({ layer, rule, isOrdered: true, from });
        continue;
      }
      noteUnsupported(findings, { ...from, key: `${from.key} ${rule.pattern} ${rule.action}` });
      const { permission: lost } = rule;
      if (rule.action !== "allow")
        findings.lostRules.push({ layer, permission: lost, head: headOf(rule.pattern, lost) });
    }
  }
}
