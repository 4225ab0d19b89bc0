/** Runs ripgrep and hands out its records one by one; stops it when enough was seen, time is up or the call is aborted. */
import { spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { attemptStart } from "@kedge/protocol";
import { describeIrregular, findIrregularAbove, findIrregularBelow } from "./irregular-ignore-file.ts";

export type RipgrepParts = {
  /** Asked at the first search only. */
  readonly ripgrepPath: () => string;
  readonly childEnvironment: () => Readonly<Record<string, string>>;
};

export type RipgrepSearch = {
  /** Without the places to search. */
  readonly arguments: readonly string[];
  /** Files and directories, absolute. */
  readonly roots: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** What ends a record: a line feed, or NUL for lists of paths. */
  readonly separator: "\n" | "\0";
  /** Takes one record; "enough" ends the search. */
  readonly onRecord: (record: string) => "more" | "enough";
};

export type RipgrepEnd =
  | { readonly kind: "complete" | "enough" | "timed-out" | "interrupted" }
  | { readonly kind: "failed"; readonly problem: string };

/** How long a search may take that has no time of its own. */
export const searchTimeoutMs = 30_000;

/** Nearly all searches are over by then. One that is not may be waiting for something that is no file. */
const suspicionMs = 300;

const recordCharactersMax = 1_000_000;
const problemCharactersMax = 2_000;

/** Which files a search sees. */
export type Scope = { readonly hidden: boolean; readonly gitignore: boolean; readonly gitDirectory: boolean };

const ignoringNothing = "--no-ignore";

/** For every search: no user configuration, and ignore files also outside a git repository. */
export function scopeArguments({ hidden, gitignore, gitDirectory }: Scope): readonly string[] {
  return [
    "--no-config",
    "--no-messages",
    "--no-require-git",
    ...(hidden ? ["--hidden"] : []),
    ...(gitignore ? [] : [ignoringNothing]),
    ...(gitDirectory ? [] : ["--glob=!.git"]),
  ];
}

/** A type selects by file name without overruling the ignore files, as `--glob` would. */
export function nameArguments(nameGlobs: readonly string[]): readonly string[] {
  return nameGlobs.length === 0 ? [] : [...nameGlobs.map((glob) => `--type-add=wanted:${glob}`), "--type=wanted"];
}

export function runRipgrep(parts: RipgrepParts, search: RipgrepSearch): Promise<RipgrepEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<RipgrepEnd>();
  if (search.signal.aborted) return Promise.resolve({ kind: "interrupted" });
  const readsIgnoreFiles = !search.arguments.includes(ignoringNothing);
  const irregular = readsIgnoreFiles ? findIrregularAbove(search.roots) : undefined;
  if (irregular !== undefined) return Promise.resolve({ kind: "failed", problem: describeIrregular(irregular) });
  const child = start(parts, search);
  if (typeof child === "string") return Promise.resolve({ kind: "failed", problem: child });
  let ended: RipgrepEnd | undefined;
  const end = (how: RipgrepEnd): void => {
    ended ??= how;
    child.kill("SIGKILL");
  };
  const stop = (kind: "enough" | "timed-out" | "interrupted"): void => end({ kind });
  const over = new AbortController();
  const suspicion = readsIgnoreFiles ? setTimeout(() => void lookForPipes(), suspicionMs) : undefined;
  async function lookForPipes(): Promise<void> {
    const path = await findIrregularBelow(search.roots, over.signal);
    if (path !== undefined && !over.signal.aborted) end({ kind: "failed", problem: describeIrregular(path) });
  }
  const timer = setTimeout(() => stop("timed-out"), search.timeoutMs);
  const onAbort = () => stop("interrupted");
  search.signal.addEventListener("abort", onAbort, { once: true });

  const decoder = new StringDecoder("utf8");
  let partial = "";
  let problem = "";
  child.stdout.on("data", (bytes: Buffer) => {
    if (ended !== undefined) return;
    const records = (partial + decoder.write(bytes)).split(search.separator);
    partial = (records.pop() ?? "").slice(0, recordCharactersMax);
    try {
      if (records.some((record) => search.onRecord(record) === "enough")) stop("enough");
    } catch (error) {
      // Thrown from here it would end the process and not the call.
      stop("interrupted");
      reject(error);
    }
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    problem = (problem + text).slice(0, problemCharactersMax);
  });
  const finish = (end: RipgrepEnd): void => {
    clearTimeout(timer);
    clearTimeout(suspicion);
    over.abort();
    search.signal.removeEventListener("abort", onAbort);
    resolve(end);
  };
  child.once("error", (error) => finish({ kind: "failed", problem: `ripgrep could not be started: ${error.message}` }));
  child.once("close", (code) => {
    if (ended !== undefined) return finish(ended);
    try {
      if (partial !== "") search.onRecord(partial);
    } catch (error) {
      reject(error);
    }
    // Code 2 without words means that some files could not be read; what was found still holds.
    const failed = code === 2 && problem.trim() !== "";
    finish(failed ? { kind: "failed", problem: problem.trim() } : { kind: "complete" });
  });
  return promise;
}

/** Or why it cannot be started. */
function start(parts: RipgrepParts, { arguments: options, roots, cwd }: RipgrepSearch) {
  const given = [...options, "--", ...roots];
  if (given.some((argument) => argument.includes("\0"))) return "A search cannot contain a NUL character.";
  const env = parts.childEnvironment();
  const child = attemptStart(() => spawn(parts.ripgrepPath(), given, { cwd, env, stdio: ["ignore", "pipe", "pipe"] }));
  return "problem" in child ? `ripgrep could not be started: ${child.problem}` : child;
}
