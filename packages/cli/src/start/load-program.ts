/** Loads the built program, and with the first module that is asked for its late part, each with a code cache of its own. */
import { readFileSync } from "node:fs";
import type { Script } from "node:vm";
import type { Worker } from "node:worker_threads";
import { requireBuiltin } from "./builtin-modules.ts";
import { type CodeCacheKey, readCodeCache, runKindOf, writeCodeCache } from "./code-cache.ts";
import { latePartName, latePrefix, mainPrefix } from "./late-part.ts";
import type { PassStage } from "./startup-stages.ts";

/** What the two parts export; the build fails when the first has no `main`. */
type Program = {
  readonly main: (
    argv: readonly string[],
    worker: Worker | undefined,
    passStage: PassStage,
  ) => Promise<number | readonly string[]>;
  readonly shared: (path: string) => unknown;
};
type LatePart = { readonly late: (path: string) => unknown };

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
};

export function loadProgram(options: LoadOptions): LoadedProgram {
  let latePart: Part | undefined;
  /** Every file of the program asks again for what it imports: 420 times at the start, of which Node needs 10 ms. */
  const known = new Map<string, unknown>();
  const main = loadPart(options, options.file, "", (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    if (!name.startsWith(latePrefix)) {
      const module = requireBuiltin(name, require);
      known.set(name, module);
      return module;
    }
    latePart ??= loadPart(options, latePartName(main.buildId), "-late", (asked) =>
      asked.startsWith(mainPrefix) ? program.shared(asked.slice(mainPrefix.length)) : require(asked),
    );
    return (latePart.exports as LatePart).late(name.slice(latePrefix.length));
  });
  // See the types.
  const program = main.exports as Program;
  return {
    main: program.main,
    cacheOutcome: main.cacheOutcome,
    keepCodeCaches() {
      main.keepCodeCache();
      latePart?.keepCodeCache();
    },
  };
}

function loadPart(
  { directory, argv, home, used }: LoadOptions,
  file: string,
  part: CodeCacheKey["part"],
  requireIn: (name: string) => unknown,
): Part {
  const path = `${directory}/${file}`;
  // The bundle is pure ASCII, and latin1 is the cheapest way to a one-byte string.
  const source = readFileSync(path, "latin1");
  const buildId = buildIdOf(source);
  const key: CodeCacheKey = { home, buildId, kind: runKindOf(argv), part };
  const { script, cacheOutcome, covers } = compile(path, source, key);
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
      kept = now;
      writeCodeCache(key, script, { covers: now });
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
