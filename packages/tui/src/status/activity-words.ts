/** What the run is doing, in the words of every screen. */

import { cleanLine } from "../screen/clean-text.ts";
import type { Activity, ActivityKind } from "../state/client-state.ts";
import { activityTexts } from "../texts/terminal.ts";
import { durationText } from "./short-figures.ts";

/** How long nothing may come before the look of the line says so. */
export const stallMs = { look: 3_000, tip: 30_000, warning: 45_000, giveUp: 90_000 } as const;

/** Nothing came for so long that it is worth a word. */
export function isSilent(activity: Activity, now: number): boolean {
  return silenceOf(activity, now) > stallMs.look;
}

function silenceOf({ kind, lastSignAt }: Activity, now: number): number {
  return isStallable(kind) ? now - lastSignAt : 0;
}

/** A tool may be silent for as long as it likes. */
function isStallable(kind: ActivityKind): boolean {
  return kind === "waiting" || kind === "thinking" || kind === "responding";
}

const plainWords: { readonly [Kind in Exclude<ActivityKind, "running" | "retrying" | "reading">]: string } = {
  idle: "",
  waiting: activityTexts.waiting,
  thinking: activityTexts.thinking,
  responding: activityTexts.responding,
  compacting: activityTexts.compacting,
  permission: activityTexts.permission,
  question: activityTexts.question,
};

export type ActivityPlace = {
  readonly now: number;
  /** Between two statements, with its blanks. */
  readonly separator: string;
  /** Somebody else has to answer what is asked. */
  readonly isWatching: boolean;
};

/** Empty while nothing is done. */
export function activityWords(activity: Activity, { now, separator, isWatching }: ActivityPlace): string {
  const silentMs = silenceOf(activity, now);
  const { kind, tool = "", retry } = activity;
  if (kind === "running") return activityTexts.running(cleanLine(tool));
  if (kind === "reading") return activityTexts.reading(cleanLine(tool));
  if (kind === "retrying") return retryWords(retry, now);
  if (kind === "permission" && isWatching) return activityTexts.permissionOfOthers;
  const words = plainWords[kind];
  if (silentMs <= stallMs.look) return words;
  const silent = activityTexts.silent({ activity: words, time: durationText(silentMs) });
  if (silentMs <= stallMs.tip) return silent;
  if (silentMs <= stallMs.warning) return `${silent}${separator}${activityTexts.silentForLong}`;
  const left = Math.max(0, stallMs.giveUp - silentMs);
  return `${silent}${separator}${left > 0 ? activityTexts.givingUpIn(durationText(left)) : activityTexts.givingUp}`;
}

function retryWords(retry: Activity["retry"], now: number): string {
  if (retry === undefined) return activityTexts.retrying;
  const { until, attempt, attemptsMax, reason } = retry;
  const count = attempt === undefined ? "" : attemptText(attempt, attemptsMax);
  const why = reason === undefined ? "" : `: ${cleanLine(reason)}`;
  const wait = until > now ? activityTexts.retryingIn(durationText(until - now + 999)) : activityTexts.retrying;
  return `${wait}${count}${why}`;
}

function attemptText(attempt: number, attemptsMax: number | undefined): string {
  return attemptsMax === undefined ? activityTexts.attempt(attempt) : activityTexts.attemptOf({ attempt, attemptsMax });
}
