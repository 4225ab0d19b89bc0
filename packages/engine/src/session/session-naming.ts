/** Has a session named after its first answer, without anybody waiting for it. */
import type { SessionState } from "@kedge/protocol";
import type { Journal } from "../journal.ts";
import type { EngineParts } from "../parts.ts";

export interface SessionNaming {
  /** For the end of a run; does nothing but once, after the first answer of a session that has no name of its own. */
  runEnded(): void;
  /** Gives up what is under way and waits for it. */
  close(): Promise<void>;
}

export function createSessionNaming(engine: EngineParts, journal: Journal): SessionNaming {
  const stop = new AbortController();
  let naming: Promise<void> | undefined;

  async function name(exchange: { readonly prompt: string; readonly answer: string }): Promise<void> {
    const { models, newRequestId, redact, conversation } = engine;
    const { state } = journal;
    // Loaded when it is needed: most processes never name a session.
    const { findTitle } = await import("./title.ts");
    const model = conversation?.titles?.model ?? state.model;
    const system = await conversation?.titles?.prompt?.();
    const parts = { models, newRequestId, redact, model, beside: state.model, signal: stop.signal };
    const found = await findTitle(exchange, { ...parts, ...(system !== undefined && { system }) });
    // The user may have named it meanwhile.
    const isWanted = found.title !== undefined && state.titleSource === "prompt";
    const { usage, cost } = found;
    if (!isWanted && usage.input + usage.output === 0) return;
    const named = isWanted ? ({ title: found.title, titleSource: "model" } as const) : {};
    await journal.emit({ type: "session.updated", ...named, usage, cost });
  }

  return {
    runEnded() {
      if (engine.conversation?.titles === undefined || naming !== undefined) return;
      const exchange = firstExchange(journal.state);
      // A name that cannot be found or stored is none; the words of the prompt stay.
      if (exchange !== undefined) naming = name(exchange).catch(() => undefined);
    },
    async close() {
      stop.abort();
      await naming;
    },
  };
}

/** Undefined when the session is past it, came from another one, or has a name that was given. */
function firstExchange(state: SessionState): { readonly prompt: string; readonly answer: string } | undefined {
  const { lastRun, origin, titleSource, undoPoints } = state;
  const [first] = undoPoints;
  if (first === undefined || undoPoints.length > 1 || origin !== undefined || titleSource !== "prompt")
    return undefined;
  if (lastRun?.reason !== "completed" || lastRun.text === "") return undefined;
  return { prompt: first.text, answer: lastRun.text };
}
