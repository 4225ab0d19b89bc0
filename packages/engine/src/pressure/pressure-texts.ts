/** What the model and the user are told when a run is under pressure. */
import type { Question } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import type { PressureReading } from "./pressure-monitor.ts";

const diagnosis = textBeside(import.meta.url, "./texts/diagnosis.md");
/** Checked by the test of this module. */
const checkpoint = JSON.parse(textBeside(import.meta.url, "./texts/checkpoint.json")) as Question;

const reasonsMax = 3;

/** For the model, once, when the level rises to `elevated`. */
export function diagnosisReminder(reading: PressureReading): string {
  return fillSlots(diagnosis, { reasons: reasonsOf(reading) });
}

/** For the user, when the level rises to `high`. */
export function checkpointQuestion(reading: PressureReading): Question {
  const { failures, calls } = reading;
  const slots = { failures: String(failures), calls: String(calls), reasons: reasonsOf(reading) };
  return { ...checkpoint, question: fillSlots(checkpoint.question, slots) };
}

/** The latest reasons, each once. Names of tests come from the output of commands, so no tag in them may count. */
function reasonsOf({ contributions }: PressureReading): string {
  const reasons = [...new Set(contributions.toReversed().map(({ why }) => why))].slice(0, reasonsMax);
  return reasons.join("; ").replaceAll("<", "&lt;").replaceAll("\n", " ");
}
