/** Puts a call before the judge with the rules, grants and mode of the session as they are by now. */
import type { RuleSet } from "@kedge/protocol";
import { type AskVerdict, isOverBroad, judge, type Verdict } from "../../permission/index.ts";
import { aboveCeiling, withAllowed } from "../../run/run-terms.ts";
import type { Call, CallOrigin } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import { doomLoopNeed, judgedNeeds } from "./doom-loop.ts";
import { modeInForce } from "./mode-in-force.ts";

/** What of a call is judged. */
export type JudgedCall = Pick<Call, "tool" | "needs" | "readOnly" | "isRepeated"> & {
  readonly origin: Pick<CallOrigin, "allow">;
};

export interface CallJudge {
  verdictOn(call: JudgedCall): Verdict;
  /** Only where the rules, once they are saved, would let this very call pass: a file may know it by another name. */
  isSavable(call: Call, verdict: AskVerdict): boolean;
}

export function createCallJudge(services: Pick<CallServices, "engine" | "journal" | "terms">): CallJudge {
  const { engine, journal } = services;
  // Taken apart once: this runs before every call.
  const { cwd, root, home, kedgeHome, lookAtPath, analyseShell, isProtected, isSandboxed = false } = engine.workspace;
  const { confinesLooks } = engine.workspace;
  const { rules, policy } = engine;
  const { terms } = services;
  const place = { lookAtPath, root, home, kedgeHome, analyseShell, isProtected, isSandboxed };

  function allowedFor({ origin: { allow } }: JudgedCall): readonly RuleSet[] {
    if (terms?.allow === undefined && allow === undefined) return rules;
    return withAllowed(rules, [...(terms?.allow ?? []), ...(allow ?? [])]);
  }

  function verdictOn(call: JudgedCall, saved?: RuleSet): Verdict {
    const judged = { tool: call.tool.name, needs: judgedNeeds(call), readOnly: call.readOnly, cwd };
    const allowed = allowedFor(call);
    const verdict = judge(judged, {
      ...place,
      rules: saved === undefined ? allowed : [...allowed, saved],
      grants: journal.state.grants,
      mode: modeInForce(services),
      confinesLooks: confinesLooks?.() === true,
    });
    const denial = terms === undefined || verdict.verdict === "deny" ? undefined : aboveCeiling(terms, judged, place);
    if (denial !== undefined) return denial;
    if (verdict.verdict !== "ask" || policy?.managedRulesOnly !== true) return verdict;
    return { ...verdict, always: [], grants: [] };
  }

  return {
    verdictOn: (call) => verdictOn(call),
    isSavable(call, { grants, outward }) {
      if (engine.saveRules === undefined || grants.length === 0 || outward.length > 0) return false;
      if (grants.some((rule) => rule.permission === doomLoopNeed.permission || isOverBroad(rule))) return false;
      return verdictOn(call, { source: "local", rules: grants }).verdict === "allow";
    },
  };
}
