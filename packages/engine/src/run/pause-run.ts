/** The pause of a run under high pressure: the user is asked how it should go on, and this is what follows. */

import { anotherApproachReminder, steerReminder } from "../prompt-texts.ts";
import type { SessionDialogue } from "../session/dialogue.ts";
import type { Pause, PressureChanged, RunConduct } from "./conduct.ts";

export type PauseEnd =
  | { readonly kind: "stop" }
  | { readonly kind: "go-on"; readonly reminders: readonly string[]; readonly facts: readonly PressureChanged[] };

const asBefore: PauseEnd = { kind: "go-on", reminders: [], facts: [] };

/** Where nobody can answer, the run goes on, and its result tells the level. */
export async function pauseRun(
  { question, callId }: Pause,
  parts: { readonly dialogue: SessionDialogue; readonly conduct: RunConduct; readonly signal: AbortSignal },
): Promise<PauseEnd> {
  const { dialogue, conduct, signal } = parts;
  const answers = await dialogue.ask([question], { callId, signal });
  const answer = answers?.[0];
  if (answer === undefined) return asBefore;
  const [, same, stop] = question.options;
  const chosen = question.options.find(({ label }) => label === answer);
  if (chosen === undefined)
    return { kind: "go-on", reminders: [steerReminder(answer)], facts: conduct.userSpoke(answer) };
  if (chosen === stop) return { kind: "stop" };
  if (chosen === same) return asBefore;
  // The choice is an instruction, whose words are the description that the user read.
  return { kind: "go-on", reminders: [anotherApproachReminder()], facts: conduct.userSpoke(chosen.description) };
}
