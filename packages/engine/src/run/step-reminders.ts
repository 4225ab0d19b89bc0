/** The order in which a step tells what is not said by the user: data before the prompts, what kedge itself wants after them. */
import type { FactOf } from "@kedge/protocol";
import type { DueContext, DueText } from "../context/context-builder.ts";

export type SaidWithStep = {
  readonly due: readonly DueText[];
  /** What moments added, which is data. */
  readonly added: readonly string[] | undefined;
  /** What the loop itself has to say; it comes last. */
  readonly own: readonly string[];
  readonly hasPrompts: boolean;
};

export type StepReminders = Pick<FactOf<"step.started">, "reminders" | "remindersBefore" | "sent">;

/** The prompt is what the model shall answer, so no record of the past stands behind it. */
export function stepReminders({ due, added = [], own, hasPrompts }: SaidWithStep): StepReminders {
  if (due.length === 0 && added.length === 0) return { reminders: own };
  const data = [...due.filter(({ isData }) => isData), ...added.map(plain)];
  const all = [...data, ...due.filter(({ isData }) => !isData), ...own.map(plain)];
  const sent = all.flatMap((said, reminder) => (said.sent === undefined ? [] : [{ reminder, ...said.sent }]));
  return {
    reminders: all.map(({ text }) => text),
    ...(hasPrompts && data.length > 0 && { remindersBefore: data.length }),
    ...(sent.length > 0 && { sent }),
  };
}

function plain(text: string): Pick<DueText, "text" | "sent"> {
  return { text };
}

const noFacts: readonly FactOf<"instructions.loaded">[] = [];

export function loadedFacts({ loaded }: DueContext): readonly FactOf<"instructions.loaded">[] {
  return loaded.length === 0 ? noFacts : [{ type: "instructions.loaded", blocks: loaded }];
}
