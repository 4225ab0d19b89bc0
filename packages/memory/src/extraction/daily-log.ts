/** The daily log of a long-lived assistant: bullets with a time, in one file for each day. */
import { posix } from "node:path";

const bulletsMax = 8;
const bulletCharactersMax = 500;

const logFolder = "logs";

/** `logs/2026/03/2026-03-01.md`, by the day of the person. */
export function logPath(day: string): string {
  const [year = "", month = ""] = day.split("-");
  return posix.join(logFolder, year, month, `${day}.md`);
}

/** What of an answer goes into the log; the text must have been cleaned. */
export function logBullets(answer: string, time: string): readonly string[] {
  return answer
    .split("\n")
    .flatMap((line) => /^\s*[-*]\s+(\S.*)$/.exec(line)?.[1] ?? [])
    .slice(0, bulletsMax)
    .map((text) => `- ${time} ${text.trim().slice(0, bulletCharactersMax)}`);
}
