/** The permission mode that counts: one that the managed policy disabled is as if nobody had chosen it. */
import type { Failure, PermissionMode, SessionProfile } from "@kedge/protocol";
import type { Journal } from "../../journal.ts";
import type { EngineParts, PolicyLimits } from "../../parts.ts";
import { narrowerMode } from "../../permission/index.ts";

export function modeInForce(parts: { readonly engine: EngineParts; readonly journal: Journal }): PermissionMode {
  const { mode } = parts.journal.state;
  const own = parts.engine.policy?.disabledModes.includes(mode) ? "default" : mode;
  // Nobody has more freedom than whom it works for has at this moment.
  const { leader } = parts.engine;
  return leader === undefined ? own : narrowerMode(own, leader.mode());
}

export function switchedOff(
  mode: PermissionMode,
  { disabledBecause }: PolicyLimits,
): { readonly ok: false; readonly failure: Failure } {
  const message =
    disabledBecause === undefined
      ? `${mode} mode is disabled by this machine's managed policy.`
      : `${mode} mode is unavailable: ${disabledBecause}.`;
  return { ok: false, failure: { code: "invalid_command", message, retryable: false } };
}

/** Whoever only directs agents has nothing to plan with, and would lend the mode to all of them. */
export function planningRefusal(
  mode: PermissionMode,
  { workerTools }: Pick<SessionProfile, "workerTools">,
): { readonly ok: false; readonly failure: Failure } | undefined {
  if (mode !== "plan" || workerTools === undefined) return undefined;
  const message = "A coordinator cannot plan.";
  const recovery = "Plan in a session without --agent coordinator, or ask the coordinator for a plan agent.";
  return { ok: false, failure: { code: "invalid_command", message, recovery, retryable: false } };
}
