/** The part of a pattern before its first special character, by which two rules are told apart that can never meet. */

const pathPermissions: ReadonlySet<string> = new Set(["read", "edit"]);

export function headOf(pattern: string, permission: string): string {
  const head = /^[^*?[\]\\]*/.exec(pattern)?.[0] ?? "";
  // A plain name counts at every depth, and a path may be written in several ways.
  return pathPermissions.has(permission) ? "" : head.trimEnd().replace(/:$/, "");
}

/** Whether something could be meant by both. */
export function mayMeet(left: string, right: string): boolean {
  return left.startsWith(right) || right.startsWith(left);
}
