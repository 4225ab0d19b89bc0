/** Proves with real processes that a mark finds whoever is just starting another program, and that the killed are over. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { killMarked, withMark } from "./marked-processes.ts";

/** Becomes another shell for ever: at most moments it has just started, or is about to start, a program. */
const restless = 'exec bash -c "$0" "$0"';

const isRunning = (pid: number) => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

test("processes that start one program after the other are over after one kill", async () => {
  for (let round = 0; round < 30; round += 1) {
    const mark = `restless-${process.pid}-${round}`;
    const env = withMark({ PATH: process.env["PATH"] ?? "" }, mark);
    const children = Array.from({ length: 6 }, () =>
      spawn("bash", ["-c", restless, restless], { stdio: "ignore", env }),
    );
    const pids = children.map(({ pid }) => pid ?? 0);
    const gone = Promise.all(children.map((child) => once(child, "exit")));
    killMarked(new Set([mark]));
    const left = pids.filter(isRunning);
    for (const child of children) child.kill("SIGKILL");
    await gone;
    expect(left).toEqual([]);
  }
});
