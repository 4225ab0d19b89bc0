/** Bounds what the model reads of a result. What it will not see whole lies in an artifact, unless a phase redacts. */
import type { CallServices } from "../call-services.ts";
import type { Phase } from "../phase.ts";
import { boundOutput } from "../text/bound-output.ts";

/** What kedge itself says below a shortened result. */
export const noteCharactersMax = 300;

export function bound({ context, engine }: Pick<CallServices, "context" | "engine">): Phase {
  const { artifacts } = context.services;
  const isRedacted = engine.callPhases?.some(({ redacts }) => redacts) ?? false;

  /** Unless the tool has put it into an artifact already. */
  function keepWhole(output: string, { name, resultCharactersMax }: { name: string; resultCharactersMax: number }) {
    const artifact = artifacts.create(name);
    artifact.write(output);
    artifact.close();
    const { number } = artifact;
    const note = `(all ${output.length} characters: read artifact://${number}, with a range such as artifact://${number}:1-200)`;
    return { number, shown: `${boundOutput(output, resultCharactersMax)}\n${note}` };
  }

  return {
    takes: "ended",
    pass(call) {
      const { end, tool } = call;
      if (end?.outcome !== "completed") return call;
      const isLong = end.output.length > tool.resultCharactersMax && end.metadata?.["artifact"] === undefined;
      const kept = isLong && !isRedacted ? keepWhole(end.output, tool) : undefined;
      const output = boundOutput(kept?.shown ?? end.output, tool.resultCharactersMax + noteCharactersMax);
      if (kept === undefined) return output === end.output ? call : { ...call, end: { ...end, output } };
      return { ...call, end: { ...end, output, metadata: { ...end.metadata, artifact: kept.number } } };
    },
  };
}
