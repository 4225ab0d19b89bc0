/** Counts, sizes and times in the few words that fit behind a title. */
import { counted } from "../text/counted.ts";

const kilo = 1_000;

export function countedLines(text: string): string {
  return counted(lineCount(text), "line", "lines");
}

export function lineCount(text: string): number {
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  if (body === "") return 0;
  let count = 1;
  for (let at = body.indexOf("\n"); at !== -1; at = body.indexOf("\n", at + 1)) count += 1;
  return count;
}

export function bytesInWords(bytes: number): string {
  if (bytes < kilo) return `${bytes} B`;
  if (bytes < kilo ** 2) return `${rounded(bytes / kilo)} kB`;
  return `${rounded(bytes / kilo ** 2)} MB`;
}

export function durationInWords(ms: number): string {
  if (ms < kilo) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / kilo;
  if (seconds < 10) return `${rounded(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min${whole % 60 === 0 ? "" : ` ${whole % 60} s`}`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
}

/** What is not empty, with dots between. */
export function joined(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== "").join(" · ");
}

function rounded(value: number): string {
  return value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
}
