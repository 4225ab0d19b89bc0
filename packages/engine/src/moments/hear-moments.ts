/** Asks the moments of a session one after the other about a turning point, and says who answered what. */
import type { SessionMoment, SessionPlace } from "@kedge/protocol";
import { modeInForce } from "../call/asking/mode-in-force.ts";
import { hearPhase } from "../call/outside/hear-phase.ts";
import type { Journal } from "../journal.ts";
import type { EngineParts } from "../parts.ts";

export type MomentParts = { readonly engine: EngineParts; readonly journal: Journal };

export type MomentAnswer<Answer> =
  | { readonly by: string; readonly answer: Answer }
  /** It failed, and wants what it could not judge to be refused. */
  | { readonly by: string; readonly refusal: string };

export type MomentQuestion<Answer> = {
  /** Undefined for a moment that does not want to be asked. Called when its turn has come. */
  readonly ask: (moment: SessionMoment) => (() => unknown) | undefined;
  /** Throws for an answer that is none. */
  readonly read: (answer: unknown) => (Answer & { readonly by?: string }) | undefined;
};

/** Ends early when the signal fires: whoever asked looks at it. */
export async function* hearMoments<Answer>(
  parts: MomentParts,
  signal: AbortSignal,
  { ask, read }: MomentQuestion<Answer>,
): AsyncGenerator<MomentAnswer<Answer>> {
  for (const moment of parts.engine.sessionMoments ?? []) {
    const asked = ask(moment);
    if (asked === undefined) continue;
    const heard = await hearPhase(moment, parts, signal, { ask: asked, read });
    if (heard.outcome === "interrupted") return;
    if (heard.outcome === "failed") {
      if (moment.onError === "refuse") yield { by: moment.name, refusal: heard.sentence };
    } else if (heard.answer !== undefined) {
      yield { by: heard.answer.by ?? moment.name, answer: heard.answer };
    }
  }
}

export function placeOf({ engine, journal }: MomentParts): SessionPlace {
  const { sessionId, model, origin } = journal.state;
  return {
    sessionId,
    cwd: engine.workspace.cwd,
    mode: modeInForce({ engine, journal }),
    model,
    ...(origin !== undefined && { origin }),
  };
}
