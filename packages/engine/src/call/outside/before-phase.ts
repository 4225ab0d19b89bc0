/** Makes a phase of ours from one from outside that wants to see calls before they are permitted. */
import type { BeforeCall, CallPhase, JsonObject } from "@kedge/protocol";
import { errorText } from "../attempt.ts";
import { type Call, interrupted, refused } from "../call.ts";
import type { Phase } from "../phase.ts";
import { changedCall } from "../text/call-input.ts";
import { concerns, hearPhase, type PhaseServices, phasedCall } from "./hear-phase.ts";
import { readBefore } from "./phase-answers.ts";

/** `checkAgain` reads, validates and judges a call whose input was changed. */
export function beforePhase(
  phase: CallPhase,
  services: PhaseServices,
  checkAgain: (call: Call) => Call | Promise<Call>,
): Phase {
  const { name } = phase;
  const told = (text: string) => errorText(text, services.engine.redact);

  async function change(call: Call, input: JsonObject, by: string): Promise<Call> {
    // What was allowed or written before was another input.
    const { allowedBy: _, answered: __, ...rest } = call;
    const changedBy = [...call.changedBy, by];
    const changed = await checkAgain({ ...rest, block: changedCall(call.block, input), changedBy });
    const needsTurn = (call.concurrencySafe && !changed.concurrencySafe) || (call.readOnly && !changed.readOnly);
    if (changed.end === undefined && needsTurn) await call.origin.alone();
    return changed;
  }

  async function follow(call: Call, answer: BeforeCall): Promise<Call> {
    const by = answer.by === undefined ? name : told(answer.by);
    if (answer.decision === "refuse") return refuse(call, by, told(answer.text));
    const current = answer.input === undefined ? call : await change(call, answer.input, by);
    if (answer.decision === "change" || current.end !== undefined) return current;
    const reason = `${by}: ${told(answer.reason)}`;
    if (answer.decision === "allow") return { ...current, allowedBy: reason };
    return { ...current, raised: [...current.raised, reason] };
  }

  async function hear(call: Call): Promise<Call> {
    const { signal } = call.origin;
    const ask = () => phase.before?.(phasedCall(call, services), signal);
    const heard = await hearPhase(phase, services, signal, { ask, read: readBefore });
    call.timings.mark(name);
    switch (heard.outcome) {
      case "answered":
        return heard.answer === undefined ? call : follow(call, heard.answer);
      case "failed":
        return phase.onError === "refuse" ? refuse(call, name, heard.sentence) : call;
      case "interrupted":
        return { ...call, end: interrupted };
    }
  }

  // A call that does not concern the phase shares its transaction with the answer it follows, as without the phase.
  return { takes: "open", pass: (call) => (concerns(phase, call) ? hear(call) : call) };
}

function refuse(call: Call, name: string, text: string): Call {
  return refused(call, { behavior: "deny", source: "phase", reason: `${name}: ${text}`, rules: [] }, text);
}
