/**
 * What was spent on each day, across all processes of this user: one file per day, to which every paid request adds a
 * line. A file is read once and then only where it grew.
 */
import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";

export type SpentLine = { readonly usd: number; readonly model: string };

interface SpendingLedger {
  add(day: string, line: SpentLine): void;
  /** From the given day up to today, in US dollars. Throws where a file cannot be read. */
  since(day: string): number;
  /** Deletes the days before the given one. */
  forgetBefore(day: string): void;
}

type KnownDay = { bytes: number; usd: number };

const ownerOnly = 0o600;
const dayFile = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

export function openSpendingLedger(directory: string): SpendingLedger {
  const known = new Map<string, KnownDay>();

  function spentOn(day: string): number {
    const before = known.get(day) ?? { bytes: 0, usd: 0 };
    const text = readFrom(join(directory, `${day}.jsonl`), before.bytes);
    // The last line of another process may still be on its way.
    const whole = text.lastIndexOf("\n") + 1;
    if (whole === 0) return before.usd;
    const lines = text.slice(0, whole);
    const now = { bytes: before.bytes + Buffer.byteLength(lines), usd: before.usd + sumOf(lines) };
    known.set(day, now);
    return now.usd;
  }

  return {
    add(day, line) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      appendFileSync(join(directory, `${day}.jsonl`), `${JSON.stringify(line)}\n`, { mode: ownerOnly });
    },
    since(first) {
      return daysIn(directory)
        .filter((day) => day >= first)
        .reduce((sum, day) => sum + spentOn(day), 0);
    },
    forgetBefore(first) {
      for (const day of daysIn(directory)) {
        if (day < first) rmSync(join(directory, `${day}.jsonl`), { force: true });
      }
    },
  };
}

function daysIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).flatMap((name) => dayFile.exec(name)?.[1] ?? []);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function readFrom(path: string, offset: number): string {
  // A pipe in place of the file would hold everything up.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const length = fstatSync(file).size - offset;
    if (length <= 0) return "";
    const bytes = Buffer.alloc(length);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, length, offset));
  } finally {
    closeSync(file);
  }
}

function sumOf(lines: string): number {
  let usd = 0;
  for (const line of lines.split("\n")) usd += usdOf(line);
  return usd;
}

/** A line that a crash cut short counts for nothing: the request it belongs to is one of many. */
function usdOf(line: string): number {
  if (line === "") return 0;
  try {
    const parsed: unknown = JSON.parse(line);
    const usd = isJsonObject(parsed) ? parsed["usd"] : undefined;
    return typeof usd === "number" && usd > 0 && Number.isFinite(usd) ? usd : 0;
  } catch {
    return 0;
  }
}
