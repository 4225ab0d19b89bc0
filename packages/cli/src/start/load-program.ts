/** Loads the built program, and its later parts with the first module that is asked of them, each with a code cache of its own. */
import { readFileSync } from "node:fs";
import type { Script } from "node:vm";
import type { Worker } from "node:worker_threads";
import { requireBuiltin } from "./builtin-modules.ts";
import { type CodeCacheKey, readCodeCache, runKindOf, writeCodeCache } from "./code-cache.ts";
import { askedModule, type ProgramPart, partFile } from "./program-parts.ts";
import type { PassStage } from "./startup-stages.ts";

/** What parts export; the build fails when the first has no `main`. */
type Program = {
  readonly main: (
    argv: readonly string[],
    worker: Worker | undefined,
    passStage: PassStage,
  ) => Promise<number | readonly string[]>;
};
/** In every part that another one asks for modules. */
type Giver = { readonly give: (path: string) => unknown };

type Wrapped = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: object },
  filename: string,
  dirname: string,
) => void;

export type LoadedProgram = {
  readonly main: Program["main"];
  readonly cacheOutcome: CacheOutcome;
  /** Writes caches that are missing, and those that lack what this run used. */
  keepCodeCaches(): void;
};

type CacheOutcome = "hit" | "miss" | "rejected";

type Part = {
  readonly exports: object;
  readonly buildId: string;
  readonly cacheOutcome: CacheOutcome;
  keepCodeCache(): void;
};

export type LoadOptions = {
  readonly directory: string;
  readonly file: string;
  readonly argv: readonly string[];
  readonly home: string;
  /** What the run has used so far, by `runUses`. */
  readonly used: () => number;
  /** Runs what reads or makes a code cache. */
  readonly underStartFlags: <Result>(work: () => Result) => Result;
};

export function loadProgram(options: LoadOptions): LoadedProgram {
  /** Every file of the program asks again for what it imports: 420 times at the start, of which Node needs 10 ms. */
  const known = new Map<string, unknown>();
  const requireIn = (name: string): unknown => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const asked = askedModule(name);
    const module = asked === undefined ? requireBuiltin(name, require) : giverOf(asked.part).give(asked.path);
    known.set(name, module);
    return module;
  };
  const main = loadPart(options, options.file, "main", requireIn);
  const parts = new Map<ProgramPart, Part>([["main", main]]);

  function giverOf(name: ProgramPart): Giver {
    const part = parts.get(name) ?? loadPart(options, partFile(name, main.buildId), name, requireIn);
    parts.set(name, part);
    // The build gives every part that is asked such a function.
    return part.exports as Giver;
  }

  return {
    // See the type.
    main: (main.exports as Program).main,
    cacheOutcome: main.cacheOutcome,
    keepCodeCaches() {
      for (const part of parts.values()) part.keepCodeCache();
    },
  };
}

function loadPart(
  { directory, argv, home, used, underStartFlags }: LoadOptions,
  file: string,
  part: ProgramPart,
  requireIn: (name: string) => unknown,
): Part {
  const path = `${directory}/${file}`;
  // The bundle is pure ASCII, and latin1 is the cheapest way to a one-byte string.
  const source = readFileSync(path, "latin1");
  const buildId = buildIdOf(source);
  const key: CodeCacheKey = { home, buildId, kind: runKindOf(argv), part };
  const { script, cacheOutcome, covers } = underStartFlags(() => compile(path, source, key));
  const module = { exports: {} };
  // The bundle is one function expression, as the build writes it.
  const wrapped = script.runInThisContext() as Wrapped;
  wrapped(module.exports, requireIn, module, path, directory);
  let kept = cacheOutcome === "hit" ? covers : undefined;
  return {
    exports: module.exports,
    buildId,
    cacheOutcome,
    keepCodeCache() {
      // What came from the cache is part of the one that is written.
      const now = used() | (kept ?? 0);
      if (kept === now) return;
      writeCodeCache(key, script, { covers: now, adds: kept !== undefined });
      kept = now;
    },
  };
}

function compile(path: string, source: string, key: CodeCacheKey) {
  const vm = process.getBuiltinModule("node:vm");
  const cache = readCodeCache(key);
  const script: Script = new vm.Script(source, {
    filename: path,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cache.outcome === "found" ? { cachedData: cache.cachedData } : {}),
  });
  const isHit = cache.outcome === "found" && script.cachedDataRejected === false;
  const cacheOutcome: CacheOutcome = isHit ? "hit" : cache.outcome === "missing" ? "miss" : "rejected";
  return { script, cacheOutcome, covers: cache.outcome === "found" ? cache.covers : 0 };
}

/** The build writes its id into the first bytes of the bundle, so cache and content cannot drift apart. */
function buildIdOf(source: string): string {
  return source.slice("/*".length, source.indexOf("*/"));
}
