/** Proves that the command line does not override what a managed policy decided. */
import type { Policy } from "@kedge/host";
import { expect, test } from "vitest";
import type { Flags } from "./flags.ts";
import { policyConflict } from "./policy-conflict.ts";

const open: Policy = { settings: {}, managedRulesOnly: false, disabledModes: [] };
const strict: Policy = {
  settings: { model: "mock/a", limits: { maxTurns: 5 } },
  managedRulesOnly: false,
  disabledModes: ["bypass", "auto"],
};

const cases: readonly (readonly [flags: Flags, policy: Policy, sentence: string | undefined])[] = [
  [{ skipPermissions: true, permissionMode: "bypass" }, open, undefined],
  [{ skipPermissions: true }, strict, "bypass mode is disabled by this machine's managed policy."],
  [{ permissionMode: "auto" }, strict, "auto mode is disabled by this machine's managed policy."],
  [{ permissionMode: "plan" }, strict, undefined],
  [{ model: "mock/b" }, strict, "--model cannot be used: this machine's managed policy sets model."],
  [{ maxTurns: 9 }, strict, "--max-turns cannot be used: this machine's managed policy sets limits.maxTurns."],
  [{ maxSteps: 9, effort: "low" }, strict, undefined],
];

test.each(cases)("%j", (flags, policy, sentence) => {
  expect(policyConflict(flags, policy)).toBe(sentence);
});
