/** The rules that hold where kedge was started, for commands that judge without running anything. */
import { commandLineRules, rulesUnderPolicy } from "@kedge/host";
import { examineLooks, type PermissionSurroundings } from "@kedge/host/explain";
import type { Failure } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { openSettings } from "./open-settings.ts";
import { unknownRule } from "./refuse-unknown-rule.ts";
import type { Surroundings } from "./surroundings.ts";

export type OpenedRules =
  | { readonly ok: true; readonly surroundings: PermissionSurroundings }
  | { readonly ok: false; readonly failure: Failure };

export async function openRules(flags: Flags, surroundings: Surroundings): Promise<OpenedRules> {
  const opened = await openSettings(flags, surroundings);
  if (!opened.ok) return opened;
  const { home, project, configuration } = opened;
  const wrong = unknownRule(flags, () => []);
  if (wrong !== undefined) return { ok: false, failure: { code: "configuration", message: wrong, retryable: false } };
  const given = commandLineRules({ allow: flags.allow ?? [], deny: flags.deny ?? [] });
  if (!given.ok) return { ok: false, failure: { code: "configuration", message: given.sentence, retryable: false } };
  const wanted = flags.skipPermissions ? "bypass" : (flags.permissionMode ?? configuration.mode ?? "default");
  return {
    ok: true,
    surroundings: {
      cwd: project.cwd,
      root: project.root,
      home: surroundings.userDirectory,
      kedgeHome: home.directory,
      rules: rulesUnderPolicy([given.rules, ...configuration.rules], configuration.policy),
      mode: configuration.policy?.disabledModes.includes(wanted) ? "default" : wanted,
      confinesLooks: (await examineLooks()).ok,
      isSandboxed: configuration.sandbox.mode === "on" && configuration.sandbox.autoAllow,
    },
  };
}
