/** How long ago something was, in a few letters. */

import { ageTexts } from "../../texts/dialogs.ts";

const units: readonly { readonly text: (count: number) => string; readonly ms: number }[] = [
  { text: ageTexts.days, ms: 86_400_000 },
  { text: ageTexts.hours, ms: 3_600_000 },
  { text: ageTexts.minutes, ms: 60_000 },
];

export function ageText(ageMs: number): string {
  const unit = units.find(({ ms }) => ageMs >= ms);
  return unit === undefined ? ageTexts.now : unit.text(Math.floor(ageMs / unit.ms));
}
