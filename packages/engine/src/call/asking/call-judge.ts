/** Puts a call before the judge with the rules, grants and mode of the session as they are by now. */
import type { RuleSet } from "@kedge/protocol";
import {
  type AskVerdict,
  changesNothing,
  type DenyVerdict,
  isOverBroad,
  type JudgeCall,
  judge,
  leadersOf,
  type Verdict,
} from "../../permission/index.ts";
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

  const leaders = leadersOf(engine.leader);
  const onlyLooks = engine.onlyLooks === true || leaders.some((leader) => leader.onlyLooks);
  const grants = () => [...leaders.flatMap((leader) => leader.grants()), ...journal.state.grants];

  /** The strictest of what holds here and of what holds for those it works for. */
  function withinLeaders(judged: JudgeCall, own: Verdict): Verdict {
    const mode = modeInForce(services);
    let strictest = own;
    for (const leader of leaders) {
      if (strictest.verdict === "deny") return strictest;
      if (leader.rules === rules) continue;
      const context = {
        ...place,
        rules: leader.rules,
        grants: grants(),
        mode,
        confinesLooks: confinesLooks?.() === true,
      };
      const verdict = judge(judged, context);
      if (verdict.verdict === "deny" || strictest.verdict === "allow") strictest = verdict;
    }
    return strictest;
  }

  /** What an agent may only look at is looked at where nothing can act, whatever rules and modes allow. */
  function confined({ needs }: JudgeCall, verdict: Verdict): Verdict {
    const isLooking = onlyLooks || modeInForce(services) === "plan";
    if (!isLooking || verdict.verdict !== "allow" || verdict.look !== undefined) return verdict;
    return needs.some(({ permission }) => permission === "bash") ? { ...verdict, look: { shown: [] } } : verdict;
  }

  function allowedFor({ origin: { allow } }: JudgedCall): readonly RuleSet[] {
    if (terms?.allow === undefined && allow === undefined) return rules;
    return withAllowed(rules, [...(terms?.allow ?? []), ...(allow ?? [])]);
  }

  function verdictOn(call: JudgedCall, saved?: RuleSet): Verdict {
    const judged = { tool: call.tool.name, needs: judgedNeeds(call), readOnly: call.readOnly, cwd };
    const allowed = allowedFor(call);
    if (onlyLooks && !changesNothing(judged)) return deniedLook(call.tool.name);
    const own = judge(judged, {
      ...place,
      rules: saved === undefined ? allowed : [...allowed, saved],
      grants: leaders.length === 0 ? journal.state.grants : grants(),
      mode: modeInForce(services),
      confinesLooks: confinesLooks?.() === true,
    });
    const verdict = leaders.length === 0 && !onlyLooks ? own : confined(judged, withinLeaders(judged, own));
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

function deniedLook(tool: string): DenyVerdict {
  const reason = `this agent only reads, and ${tool} would change something`;
  return {
    verdict: "deny",
    decision: { behavior: "deny", source: "rule", reason, rules: [] },
    permission: tool,
    related: [],
  };
}
