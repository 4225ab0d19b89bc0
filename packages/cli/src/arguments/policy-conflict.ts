/** What the command line asks for and the managed policy of the machine does not leave to it. */
import { isFixedByPolicy, type Policy } from "@kedge/host";
import { policyTexts } from "../texts/arguments.ts";
import type { Flags } from "./flags.ts";

/** The setting that each flag would override. */
export const settingsOfFlags: readonly (readonly [flag: keyof Flags, name: string, setting: string])[] = [
  ["model", "--model", "model"],
  ["permissionMode", "--permission-mode", "permissionMode"],
  ["skipPermissions", "--dangerously-skip-permissions", "permissionMode"],
  ["fallbackModel", "--fallback-model", "fallbackModel"],
  ["effort", "--effort", "thinking.effort"],
  ["maxTurns", "--max-turns", "limits.maxTurns"],
  ["maxBudgetUsd", "--max-budget-usd", "limits.maxBudgetUsd"],
  ["maxSteps", "--max-steps", "limits.maxSteps"],
];

/** A sentence for the person, or undefined. */
export function policyConflict(flags: Flags, policy: Policy): string | undefined {
  const wanted = flags.skipPermissions ? "bypass" : flags.permissionMode;
  if (wanted !== undefined && policy.disabledModes.includes(wanted)) {
    return policy.disabledBecause === undefined
      ? policyTexts.modeDisabled(wanted)
      : policyTexts.modeUnavailable(wanted, policy.disabledBecause);
  }
  const fixed = settingsOfFlags.find(
    ([flag, , setting]) => flags[flag] !== undefined && isFixedByPolicy(setting, policy),
  );
  if (fixed === undefined) return undefined;
  const [, name, setting] = fixed;
  return policyTexts.overruled(name, setting);
}
