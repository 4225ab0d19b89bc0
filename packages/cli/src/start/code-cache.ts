/**
 * Our own V8 code cache: taken after a run, so that the functions that run needed are already compiled at the next start.
 *
 * V8 itself checks its version and flags and the length of the source, neither its content nor the payload: a cache of
 * another program of the same length would run, and a damaged one would crash. So the file carries a digest over its
 * payload and its name, and the name holds the build.
 */
import type { Script } from "node:vm";
import { engineThreadWord } from "./engine-thread-word.ts";
import type { ProgramPart } from "./program-parts.ts";

export type CodeCacheKey = {
  /** The cache lies in its folder `cache`. */
  readonly home: string;
  readonly buildId: string;
  /** Runs of different kinds need different functions; one cache for all would be as poor as the first run. */
  readonly kind: RunKind;
  readonly part: ProgramPart;
};

export type RunKind = "print" | "terminal" | "engine" | "command";

export type CodeCacheRead =
  | { readonly outcome: "found"; readonly cachedData: Buffer; readonly covers: number }
  | { readonly outcome: "missing" }
  | { readonly outcome: "damaged" };

export type CodeCacheWrite = {
  readonly covers: number;
  /** To one that this process has read or written, instead of replacing one that did not fit. */
  readonly adds: boolean;
};

const digestBytes = 32;
/** Behind the digest, and as long as V8 wants its data aligned: what the run before had used. */
const headBytes = 8;
/** What only some runs need, as bits: a cache that lacks it is replaced after a run that used it. */
export const runUses = { tools: 1, instructions: 2, longAnswer: 4, end: 8 } as const;
/** Four parts for four kinds of run, of a few builds. */
const cacheFilesMax = 32;
const namePrefix = "code-";

/** Looks only at the shape of the arguments; a wrong guess costs some milliseconds and nothing else. */
export function runKindOf(argv: readonly string[]): RunKind {
  const [first] = argv;
  if (first === "run" || argv.includes("-p") || argv.includes("--print")) return "print";
  if (first === undefined) return "terminal";
  if (first === engineThreadWord) return "engine";
  if (first === "--help" || first === "-h") return "command";
  return first.startsWith("-") || first.includes(" ") ? "terminal" : "command";
}

export function readCodeCache(key: CodeCacheKey): CodeCacheRead {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  let file: Buffer;
  try {
    file = readFileSync(`${directoryOf(key)}/${fileName(key)}`);
  } catch {
    // Absent or unreadable is the same here: the program starts without a cache.
    return { outcome: "missing" };
  }
  const content = file.subarray(digestBytes);
  if (!digestOf(key, content).equals(file.subarray(0, digestBytes))) return { outcome: "damaged" };
  return { outcome: "found", cachedData: content.subarray(headBytes), covers: content[0] ?? 0 };
}

/** A cache that cannot be written costs the next start some milliseconds, so a read-only home is no error. */
export function writeCodeCache(key: CodeCacheKey, script: Script, { covers, adds }: CodeCacheWrite): void {
  const { appendFileSync, renameSync, writeFileSync } = process.getBuiltinModule("node:fs");
  const directory = directoryOf(key);
  const temporary = `${directory}/${namePrefix}${process.pid}.tmp`;
  try {
    // One level at a time: the recursive form never returns where the system refuses with ENOENT, as /proc does.
    makePrivateDirectory(key.home);
    makePrivateDirectory(directory);
    const head = Buffer.alloc(headBytes, covers);
    const content = Buffer.concat([head, adds ? largerOf(key, script) : script.createCachedData()]);
    writeFileSync(temporary, digestOf(key, content), { mode: 0o600 });
    appendFileSync(temporary, content);
    renameSync(temporary, `${directory}/${fileName(key)}`);
    removeOldest(directory);
  } catch {
    removeQuietly(temporary);
  }
}

/** In a long run V8 gives up functions that were not called for a while; then there is more in what was written before. */
function largerOf(key: CodeCacheKey, script: Script): Buffer {
  const made = script.createCachedData();
  const before = readCodeCache(key);
  return before.outcome === "found" && before.cachedData.length > made.length ? before.cachedData : made;
}

function makePrivateDirectory(path: string): void {
  const { existsSync, mkdirSync } = process.getBuiltinModule("node:fs");
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
}

/** Where nothing could be written there is nothing to remove, and the removal fails like the writing did. */
function removeQuietly(path: string): void {
  const { rmSync } = process.getBuiltinModule("node:fs");
  try {
    rmSync(path, { force: true });
  } catch {
    // See above.
  }
}

function removeOldest(directory: string): void {
  const { readdirSync, rmSync, statSync } = process.getBuiltinModule("node:fs");
  const files = readdirSync(directory)
    .filter((name) => name.startsWith(namePrefix))
    .map((name) => ({ path: `${directory}/${name}`, writtenMs: statSync(`${directory}/${name}`).mtimeMs }))
    .sort((left, right) => right.writtenMs - left.writtenMs);
  for (const { path } of files.slice(cacheFilesMax)) rmSync(path, { force: true });
}

function directoryOf(key: CodeCacheKey): string {
  return `${key.home}/cache`;
}

function fileName(key: CodeCacheKey): string {
  return `${namePrefix}${key.buildId}-${process.version}-${process.arch}-${key.kind}-${key.part}.bin`;
}

function digestOf(key: CodeCacheKey, content: Buffer): Buffer {
  // Loading node:crypto costs 4 ms, which every run that records a fact pays anyway.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(fileName(key)).update(content).digest();
}
