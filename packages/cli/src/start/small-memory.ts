/**
 * Keeps a terminal small. What a screen and its engine make is short-lived, and the room for it would grow to 64 MB and
 * stay: 80 MB less with these flags. They are set when both are up, because loading is slower with them; and not before a
 * code cache is written that is missing, which would not fit a start without them.
 */
import type { Worker } from "node:worker_threads";

/** Sent by the thread when it has loaded the program; nobody but `keepMemorySmall` reads it. */
type Loaded = { readonly kind: "loaded"; readonly hasCache: boolean };

const cacheWaitMs = 1_500;

let isRunSmall = false;

/** In the thread of the engine. */
export function tellOfCache(hasCache: boolean): void {
  const { parentPort } = process.getBuiltinModule("node:worker_threads");
  parentPort?.postMessage({ kind: "loaded", hasCache } satisfies Loaded);
}

/** In the thread of the screen. */
export function keepMemorySmall(worker: Worker, hasOwnCache: boolean): void {
  let hasBoth = false;
  worker.on("message", (message: Loaded | { readonly kind: "up" | "other" }) => {
    if (message.kind === "loaded") hasBoth = hasOwnCache && message.hasCache;
    else if (message.kind === "up") setTimeout(setFlags, hasBoth ? 0 : cacheWaitMs).unref();
  });
}

function setFlags(): void {
  setFlag("--semi-space-growth-factor=1");
  setFlag("--optimize-for-size");
  // A compiler in the background that waits for a collection would keep the process from ending, for ever.
  setFlag("--no-concurrent-sparkplug");
}

/** A long answer is short-lived text too: 7 MB less while 2 MB stream in, without more processor time. */
export function keepRunSmall(): void {
  isRunSmall = true;
  setFlag("--semi-space-growth-factor=1");
}

/** A code cache fits only starts under the flags it was written with. */
export function allowGrowth(): void {
  if (isRunSmall) setFlag("--semi-space-growth-factor=2");
}

/** After a code cache was written in the middle of a run. */
export function keepRunSmallAgain(): void {
  if (isRunSmall) keepRunSmall();
}

function setFlag(flag: string): void {
  process.getBuiltinModule("node:v8").setFlagsFromString(flag);
}
