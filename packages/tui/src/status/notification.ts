/** How somebody who looks elsewhere is told: sequences that terminals turn into a sound or a message. */

import { cleanLine } from "../screen/clean-text.ts";
import type { NotificationWay } from "../settings/tui-settings.ts";
import { notificationTexts } from "../texts/terminal.ts";

export type NotificationTrigger = "permission" | "finished" | "task" | "error";

/** Says what happened, and nothing of what was said or written. */
const words: { readonly [Trigger in NotificationTrigger]: string } = {
  permission: notificationTexts.permission,
  finished: notificationTexts.finished,
  task: notificationTexts.task,
  error: notificationTexts.error,
};

/** A run that was shorter is one that the user still watches. */
export const finishedAfterMs = 10_000;

export function notificationSequence(
  trigger: NotificationTrigger,
  ways: readonly NotificationWay[],
  place: string,
): string {
  const text = `${words[trigger]} (${cleanLine(place).replaceAll(";", ",")})`;
  return ways.map((way) => sequenceOf(way, text)).join("");
}

/** Each terminal knows one of these and ignores the others. */
function sequenceOf(way: NotificationWay, text: string): string {
  switch (way) {
    case "bell":
      return "\u0007";
    case "osc":
      return `\u001b]9;${text}\u0007\u001b]777;notify;kedge;${text}\u0007`;
    case "desktop":
      return `\u001b]99;;${text}\u001b\\`;
  }
}
