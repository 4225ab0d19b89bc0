/**
 * Flags of V8 that a process sets for itself while it runs. A code cache fits only starts under the flags it was written
 * with, so caches are read and written under those of the start.
 */
import type { Worker } from "node:worker_threads";

/** Sent by the thread when it has loaded the program; nobody but `keepMemorySmall` reads it. */
type Loaded = { readonly kind: "loaded"; readonly hasCache: boolean };

const cacheWaitMs = 1_500;

/** By what takes each back. */
const changes = {
  "--semi-space-growth-factor=1": "--semi-space-growth-factor=2",
  "--optimize-for-size": "--no-optimize-for-size",
  "--no-incremental-marking": "--incremental-marking",
  "--no-parallel-scavenge": "--parallel-scavenge",
} as const;
type Change = keyof typeof changes;

const made = new Set<Change>();

/** In the thread of the engine. */
export function tellOfCache(hasCache: boolean): void {
  const { parentPort } = process.getBuiltinModule("node:worker_threads");
  parentPort?.postMessage({ kind: "loaded", hasCache } satisfies Loaded);
}

/**
 * In the thread of the screen. What a screen and its engine make is short-lived, and the room for it would grow to 64 MB
 * and stay: 80 MB less with these flags. They are set when both are up, because loading is slower with them.
 */
export function keepMemorySmall(worker: Worker, hasOwnCache: boolean): void {
  let hasBoth = false;
  worker.on("message", (message: Loaded | { readonly kind: "up" | "other" }) => {
    if (message.kind === "loaded") hasBoth = hasOwnCache && message.hasCache;
    else if (message.kind === "up") setTimeout(keepTerminalSmall, hasBoth ? 0 : cacheWaitMs).unref();
  });
}

function keepTerminalSmall(): void {
  make("--semi-space-growth-factor=1");
  make("--optimize-for-size");
  // A compiler in the background that waits for a collection would keep the process from ending, for ever.
  setFlag("--no-concurrent-sparkplug");
}

/**
 * A long answer is short-lived text too: 7 MB less while 2 MB stream in, without more processor time. Nobody watches the
 * frames of such a run, so a collection need not be prepared beside it, and waking threads to collect a megabyte of new
 * objects costs more than it saves: a tenth less processor time, and 2 MB less.
 */
export function keepRunSmall(): void {
  make("--semi-space-growth-factor=1");
  make("--no-incremental-marking");
  make("--no-parallel-scavenge");
}

/** For reading and writing code caches. */
export function underStartFlags<Result>(work: () => Result): Result {
  for (const change of made) setFlag(changes[change]);
  try {
    return work();
  } finally {
    for (const change of made) setFlag(change);
  }
}

function make(change: Change): void {
  made.add(change);
  setFlag(change);
}

function setFlag(flag: string): void {
  process.getBuiltinModule("node:v8").setFlagsFromString(flag);
}
