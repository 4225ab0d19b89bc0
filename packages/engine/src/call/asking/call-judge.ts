/** Puts a call before the judge with the rules, grants and mode of the session as they are by now. */
import type { RuleSet } from "@kedge/protocol";
import { type AskVerdict, isOverBroad, judge, type Verdict } from "../../permission/index.ts";
import type { Call } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import { doomLoopNeed, judgedNeeds } from "./doom-loop.ts";
import { modeInForce } from "./mode-in-force.ts";

export interface CallJudge {
  verdictOn(call: Call): Verdict;
  /** Only where the rules, once they are saved, would let this very call pass: a file may know it by another name. */
  isSavable(call: Call, verdict: AskVerdict): boolean;
}

export function createCallJudge(services: Pick<CallServices, "engine" | "journal">): CallJudge {
  const { engine, journal } = services;
  // Taken apart once: this runs before every call.
  const { cwd, root, home, kedgeHome, lookAtPath, analyseShell, isProtected, isSandboxed = false } = engine.workspace;
  const { confinesLooks } = engine.workspace;
  const { rules, policy } = engine;
  const place = { lookAtPath, root, home, kedgeHome, analyseShell, isProtected, isSandboxed };

  function verdictOn(call: Call, saved?: RuleSet): Verdict {
    const verdict = judge(
      { tool: call.tool.name, needs: judgedNeeds(call), readOnly: call.readOnly, cwd },
      {
        ...place,
        rules: saved === undefined ? rules : [...rules, saved],
        grants: journal.state.grants,
        mode: modeInForce(services),
        confinesLooks: confinesLooks?.() === true,
      },
    );
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
