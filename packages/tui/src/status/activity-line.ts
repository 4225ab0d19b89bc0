/** The line above the prompt: what is being done, for how long, and how to stop it. */

import { truncateToWidth } from "../screen/text-width.ts";
import type { Activity } from "../state/client-state.ts";
import { activityTexts } from "../texts/terminal.ts";
import type { Theme } from "../theme/theme.ts";
import { activityWords, isSilent } from "./activity-words.ts";
import { countText, durationText } from "./short-figures.ts";

const frameMs = 80;

export type ActivityLine = {
  readonly text: string;
  /** When it looks different by itself; undefined when it does not. */
  readonly nextInMs?: number;
};

export type ActivityLook = {
  readonly activity: Activity;
  readonly theme: Theme;
  readonly width: number;
  readonly now: number;
  /** As it is named on the screen, such as `esc`. */
  readonly interruptKey: string;
  /** Somebody else has to answer what is asked. */
  readonly isWatching?: boolean;
};

/** Empty while nothing is done. */
export function activityLine(look: ActivityLook): ActivityLine {
  const { activity, theme, width, now, interruptKey, isWatching = false } = look;
  const { kind, since, outputTokens } = activity;
  if (kind === "idle") return { text: "" };
  const { symbols } = theme;
  const isMoving = kind !== "permission" && kind !== "question";
  const frames = symbols.statusFrames;
  const frame = isMoving ? (frames[Math.floor(now / frameMs) % frames.length] ?? "") : symbols.pending;
  const isStalled = isSilent(activity, now);
  const spinner = theme.fg(isStalled ? "warning" : "accent", frame);
  const separator = ` ${symbols.separator} `;
  const details = [
    // Nobody notes when that began, and a resting run keeps the time of its own end.
    ...(kind === "compacting" ? [] : [durationText(now - since)]),
    ...(outputTokens >= 1 ? [activityTexts.tokens(countText(outputTokens))] : []),
    ...(kind === "retrying" && (activity.retry?.until ?? now) > now ? [activityTexts.retryNow] : []),
    ...(kind === "permission" || kind === "question" ? [] : [activityTexts.stop(interruptKey)]),
  ].join(separator);
  const words = theme.fg(isStalled ? "warning" : "text", activityWords(activity, { now, separator, isWatching }));
  const line = `${spinner} ${words}${theme.fg("muted", separator + details)}`;
  return {
    text: truncateToWidth(line, width, symbols.ellipsis),
    nextInMs: isMoving ? frameMs - (now % frameMs) : 1_000 - ((now - since) % 1_000),
  };
}
