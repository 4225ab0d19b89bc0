/** What holds while a settings file is broken: nobody knows what it denies, so no rule of another file allows anything. */
import type { PermissionMode } from "@kedge/protocol";
import type { Policy } from "./managed-policy.ts";

/** They let calls pass unasked that the broken file may deny. */
const modesDisabled: readonly PermissionMode[] = ["accept-edits", "auto", "bypass"];

/** The policy of the machine, tightened where a file is broken. */
export function policyWithBroken(policy: Policy | undefined, broken: readonly string[]): Policy | undefined {
  if (broken.length === 0) return policy;
  return {
    settings: policy?.settings ?? {},
    managedRulesOnly: policy?.managedRulesOnly ?? false,
    disabledModes: [...new Set([...(policy?.disabledModes ?? []), ...modesDisabled])],
    disabledBecause: `${broken.join(" and ")} cannot be used`,
    broken,
  };
}

/** `name` is that of the file in sentences. */
export function brokenSentence(problem: string, name: string): string {
  return `${problem}. The file is skipped and no allow rule applies until you fix it or run kedge config set-aside ${name}`;
}

export function setAsideSentence(problem: string): string {
  return `${problem}; the file is set aside`;
}
