/** What the terminal bench measures with: rows of its table, medians, and what the system tells of a process. */
import { readdirSync, readFileSync } from "node:fs";

export type Figure = {
  readonly measure: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
};

export type Measure = (entry: string) => Promise<readonly Figure[]>;

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return rounded(Number(kilobytes) / 1024);
}

const ticksPerSecond = 100;

/** Of each thread, in milliseconds. */
export function processorTimes(pid: number): ReadonlyMap<string, number> {
  return new Map(
    readdirSync(`/proc/${pid}/task`).map((thread) => {
      const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return [thread, ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond];
    }),
  );
}

/** How long the busiest thread but the first computed between two looks. */
export function busiestThreadMs(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  const [, ...others] = [...after];
  return Math.max(0, ...others.map(([thread, time]) => time - (before.get(thread) ?? 0)));
}

const frameEnd = "\u001b[?2026l";
const rowClear = "\u001b[2K";

/** Frames that drew something, told by the mark that ends each. */
export function countFrames(written: string): number {
  return written.split(frameEnd).filter((frame) => frame.includes(rowClear)).length;
}
