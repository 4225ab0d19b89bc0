/** How the gates write ages, sizes, paths and commands for a person, so that none of them can pass for something else. */
import { counted } from "@kedge/protocol";

const textCharactersMax = 300;

/** On one line, without control characters, and shortened in the middle where it is long. */
export function plainText(text: string): string {
  // Line ends, terminal sequences and marks that turn the reading direction could hide or forge a line.
  const visible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) ? text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ") : text;
  if (visible.length <= textCharactersMax) return visible;
  const half = textCharactersMax / 2;
  return `${visible.slice(0, half)} … ${visible.slice(-half)}`;
}

export function ageText(sinceMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - sinceMs) / 1000));
  if (seconds < 90) return `${counted(seconds, "second")} ago`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${counted(minutes, "minute")} ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${counted(hours, "hour")} ago` : `${counted(Math.round(hours / 24), "day")} ago`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return counted(bytes, "byte");
  const units = ["kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power - 1]}`;
}
