/** The thread of the engine, started before anybody knows what it is to do, so that it loads beside the screen. */
import type { Worker } from "node:worker_threads";
import { engineThreadWord } from "./engine-thread-word.ts";

/** Most of what the engine makes is short-lived; without a limit two thirds of its memory would be room for it. */
const youngMegabytes = 4;

/** `entry` is the start stub, which the thread begins with as well. */
export function startEngineWorker(entry: string): Worker {
  const { Worker: Thread } = process.getBuiltinModule("node:worker_threads");
  return new Thread(entry, {
    argv: [engineThreadWord],
    env: { ...process.env },
    // What it prints must not land on the screen.
    stdout: true,
    stderr: true,
    resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
  });
}
