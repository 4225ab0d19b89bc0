/** The first code that runs: answers `--version` at once, otherwise loads the program through its own code cache. */
import { existsSync, readFileSync, writeSync } from "node:fs";
import type { Script } from "node:vm";
import type { Worker } from "node:worker_threads";
import { writeDiagnostic } from "../output.ts";
import { version } from "./build-facts.ts";
import { type CodeCacheKey, readCodeCache, runKindOf, writeCodeCache } from "./code-cache.ts";
import { engineThreadWord } from "./engine-thread-word.ts";
import { startEngineWorker } from "./engine-worker.ts";
import { keepMemorySmall, tellOfCache } from "./small-memory.ts";
import { areStagesWanted, createStartupStages } from "./startup-stages.ts";

type Program = {
  readonly main: (argv: readonly string[], worker: Worker | undefined) => Promise<number | readonly string[]>;
};

type Wrapped = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  dirname: string,
) => void;

const nodeMinimum = { major: 22, minor: 19 };
/** A terminal may be killed instead of ended, so its cache is not left until the exit. */
const earlyWriteDelayMs = 2_000;
/** Both halves of a terminal are loaded by then, and it is before their flags are changed. */
const settlingWriteDelayMs = 900;
const interruptedCode = 130;

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
  writeSync(1, `kedge ${version}\n`);
} else if (isNodeTooOld(process.versions.node)) {
  writeSync(2, `kedge: needs Node ${nodeMinimum.major}.${nodeMinimum.minor} or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
} else {
  start();
}

function start(): void {
  // In a thread an error is for whoever started the thread, and the terminal belongs to the screen.
  const isThread = argv[0] === engineThreadWord && !process.getBuiltinModule("node:worker_threads").isMainThread;
  if (!isThread) process.on("uncaughtException", failLoudly);
  silenceSqliteWarning();
  const isWanted = !isThread && areStagesWanted(argv, process.env);
  const passStage = createStartupStages({ isWanted });
  passStage("guards");
  const kind = runKindOf(argv);
  const isScreen = kind === "terminal" && isTerminal() && existsSync(`${__dirname}/screen.cjs`);
  const worker = isScreen ? startEngineWorker(__filename) : undefined;
  const started = startProgram(isScreen ? "screen.cjs" : "main.cjs", argv);
  // The program has written everything when it returns; what is still open (sockets, timers) must not delay the end.
  started.then((exitCode) => process.exit(exitCode), isThread ? undefined : failLoudly);

  /** A screen that finds that it is not what was asked for names what the whole program is to do. */
  async function startProgram(file: string, words: readonly string[]): Promise<number> {
    const { program, script, cacheKey, cacheOutcome } = loadProgram(`${__dirname}/${file}`);
    if (isWanted) writeSync(2, `code cache: ${cacheOutcome}\n`);
    passStage("program");
    const hasCache = cacheOutcome === "hit";
    if (!hasCache) keepCodeCache(cacheKey, script, isThread || isScreen ? settlingWriteDelayMs : earlyWriteDelayMs);
    if (isThread) tellOfCache(hasCache);
    else if (worker !== undefined) keepMemorySmall(worker, hasCache);
    const ended = await program.main(words, worker);
    return typeof ended === "number" ? ended : startProgram("main.cjs", ended);
  }
}

/** Without loading the streams of Node. */
function isTerminal(): boolean {
  const { isatty } = process.getBuiltinModule("node:tty");
  return isatty(0) && isatty(1);
}

function loadProgram(path: string) {
  const vm = process.getBuiltinModule("node:vm");
  // The bundle is pure ASCII, and latin1 is the cheapest way to a one-byte string.
  const source = readFileSync(path, "latin1");
  const cacheKey: CodeCacheKey = {
    home: homeDirectory(),
    buildId: buildIdOf(source),
    kind: runKindOf(argv),
  };
  const cache = readCodeCache(cacheKey);
  const script = new vm.Script(source, {
    filename: path,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cache.outcome === "found" ? { cachedData: cache.cachedData } : {}),
  });
  const hasCache = cache.outcome === "found" && script.cachedDataRejected === false;
  const cacheOutcome = hasCache ? "hit" : cache.outcome === "missing" ? "miss" : "rejected";
  const module = { exports: {} };
  // The bundle is one function expression, as the build writes it.
  const wrapped = script.runInThisContext() as Wrapped;
  wrapped(module.exports, require, module, path, __dirname);
  // The bundle's entry exports `main`; the build fails when it does not.
  return { program: module.exports as Program, script, cacheKey, cacheOutcome };
}

function keepCodeCache(cacheKey: CodeCacheKey, script: Script, delayMs: number): void {
  let isKept = false;
  const keep = () => {
    if (isKept) return;
    isKept = true;
    writeCodeCache(cacheKey, script);
  };
  setTimeout(keep, delayMs).unref();
  process.on("exit", (exitCode) => {
    // A run that failed early compiled too little to be worth keeping; one that was ended by somebody was at work.
    if (exitCode === 0 || exitCode === interruptedCode) keep();
  });
}

/** The build writes its id into the first bytes of the bundle, so cache and content cannot drift apart. */
function buildIdOf(source: string): string {
  return source.slice("/*".length, source.indexOf("*/"));
}

function homeDirectory(): string {
  const { KEDGE_HOME, HOME } = process.env;
  return KEDGE_HOME || `${HOME || process.getBuiltinModule("node:os").homedir()}/.kedge`;
}

function isNodeTooOld(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  return major < nodeMinimum.major || (major === nodeMinimum.major && minor < nodeMinimum.minor);
}

/** Node before 24 warns once about node:sqlite. The warning has no code of its own, only its text. */
function silenceSqliteWarning(): void {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: readonly unknown[]) => {
    if (typeof warning === "string" && warning.startsWith("SQLite is an experimental feature")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
}

function failLoudly(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  writeDiagnostic(`kedge: unexpected error: ${message.split("\n", 1)[0]}`);
  if (process.env["KEDGE_DEBUG"] === "1" && error instanceof Error) writeDiagnostic(`${error.stack}`);
  process.exit(1);
}
