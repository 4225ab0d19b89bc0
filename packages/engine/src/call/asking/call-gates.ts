/** Puts a call before the gates with all they must know, and joins what they find with the judge's verdict. */
import type { Failure, Need, PermissionMode } from "@kedge/protocol";
import type { RunConduct } from "../../conduct.ts";
import type { Gated } from "../../gates/index.ts";
import type { LoadedGates, SessionGates } from "../../gates/session-gates.ts";
import type { Journal } from "../../journal.ts";
import type { EngineParts } from "../../parts.ts";
import type { AllowVerdict, AskVerdict } from "../../permission/index.ts";

export type CallGatesParts = {
  readonly engine: EngineParts;
  readonly journal: Journal;
  readonly gates: SessionGates;
  readonly conduct: RunConduct;
};

export type CallAtGates = { readonly tool: string; readonly needs: readonly Need[]; readonly readOnly: boolean };

/** A promise only where the machine has to be looked at. */
export type CallGates = (call: CallAtGates, options: { readonly isAsked: boolean }) => Gated | Promise<Gated>;

const open: Gated = { evidence: [], isIrreversible: false };

export function createCallGates({ engine, journal, gates, conduct }: CallGatesParts): CallGates {
  const { workspace, machine, rules, interactive, clock, redact } = engine;
  const { cwd, root, home, judgePath, analyseShell } = workspace;
  const fixed = { interactive, rules, root, home, judgePath, analyseShell, machine, now: clock.now };

  function withoutSecrets({ raise, evidence, isIrreversible }: Gated): Gated {
    return {
      ...(raise !== undefined && { raise: { reason: redact(raise.reason) } }),
      evidence: evidence.map(redact),
      isIrreversible,
    };
  }

  function look(call: CallAtGates & { readonly isAsked: boolean }, loaded: LoadedGates): Gated | Promise<Gated> {
    const { gateCall, changedPaths, premise } = loaded;
    const conducted = call.readOnly ? {} : conduct.gateInput(call.needs);
    const mode = modeInForce({ engine, journal });
    const changedFiles = () => changedPaths(journal.state, root);
    const gated = gateCall({ ...call, cwd }, { ...fixed, ...conducted, premise, mode, changedFiles });
    return gated instanceof Promise ? gated.then(withoutSecrets) : withoutSecrets(gated);
  }

  return ({ tool, needs, readOnly }, { isAsked }) => {
    // No gate concerns what only reads or fetches, or what needs nothing, and most calls are such.
    if ((readOnly || needs.length === 0) && needs.every(isReading)) return open;
    const call = { tool, needs, readOnly, isAsked };
    const loaded = gates.loaded();
    return loaded === undefined ? gates.load().then((found) => look(call, found)) : look(call, loaded);
  };
}

/** What a policy switched off is as if nobody had chosen it. */
export function modeInForce({ engine, journal }: Pick<CallGatesParts, "engine" | "journal">): PermissionMode {
  const { mode } = journal.state;
  return engine.policy?.disabledModes.includes(mode) ? "default" : mode;
}

export function switchedOff(mode: PermissionMode): { readonly ok: false; readonly failure: Failure } {
  const message = `The mode ${mode} is switched off by the managed policy of this machine.`;
  return { ok: false, failure: { code: "invalid_command", message, retryable: false } };
}

function isReading({ access }: Need): boolean {
  return access === "read" || access === "network";
}

/** What the gates ask about is for a person alone, and no answer lasts longer than the call. */
export function raiseVerdict(verdict: AllowVerdict | AskVerdict, call: CallAtGates, gated: Gated): AskVerdict {
  const { raise, isIrreversible } = gated;
  const question = verdict.verdict === "ask" ? verdict : questionOf(call, raise?.reason ?? verdict.decision.reason);
  if (raise === undefined && !isIrreversible) return question;
  const reason =
    verdict.verdict === "ask" && raise !== undefined ? `${verdict.reason}; ${raise.reason}` : question.reason;
  return { ...question, reason, always: [], grants: [], isOrdinary: false, canClassify: false };
}

/** A question about all of a call. Nothing is proposed for "always": the next call may be another one. */
export function questionOf({ tool, needs }: CallAtGates, reason: string): AskVerdict {
  const unanswered = needs.flatMap(({ permission, patterns }) => patterns.map((pattern) => ({ permission, pattern })));
  return {
    verdict: "ask",
    permission: unanswered[0]?.permission ?? tool,
    patterns: [...new Set(unanswered.map(({ pattern }) => pattern))],
    always: [],
    grants: [],
    unanswered,
    reason,
    rules: [],
    isGuarded: false,
    isOrdinary: false,
    outward: [],
    canClassify: false,
  };
}
