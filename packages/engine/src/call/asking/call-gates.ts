/** Puts a call before the gates with all they must know. */
import type { Need } from "@kedge/protocol";
import type { Gated } from "../../gates/index.ts";
import type { LoadedGates } from "../../gates/session-gates.ts";
import type { Call } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import { judgedNeeds } from "./doom-loop.ts";
import { modeInForce } from "./mode-in-force.ts";
import { openGates } from "./raise-verdict.ts";

/** A promise only where the machine has to be looked at. */
export type CallGates = (call: Call, options: { readonly isAsked: boolean }) => Gated | Promise<Gated>;

export function createCallGates(services: CallServices): CallGates {
  const { engine, journal, gates, conduct } = services;
  const { workspace, machine, rules, interactive, clock, redact } = engine;
  const { cwd, root, home, lookAtPath, analyseShell } = workspace;
  const fixed = { interactive, rules, root, home, lookAtPath, analyseShell, machine, now: clock.now };

  function withoutSecrets({ raise, evidence, isIrreversible }: Gated): Gated {
    return {
      ...(raise !== undefined && { raise: { reason: redact(raise.reason) } }),
      evidence: evidence.map(redact),
      isIrreversible,
    };
  }

  return (call, { isAsked }) => {
    const { readOnly } = call;
    const needs = judgedNeeds(call);
    // No gate concerns what only reads or fetches, or what needs nothing, and most calls are such.
    if ((readOnly || needs.length === 0) && needs.every(isReading)) return openGates;

    function look({ gateCall, changedPaths, premise }: LoadedGates): Gated | Promise<Gated> {
      const conducted = readOnly ? {} : conduct.gateInput(needs);
      const mode = modeInForce(services);
      const changedFiles = () => changedPaths(journal.state, root);
      const gated = gateCall(
        { tool: call.tool.name, needs, readOnly, cwd, isAsked },
        { ...fixed, ...conducted, premise, mode, changedFiles },
      );
      return gated instanceof Promise ? gated.then(withoutSecrets) : withoutSecrets(gated);
    }

    const loaded = gates.loaded();
    return loaded === undefined ? gates.load().then(look) : look(loaded);
  };
}

function isReading({ access }: Need): boolean {
  return access === "read" || access === "network";
}
