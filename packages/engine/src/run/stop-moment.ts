/** What happens when the model is done: whoever is asked may make the run continue, a few times in a row. */
import type { SessionMoments } from "../moments/session-moments.ts";
import { goOn, type LoopState, type Run } from "./loop-state.ts";

const continuationsMax = 5;

export type StopParts = {
  readonly moments: SessionMoments;
  readonly notice: (text: string) => void;
  /** The user said something meanwhile. */
  readonly isSteered: () => boolean;
  /** Another step would be let through. */
  readonly mayGoOn: (state: LoopState) => boolean;
};

/** The state with which the run continues; undefined when it ends. */
export async function continueAtStop(
  { moments, notice, isSteered, mayGoOn }: StopParts,
  run: Run,
  state: LoopState,
): Promise<LoopState | undefined> {
  const { continuations } = state.tried;
  const reported = await moments.runStopping({ runId: run.runId, text: state.text, continuations }, run.signal);
  if (run.signal.aborted || run.structured !== undefined) return undefined;
  if (isSteered()) return goOn(state, "queued_input").state;
  if (reported === undefined) return undefined;
  if (continuations >= continuationsMax || !mayGoOn(state)) {
    const why =
      continuations >= continuationsMax ? `it did so ${continuationsMax} times in a row` : "a limit was reached";
    notice(`A hook asked the run to continue again, but the run ended: ${why}.`);
    return undefined;
  }
  const tried = { ...state.tried, continuations: continuations + 1 };
  return goOn(state, "stop_hook", { tried, reminders: [...state.reminders, reported] }).state;
}
