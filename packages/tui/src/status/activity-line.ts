/** The line above the prompt: what is being done, for how long, and how to stop it. */
import { cleanLine } from "../screen/clean-text.ts";
import { truncateToWidth } from "../screen/text-width.ts";
import type { Activity, ActivityKind } from "../state/client-state.ts";
import type { Theme } from "../theme/theme.ts";
import { countText, durationText } from "./short-figures.ts";

/** How long nothing may come before the look of the line says so. */
export const stallMs = { look: 3_000, tip: 30_000, warning: 45_000, giveUp: 90_000 } as const;

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
  const { kind, since, lastSignAt, outputTokens } = activity;
  if (kind === "idle") return { text: "" };
  const { symbols } = theme;
  const isMoving = kind !== "permission" && kind !== "question";
  const silentMs = isStallable(kind) ? now - lastSignAt : 0;
  const frames = symbols.statusFrames;
  const frame = isMoving ? (frames[Math.floor(now / frameMs) % frames.length] ?? "") : symbols.pending;
  const isStalled = silentMs > stallMs.look;
  const spinner = theme.fg(isStalled ? "warning" : "accent", frame);
  const separator = ` ${symbols.separator} `;
  const details = [
    // Nobody notes when that began, and a resting run keeps the time of its own end.
    ...(kind === "compacting" ? [] : [durationText(now - since)]),
    ...(outputTokens >= 1 ? [`~${countText(outputTokens)} tokens`] : []),
    ...(kind === "retrying" && (activity.retry?.until ?? now) > now ? ["enter to retry now"] : []),
    ...(kind === "permission" || kind === "question" ? [] : [`${interruptKey} stops`]),
  ].join(separator);
  const words = theme.fg(
    isStalled ? "warning" : "text",
    wordsOf(activity, { now, silentMs, symbols: separator, isWatching }),
  );
  const line = `${spinner} ${words}${theme.fg("muted", separator + details)}`;
  return {
    text: truncateToWidth(line, width, symbols.ellipsis),
    nextInMs: isMoving ? frameMs - (now % frameMs) : 1_000 - ((now - since) % 1_000),
  };
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

type Silence = {
  readonly now: number;
  readonly silentMs: number;
  readonly symbols: string;
  readonly isWatching: boolean;
};

function wordsOf(activity: Activity, { now, silentMs, symbols, isWatching }: Silence): string {
  const { kind, tool = "", retry } = activity;
  if (kind === "running") return `running ${cleanLine(tool)}`;
  if (kind === "reading") return `reading with ${cleanLine(tool)}`;
  if (kind === "retrying") return retryWords(retry, now);
  if (kind === "permission" && isWatching) return "waiting for someone else to approve";
  const words = plainWords[kind];
  if (silentMs <= stallMs.look) return words;
  const silent = `${words}, no data for ${durationText(silentMs)}`;
  if (silentMs <= stallMs.tip) return silent;
  if (silentMs <= stallMs.warning) return `${silent}${symbols}large models can take a while`;
  const left = Math.max(0, stallMs.giveUp - silentMs);
  return `${silent}${symbols}${left > 0 ? `giving up in ${durationText(left)}` : "giving up"}`;
}

function retryWords(retry: Activity["retry"], now: number): string {
  if (retry === undefined) return "retrying";
  const { until, attempt, attemptsMax, reason } = retry;
  const count = attempt === undefined ? "" : ` (${attempt}${attemptsMax === undefined ? "" : ` of ${attemptsMax}`})`;
  const why = reason === undefined ? "" : `: ${cleanLine(reason)}`;
  const wait = until > now ? `retrying in ${durationText(until - now + 999)}` : "retrying";
  return `${wait}${count}${why}`;
}
