/** A session of ten thousand messages opens in little memory; each measurement is a process of its own. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

/** About half of it is Node itself, which here also strips types. */
const peakMegabytesMax = 200;

const timeoutMs = 120_000;
const program = fileURLToPath(new URL("./large-session-process.ts", import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-large-"));
  run("fill");
}, timeoutMs);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(task: string): string {
  return execFileSync(process.execPath, [program, task, folder], { encoding: "utf8", timeout: timeoutMs });
}

type Measured = {
  readonly cpuMs: number;
  readonly peakMegabytes: number;
  readonly items: number;
  readonly isValid: boolean;
};

function measure(task: string): Measured {
  const measured: Measured = JSON.parse(run(task));
  console.log(`${task}: ${measured.cpuMs.toFixed(0)} ms, ${measured.peakMegabytes.toFixed(0)} MB`);
  return measured;
}

test("opening it", { timeout: timeoutMs }, () => {
  const found = [measure("open"), measure("open"), measure("open")];
  expect(found.map(({ items }) => items)).toEqual([18_000, 18_000, 18_000]);
  // Other work on the machine can only add to it, so the least is the nearest to the truth.
  expect(Math.min(...found.map(({ peakMegabytes }) => peakMegabytes))).toBeLessThan(peakMegabytesMax);
});

test("bringing all that is derived from it up to date, and comparing it", { timeout: timeoutMs }, () => {
  expect(measure("catchUp").peakMegabytes).toBeLessThan(peakMegabytesMax + 50);
  const verified = measure("verify");
  expect(verified.isValid).toBe(true);
  expect(verified.peakMegabytes).toBeLessThan(peakMegabytesMax + 50);
});
