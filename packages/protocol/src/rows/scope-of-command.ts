/** What a credential must be able to do for a command: what its row says, and more for a mode that asks less. */
import type { PermissionMode } from "../permission.ts";
import type { Scope } from "../wire/scope.ts";

/** A mode that asks less than the usual one lets through what a person would otherwise have to approve. */
const freeModes: ReadonlySet<PermissionMode> = new Set<PermissionMode>(["accept-edits", "auto", "bypass"]);

export function scopeOfCommand(row: { readonly scope: Scope }, command: object): Scope {
  // Every field of this name is a mode.
  const mode = "mode" in command ? (command.mode as PermissionMode | undefined) : undefined;
  return mode !== undefined && freeModes.has(mode) ? "approve" : row.scope;
}
