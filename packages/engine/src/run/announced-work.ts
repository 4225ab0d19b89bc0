/** Has a run go on whose model announced work and stopped without doing it. Loaded with the first stop that is judged. */
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { chargeRun } from "../compaction/charge-run.ts";
import type { Journal } from "../journal.ts";
import type { EngineParts } from "../parts.ts";
import { prompt } from "../prompt-texts.ts";
import type { Answer } from "../step/step.ts";
import { goOn, type LoopState, type Run } from "./loop-state.ts";
import { isCandidate, judgeStop } from "./unexpected-stop.ts";
import { unexpectedStopDefaults } from "./unexpected-stop-settings.ts";

const reminder = prompt(textBeside(import.meta.url, "../prompts/announced-work.md"));

const attemptsMax = 3;

export type StopParts = {
  readonly engine: EngineParts;
  readonly journal: Journal;
  /** Whether a further step would be let through, and nothing else comes first. */
  readonly mayGoOn: (state: LoopState) => boolean;
};

export type JudgedStop = { readonly isGoingOn: boolean; readonly state: LoopState };

/** What the question costs is in the state, whatever came of it. */
export async function goOnAfterAnnouncement(
  { engine, journal, mayGoOn }: StopParts,
  run: Run,
  state: LoopState,
  { content, stopReason }: Pick<Answer, "content" | "stopReason">,
): Promise<JudgedStop> {
  if (!isCandidate(content, stopReason)) return { isGoingOn: false, state: withAnnouncements(state, 0) };
  const { models, newRequestId } = engine;
  const settings = engine.conversation?.unexpectedStop ?? unexpectedStopDefaults;
  const beside = state.using.model.ref;
  const { questions } = settings;
  const { isUnexpected, usage, cost, model } = await judgeStop(content, {
    ...{ models, newRequestId, model: settings.model ?? beside, beside, questions },
    signal: run.signal,
  });
  const charged = chargeRun(journal, run.options, state, { usage, cost, model });
  // Done is done: what the question cost must not turn an answer into a run that ran out of money.
  if (!isUnexpected || !mayGoOn(charged)) return { isGoingOn: false, state: withAnnouncements(charged, 0) };
  const attempt = state.tried.announcements + 1;
  if (attempt > attemptsMax) {
    const text = `The run ended: the model announced work ${attempt} times without doing it. Tell it what to do next.`;
    journal.signal({ type: "notice", sessionId: journal.state.sessionId, text });
    return { isGoingOn: false, state: withAnnouncements(charged, 0) };
  }
  const reminders = [fillSlots(reminder, { attempt: String(attempt), attemptsMax: String(attemptsMax) })];
  const next = goOn(withAnnouncements(charged, attempt), "unexpected_stop", { reminders });
  return { isGoingOn: true, state: next.state };
}

function withAnnouncements(state: LoopState, announcements: number): LoopState {
  return { ...state, tried: { ...state.tried, announcements } };
}
