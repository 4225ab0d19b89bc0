/** Proves with real processes that one that waits is told from one that computes. */
import { spawn } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import { isProcessBusy } from "./is-process-busy.ts";

let stop = () => {};
afterEach(() => stop());

function start(...command: readonly string[]): number {
  const [program = "", ...words] = command;
  const child = spawn(program, words, { stdio: "ignore" });
  stop = () => void child.kill("SIGKILL");
  // Both programs are there, so that there is one.
  return child.pid ?? 0;
}

test("a process that waits is not busy", async () => {
  const pid = start("sleep", "600");
  await expect.poll(() => isProcessBusy(pid)).toBe(false);
});

test("a process that computes is busy, and not when it is gone", async () => {
  const pid = start("sh", "-c", "while :; do :; done");
  await expect.poll(() => isProcessBusy(pid)).toBe(true);
  stop();
  await expect.poll(() => isProcessBusy(pid)).toBe(false);
});
