/** The files of the daily log: appended to as they happen, and read when they are distilled. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { logBullets, logPath } from "@kedge/memory/extraction";
import { localTime } from "../local-time.ts";
import type { UpkeepParts } from "./upkeep-parts.ts";

type LogParts = Pick<UpkeepParts, "store" | "clean" | "now">;

const daysMax = 14;
const dayMs = 86_400_000;

/** One write for all bullets: after a crash all of them are there or none. */
export async function appendToLog(answer: string, { store, clean, now }: LogParts): Promise<void> {
  const local = localTime(now());
  const bullets = logBullets(clean(answer), local.time);
  if (bullets.length === 0) return;
  const path = join(store.directory, logPath(local.day));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const heading = existsSync(path) ? "" : `# ${local.day}\n\n`;
  appendFileSync(path, `${heading}${bullets.join("\n")}\n`, { mode: 0o600 });
}

/** The newest first. */
export function logsSince(timeMs: number, { store, clean, now }: LogParts) {
  const days = Array.from({ length: daysMax }, (_, index) => localTime(now() - index * dayMs).day);
  const first = localTime(timeMs).day;
  return days
    .filter((day) => day >= first)
    .map(logPath)
    .filter((path) => existsSync(join(store.directory, path)))
    .map((path) => ({ path, text: clean(readFileSync(join(store.directory, path), "utf8")) }));
}
