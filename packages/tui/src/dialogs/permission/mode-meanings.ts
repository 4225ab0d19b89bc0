/** What each permission mode means, in a few words, and which of them a person is offered. */

import { type PermissionMode, permissionModes } from "@kedge/protocol";
import { modeTexts } from "../../texts/permission-questions.ts";

export const modeMeanings: { readonly [Mode in PermissionMode]: string } = {
  default: modeTexts.default,
  "accept-edits": modeTexts.acceptEdits,
  plan: modeTexts.plan,
  auto: modeTexts.auto,
  bypass: modeTexts.bypass,
};

/** Bypass is chosen at the start alone, so it is shown only where it holds. */
export function offeredModes(current: PermissionMode): readonly PermissionMode[] {
  return permissionModes.filter((mode) => mode !== "bypass" || mode === current);
}
