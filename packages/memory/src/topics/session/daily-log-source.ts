/** What a long-lived assistant is told in daily-log mode: where the log lies, and separately which day it is. */
import type { ContextSource } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";

const rules = textBeside(import.meta.url, "./daily-log-rules.md");

export type DailyLogSourceParts = {
  readonly directory: string;
  /** `2026-03-01`, by the clock of the person. */
  readonly today: () => string;
};

/** The rules name the pattern of the path and no day, so that what is cached survives midnight. */
export function createDailyLogSources({ directory, today }: DailyLogSourceParts): readonly ContextSource[] {
  const block = { text: fillSlots(rules, { directory }), origin: "daily log" };
  return [
    { name: "daily log rules", kind: "policy", place: "head", read: () => [block] },
    {
      name: "date",
      kind: "reminder",
      place: "turn",
      read() {
        const day = today();
        return [{ text: `Today is ${day}.`, origin: "date", hash: day }];
      },
    },
  ];
}
