/** What each permission mode means, in a few words, and which of them a person is offered. */
import { type PermissionMode, permissionModes } from "@kedge/protocol";

export const modeMeanings: { readonly [Mode in PermissionMode]: string } = {
  default: "ask before edits and commands",
  "accept-edits": "edit project files without asking",
  plan: "read-only; plan first",
  auto: "a model approves safe actions",
  bypass: "no prompts; only guards apply",
};

/** Bypass is chosen at the start alone, so it is shown only where it holds. */
export function offeredModes(current: PermissionMode): readonly PermissionMode[] {
  return permissionModes.filter((mode) => mode !== "bypass" || mode === current);
}
