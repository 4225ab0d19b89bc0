/** Makes a phase of ours from one from outside that wants to see calls after they ended. */
import type { AfterCall, CallPhase, JsonObject, ToolOutcome } from "@kedge/protocol";
import { errorText } from "../attempt.ts";
import { type Call, type CallEnd, interrupted } from "../call.ts";
import { notify } from "../call-services.ts";
import type { Phase } from "../phase.ts";
import { noteCharactersMax } from "../phases/bound.ts";
import { boundOutput } from "../text/bound-output.ts";
import { concerns, hearPhase, type PhaseServices, phasedCall } from "./hear-phase.ts";
import { plainCopy, readAfter } from "./phase-answers.ts";

const addedCharactersMax = 10_000;

export function afterPhase(phase: CallPhase, services: PhaseServices): Phase {
  const { name } = phase;
  const { redact } = services.engine.resultRedactor;

  function keepOriginal({ tool }: Call, { output, metadata }: CallEnd): JsonObject {
    if (phase.redacts || metadata?.["artifact"] !== undefined) return {};
    const artifact = services.context.services.artifacts.create(tool.name);
    artifact.write(output);
    artifact.close();
    return { artifact: artifact.number };
  }

  function rewrite(call: Call, end: CallEnd, { output, by = name }: Rewriting, replaced: JsonObject): CallEnd {
    const before = replaced["rewrittenBy"];
    const rewrittenBy = [...(Array.isArray(before) ? before : []), redact(by)];
    const shown = boundOutput(redact(output), call.tool.resultCharactersMax + noteCharactersMax);
    const rewritten = { ...end, output: shown, metadata: { ...replaced, ...keepOriginal(call, end), rewrittenBy } };
    if (!phase.redacts) return rewritten;
    // The title and pictures are made of what was taken out.
    const { title: _, media: __, ...kept } = rewritten;
    return kept;
  }

  function follow(call: Call, end: CallEnd, answer: AfterCall): Call {
    const { output, isError, metadata = end.metadata, note, endRun, by } = answer;
    const spoken = by !== undefined && { by };
    if (endRun !== undefined) {
      notify(services, errorText(endRun, redact));
      services.onStop("stopped_by_hook");
    }
    const told: CallEnd = { ...end, outcome: outcomeOf(end, isError), ...(metadata !== undefined && { metadata }) };
    const notes = note === undefined ? [] : [boundOutput(redact(note), addedCharactersMax)];
    const replaced = phase.redacts && answer.metadata === undefined ? withoutTexts(metadata) : (metadata ?? {});
    return {
      ...call,
      end: output === undefined ? told : rewrite(call, told, { output, ...spoken }, replaced),
      notes: [...call.notes, ...notes],
    };
  }

  async function hear(call: Call): Promise<Call> {
    const { end } = call;
    const { signal } = call.origin;
    // A call whose tool or input is unknown never was one.
    if (end === undefined || call.json === undefined) return call;
    const { outcome, output, metadata = {} } = end;
    const seen = () => ({ ...phasedCall(call, services), outcome, output, metadata: plainCopy(metadata) });
    const ask = () => phase.after?.(seen(), signal);
    const heard = await hearPhase(phase, services, signal, { ask, read: readAfter });
    call.timings.mark(name);
    if (heard.outcome === "answered") return heard.answer === undefined ? call : follow(call, end, heard.answer);
    if (phase.onError === "continue") return call;
    if (outcome === "interrupted") return { ...call, end: interrupted };
    const why = heard.outcome === "failed" ? heard.sentence : `The phase ${name} was interrupted.`;
    const { title: _, media: __, metadata: ___, ...rest } = end;
    return { ...call, end: { ...rest, output: `The result of this call (${outcome}) is withheld. ${why}` } };
  }

  return { takes: "ended", pass: (call) => (concerns(phase, call) ? hear(call) : call) };
}

/** Numbers and switches of a result that was rewritten: any text may hold what was taken out. */
function withoutTexts(metadata: JsonObject = {}): JsonObject {
  const kept = (name: string, value: unknown) =>
    name === "rewrittenBy" || typeof value === "number" || typeof value === "boolean";
  return Object.fromEntries(Object.entries(metadata).filter(([name, value]) => kept(name, value)));
}

type Rewriting = { readonly output: string; readonly by?: string };

/** Only a call that ran can turn out well or badly. */
function outcomeOf({ outcome }: CallEnd, isError: boolean | undefined): ToolOutcome {
  if (isError === undefined || outcome === "refused" || outcome === "interrupted") return outcome;
  return isError ? "failed" : "completed";
}
