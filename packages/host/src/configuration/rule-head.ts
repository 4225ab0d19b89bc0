/** The part of a pattern before its first special character, by which two rules are told apart that can never meet. */
import { namesPermission } from "@kedge/engine";
import type { PermissionRule } from "@kedge/protocol";

/** A stricter rule that kedge cannot express. */
export type LostLimit = { readonly permission: string; readonly head: string };

const pathPermissions: ReadonlySet<string> = new Set(["read", "edit"]);

export function headOf(pattern: string, permission: string): string {
  const head = /^[^*?[\]\\]*/.exec(pattern)?.[0] ?? "";
  // A plain name counts at every depth, and a path may be written in several ways.
  return pathPermissions.has(permission) ? "" : head.trimEnd().replace(/:$/, "");
}

/** Whether it could limit what the rule is about. */
export function mayLimit({ permission, head }: LostLimit, rule: Omit<PermissionRule, "action">): boolean {
  const isSame = namesPermission(rule.permission, permission) || namesPermission(permission, rule.permission);
  return isSame && mayMeet(head, headOf(rule.pattern, rule.permission));
}

/** Whether something could be meant by both. */
function mayMeet(left: string, right: string): boolean {
  return left.startsWith(right) || right.startsWith(left);
}
