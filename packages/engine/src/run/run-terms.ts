/** The terms of a run that a command began: what its definition allows, what it is limited to, and who answers. */
import type { PermissionRule, RuleSet } from "@kedge/protocol";
import { type DenyVerdict, type JudgeCall, type JudgeContext, judge, type Verdict } from "../permission/index.ts";

export type RunTerms = {
  /** The command, as the user typed it. */
  readonly name: string;
  /** Weaker than any other rule. */
  readonly allow?: readonly PermissionRule[];
  /** A ceiling: whatever these do not allow is denied, and reading stays free. */
  readonly only?: readonly PermissionRule[];
  /** In the place of the session's, by any name that a model has. */
  readonly model?: string;
};

/**
 * Allow rules of a definition, ahead of all others. As if the project had written them: whatever the project itself says
 * takes their place, what the user says outranks them, and they lift no concern.
 */
export function withAllowed(rules: readonly RuleSet[], allow: readonly PermissionRule[]): readonly RuleSet[] {
  return allow.length === 0 ? rules : [{ source: "project", rules: allow }, ...rules];
}

/** What only looks, and what only concerns the session. */
const alwaysOpen: readonly PermissionRule[] = ["read", "glob", "grep", "list", "todo", "question", "tool_search"].map(
  (permission) => ({ permission, pattern: "*", action: "allow" }),
);

/** The denial of a call that lies above the ceiling. */
export function aboveCeiling(
  { name, only }: RunTerms,
  call: JudgeCall,
  context: Omit<JudgeContext, "rules" | "grants" | "mode">,
): DenyVerdict | undefined {
  if (only === undefined) return undefined;
  const closed: PermissionRule = { permission: "*", pattern: "*", action: "deny" };
  const rules: readonly RuleSet[] = [{ source: "policy", rules: [closed, ...alwaysOpen, ...only] }];
  const verdict: Verdict = judge(call, { ...context, rules, grants: [], mode: "default" });
  if (verdict.verdict !== "deny") return undefined;
  const allowed = only.map(({ permission, pattern }) => `${permission}(${pattern})`).join(", ");
  const reason = `${name} limits this turn to reading and ${allowed}`;
  return { ...verdict, decision: { behavior: "deny", source: "rule", reason, rules: [] }, related: [] };
}
