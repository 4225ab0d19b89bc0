/** Decides whether a call may run: by its verdict, or by an answer where one is needed. */
import type { CallGates } from "../asking/call-gates.ts";
import { judgedNeeds } from "../asking/doom-loop.ts";
import type { Permitted } from "../asking/permitted.ts";
import { questionOf, raiseVerdict } from "../asking/raise-verdict.ts";
import type { SettleQuestion } from "../asking/settle-question.ts";
import { attempt } from "../attempt.ts";
import { type Call, interrupted, refused } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";

export function ask(
  { engine }: Pick<CallServices, "engine">,
  { settle, lookAtGates }: { readonly settle: SettleQuestion; readonly lookAtGates: CallGates },
): Phase {
  /** Only what nobody allowed in so many words is worth a second look. */
  async function withCaution(call: Call, unasked: Permitted): Promise<Permitted> {
    const caution = await attempt(async () => call.tool.caution?.(call.input, call.context), engine.redact);
    if (caution.ok && caution.value === undefined) return unasked;
    const reason = caution.ok
      ? engine.redact(caution.value ?? "")
      : `a check before the call failed: ${caution.report}`;
    return settle(call, questionOf(named(call), reason), await lookAtGates(call, { isAsked: true }));
  }

  function permit(call: Call): Permitted | Promise<Permitted> {
    const { verdict, gated } = call;
    if (verdict.verdict === "ask" || gated.raise !== undefined) {
      return settle(call, raiseVerdict(verdict, named(call), gated), gated);
    }
    const { decision, look } = verdict;
    const unasked: Permitted = { outcome: "allowed", decision, ...(look !== undefined && { look }) };
    const isByDefault = decision.source === "mode" || decision.source === "default";
    const isCautious = isByDefault && call.tool.caution !== undefined && call.allowedBy === undefined;
    return isCautious ? withCaution(call, unasked) : unasked;
  }

  return {
    takes: "open",
    pass(call) {
      const permitted = permit(call);
      return permitted instanceof Promise ? permitted.then((found) => apply(call, found)) : apply(call, permitted);
    },
  };
}

function named(call: Call) {
  return { tool: call.tool.name, needs: judgedNeeds(call) };
}

export function apply(call: Call, permitted: Permitted): Call {
  call.timings.mark("permission");
  switch (permitted.outcome) {
    case "allowed": {
      const { decision, look } = permitted;
      return { ...call, decision, ...(look !== undefined && { look }) };
    }
    case "refused":
      return refused(call, permitted.decision, permitted.output);
    case "edited": {
      const { input, answered, changes } = permitted;
      return { ...call, edit: input, answered, ...(changes !== undefined && { changes }) };
    }
    case "changed":
      return { ...call, changes: permitted.changes };
    case "interrupted":
      return { ...call, end: interrupted };
  }
}
