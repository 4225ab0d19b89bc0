/** The first code that runs: answers `--version` at once, otherwise loads the program through its own code cache. */
import { existsSync, writeSync } from "node:fs";
import { writeDiagnostic, writeNotice } from "../output.ts";
import { stubTexts } from "../texts/start.ts";
import { version } from "./build-facts.ts";
import { runKindOf, runUses } from "./code-cache.ts";
import { engineThreadWord } from "./engine-thread-word.ts";
import { startEngineWorker } from "./engine-worker.ts";
import { type LoadedProgram, loadProgram } from "./load-program.ts";
import { keepMemorySmall, keepRunSmall, tellOfCache, underStartFlags } from "./small-memory.ts";
import { areStagesWanted, createStartupStages } from "./startup-stages.ts";

const nodeMinimum = { major: 22, minor: 19 };
/** A terminal may be killed instead of ended, so its cache is not left until the exit. */
const earlyWriteDelayMs = 2_000;
/** Both halves of a terminal are loaded by then, and it is before their flags are changed. */
const settlingWriteDelayMs = 900;
/** A run that takes this long may take in a long answer. */
const longRunMs = 150;
const interruptedCode = 130;

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
  writeSync(1, `kedge ${version}\n`);
} else if (isNodeTooOld(process.versions.node)) {
  writeSync(2, stubTexts.nodeTooOld(nodeMinimum.major, nodeMinimum.minor, process.version));
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
    let used = 0;
    const program = loadProgram({
      ...{ directory: __dirname, file, argv, home: homeDirectory() },
      used: () => used,
      underStartFlags,
    });
    if (isWanted) writeSync(2, `code cache: ${program.cacheOutcome}\n`);
    passStage("program");
    const hasCache = program.cacheOutcome === "hit";
    const onEnd = () => {
      used |= runUses.end;
    };
    keepCodeCaches(program, { isTerminal: isThread || isScreen, onEnd });
    if (isThread) tellOfCache(hasCache);
    else if (worker !== undefined) keepMemorySmall(worker, hasCache);
    let isWatched = kind !== "print";
    const ended = await program.main(words, worker, (stage) => {
      if (stage === "first request" && !isWatched) {
        isWatched = true;
        // Where an answer comes at once, loading what sets flags would be a twentieth of the run.
        const onLong = () => {
          used |= runUses.longAnswer;
          keepRunSmall();
        };
        setTimeout(onLong, longRunMs).unref();
      } else if (stage === "first tool") used |= runUses.tools;
      else if (stage === "instructions") used |= runUses.instructions;
    });
    return typeof ended === "number" ? ended : startProgram("main.cjs", ended);
  }
}

/** Without loading the streams of Node. */
function isTerminal(): boolean {
  const { isatty } = process.getBuiltinModule("node:tty");
  return isatty(0) && isatty(1);
}

type CacheMoments = { readonly isTerminal: boolean; readonly onEnd: () => void };

function keepCodeCaches(program: LoadedProgram, { isTerminal, onEnd }: CacheMoments): void {
  let isSettled = false;
  const keepEarly = () => {
    isSettled = true;
    underStartFlags(program.keepCodeCaches);
  };
  if (isTerminal) setTimeout(keepEarly, settlingWriteDelayMs).unref();
  else if (program.cacheOutcome !== "hit") setTimeout(keepEarly, earlyWriteDelayMs).unref();
  process.on("exit", (exitCode) => {
    // What a terminal writes under its later flags would not fit the next start.
    if (isTerminal && isSettled) return;
    // A run that failed early compiled too little to be worth keeping; one that was ended by somebody was at work.
    if (exitCode !== 0 && exitCode !== interruptedCode) return;
    // What was written early lacks the end of a run, and would be kept for ever.
    onEnd();
    underStartFlags(program.keepCodeCaches);
  });
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
  writeNotice(stubTexts.unexpected(message.split("\n", 1)[0] ?? ""));
  if (process.env["KEDGE_DEBUG"] === "1" && error instanceof Error) writeDiagnostic(`${error.stack}`);
  process.exit(1);
}
