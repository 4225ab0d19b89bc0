/** What the run is doing, in the words of every screen. */
import { cleanLine } from "../screen/clean-text.ts";
import type { Activity, ActivityKind } from "../state/client-state.ts";
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
  waiting: "waiting for model",
  thinking: "thinking",
  responding: "answering",
  compacting: "compacting the conversation",
  permission: "waiting for your permission",
  question: "waiting for your answer",
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
  if (kind === "running") return `running ${cleanLine(tool)}`;
  if (kind === "reading") return `reading with ${cleanLine(tool)}`;
  if (kind === "retrying") return retryWords(retry, now);
  if (kind === "permission" && isWatching) return "waiting for someone else to approve";
  const words = plainWords[kind];
  if (silentMs <= stallMs.look) return words;
  const silent = `${words}, no data for ${durationText(silentMs)}`;
  if (silentMs <= stallMs.tip) return silent;
  if (silentMs <= stallMs.warning) return `${silent}${separator}large models can take a while`;
  const left = Math.max(0, stallMs.giveUp - silentMs);
  return `${silent}${separator}${left > 0 ? `giving up in ${durationText(left)}` : "giving up"}`;
}

function retryWords(retry: Activity["retry"], now: number): string {
  if (retry === undefined) return "retrying";
  const { until, attempt, attemptsMax, reason } = retry;
  const count = attempt === undefined ? "" : ` (${attempt}${attemptsMax === undefined ? "" : ` of ${attemptsMax}`})`;
  const why = reason === undefined ? "" : `: ${cleanLine(reason)}`;
  const wait = until > now ? `retrying in ${durationText(until - now + 999)}` : "retrying";
  return `${wait}${count}${why}`;
}
