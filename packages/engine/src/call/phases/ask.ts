/** Decides whether a call may run: by its verdict, or by an answer where one is needed. */
import type { Gated } from "../../gates/index.ts";
import type { AskVerdict } from "../../permission/index.ts";
import type { BindAnswer } from "../asking/bind-answer.ts";
import type { CallGates } from "../asking/call-gates.ts";
import { judgedNeeds } from "../asking/doom-loop.ts";
import { denied, type Permitted, unbound } from "../asking/permitted.ts";
import { questionOf, raiseVerdict } from "../asking/raise-verdict.ts";
import type { SettleQuestion } from "../asking/settle-question.ts";
import { attempt } from "../attempt.ts";
import { type Call, interrupted, refused } from "../call.ts";
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";

/** With `changes` the answer was for something that is no longer so. */
type Answered = { readonly permitted: Permitted; readonly changes?: readonly string[] };

export function ask(
  { engine }: Pick<CallServices, "engine">,
  { settle, bind, look }: { readonly settle: SettleQuestion; readonly bind: BindAnswer; readonly look: CallGates },
): Phase {
  /** The answer counts for what was there when it was asked for. */
  async function asked(call: Call, verdict: AskVerdict, gated: Gated): Promise<Answered> {
    const binding = bind(call, verdict);
    const bound =
      binding instanceof Promise ? await attempt(() => binding, engine.redact) : { ok: true as const, value: binding };
    if (!bound.ok) return { permitted: unbound(bound.report) };
    const permitted = await settle(call, verdict, gated);
    if (permitted.outcome !== "allowed" && permitted.outcome !== "edited") return { permitted };
    const rechecked = await attempt(() => bound.value.recheck(), engine.redact);
    if (!rechecked.ok) return { permitted: unbound(rechecked.report) };
    switch (rechecked.value.outcome) {
      case "same":
        return { permitted };
      case "changed":
        return { permitted, changes: rechecked.value.changes };
      case "denied":
        return { permitted: denied(rechecked.value.verdict) };
    }
  }

  /** Only what nobody allowed in so many words is worth a second look. */
  async function withCaution(call: Call, unasked: Permitted): Promise<Answered> {
    const caution = await attempt(async () => call.tool.caution?.(call.input, call.context), engine.redact);
    if (caution.ok && caution.value === undefined) return { permitted: unasked };
    const reason = caution.ok
      ? engine.redact(caution.value ?? "")
      : `its check before the call failed: ${caution.report}`;
    return asked(call, questionOf(named(call), reason), await look(call, { isAsked: true }));
  }

  function permit(call: Call): Answered | Promise<Answered> {
    const { verdict, gated } = call;
    if (verdict.verdict === "ask" || gated.raise !== undefined) {
      return asked(call, raiseVerdict(verdict, named(call), gated), gated);
    }
    const { decision } = verdict;
    const unasked: Permitted = { outcome: "allowed", decision };
    const isByDefault = decision.source === "mode" || decision.source === "default";
    const isCautious = isByDefault && call.tool.caution !== undefined && call.allowedBy === undefined;
    return isCautious ? withCaution(call, unasked) : { permitted: unasked };
  }

  return {
    takes: "open",
    pass(call) {
      const answered = permit(call);
      return answered instanceof Promise ? answered.then((found) => apply(call, found)) : apply(call, answered);
    },
  };
}

function named(call: Call) {
  return { tool: call.tool.name, needs: judgedNeeds(call) };
}

function apply(call: Call, { permitted, changes }: Answered): Call {
  call.timings.mark("permission");
  switch (permitted.outcome) {
    case "allowed":
      return changes === undefined ? { ...call, decision: permitted.decision } : { ...call, changes };
    case "refused":
      return refused(call, permitted.decision, permitted.output);
    case "edited":
      return {
        ...call,
        edit: permitted.input,
        answered: permitted.answered,
        ...(changes !== undefined && { changes }),
      };
    case "interrupted":
      return { ...call, end: interrupted };
  }
}
