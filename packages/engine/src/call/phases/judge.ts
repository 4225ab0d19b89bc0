/** Lists what a call needs and has it judged; a denial ends it before anybody is asked. */
import { denialText } from "../../permission/index.ts";
import type { CallJudge } from "../asking/call-judge.ts";
import { reportOf } from "../attempt.ts";
import { type Call, failed, refused } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";

export function judge({ engine }: Pick<CallServices, "engine">, { verdictOn }: CallJudge): Phase {
  return {
    takes: "open",
    pass(call) {
      let known: Call;
      try {
        known = { ...call, needs: [...call.tool.needs(call.input, engine.workspace.cwd)] };
      } catch (error) {
        return failed(call, reportOf(error, engine.redact));
      }
      const verdict = verdictOn(known);
      if (verdict.verdict !== "deny") return { ...known, verdict };
      call.timings.mark("permission");
      return refused(known, verdict.decision, denialText(verdict));
    },
  };
}
