/** Runs git on a shadow directory: sealed off from the user's configuration, bounded, abortable. */
import { type ChildProcess, spawn } from "node:child_process";
import { constants, devNull, setPriority } from "node:os";
import { attemptStart } from "@kedge/protocol";

const errorCharactersMax = 2000;

export type Environment = { readonly [name: string]: string | undefined };

export type GitPlace = {
  readonly gitPath: string;
  readonly gitDirectory: string;
  readonly root: string;
  readonly environment: Environment;
};

export type GitRun = {
  readonly arguments: readonly string[];
  readonly input?: Buffer;
  readonly indexFile?: string;
  /** A folder of objects that this run may read besides its own. */
  readonly objectsFrom?: string;
  /** The user's own settings count, because the question is how the user's git sees the files. */
  readonly honoursUserSettings?: boolean;
  /** Work that nobody waits for; its own children end with it. */
  readonly isBackground?: boolean;
  readonly signal?: AbortSignal;
};

export type GitOutcome =
  | { readonly kind: "done"; readonly output: Buffer }
  | { readonly kind: "failed"; readonly error: string }
  /** The program itself could not be started. */
  | { readonly kind: "absent" }
  | { readonly kind: "aborted" };

/** An object's name as git prints it. */
export function nameOf(outcome: Extract<GitOutcome, { kind: "done" }>): string {
  return outcome.output.toString().trim();
}

export async function runGit(place: GitPlace, run: GitRun): Promise<GitOutcome> {
  // Look before listening: a signal that has already fired tells nobody again.
  if (run.signal?.aborted) return { kind: "aborted" };
  return new Promise((resolve) => {
    const child = attemptStart(() =>
      spawn(place.gitPath, run.arguments, {
        cwd: place.root,
        env: gitEnvironment(place, run),
        stdio: ["pipe", "pipe", "pipe"],
        // A group of its own can be ended as one.
        detached: run.isBackground === true,
      }),
    );
    if ("problem" in child) return resolve({ kind: "failed", error: child.problem });
    if (run.isBackground) lowerPriority(child);
    const output: Buffer[] = [];
    let error = "";
    const abort = () => (run.isBackground ? killGroup(child) : child.kill());
    const finish = (outcome: GitOutcome) => {
      run.signal?.removeEventListener("abort", abort);
      resolve(outcome);
    };
    run.signal?.addEventListener("abort", abort, { once: true });
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      error = (error + chunk).slice(0, errorCharactersMax);
    });
    // A git that ends early closes its input; its exit code says why.
    child.stdin.on("error", () => {});
    child.stdin.end(run.input);
    child.on("error", () => finish({ kind: "absent" }));
    child.on("close", (code) => {
      if (run.signal?.aborted) finish({ kind: "aborted" });
      else if (code === 0) finish({ kind: "done", output: Buffer.concat(output) });
      else finish({ kind: "failed", error: firstError(error) });
    });
  });
}

/** Git warns of what it can do without, such as rules behind a link; some of its commands fail without any error. */
function firstError(text: string): string {
  return (
    text
      .split("\n")
      .find((line) => !line.startsWith("warning:"))
      ?.trim() ?? ""
  );
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid);
  } catch {
    // It has ended already.
  }
}

function lowerPriority(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system has no priorities: it then runs like any other.
  }
}

/** Nothing of a surrounding git process, and nothing of the user's or the machine's configuration, reaches ours. */
function gitEnvironment(place: GitPlace, run: GitRun): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(place.environment)) {
    if (value !== undefined && !name.startsWith("GIT_")) environment[name] = value;
  }
  Object.assign(environment, {
    GIT_DIR: place.gitDirectory,
    GIT_WORK_TREE: place.root,
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
  });
  if (!run.honoursUserSettings) {
    Object.assign(environment, { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: devNull, GIT_ATTR_NOSYSTEM: "1" });
  }
  if (run.indexFile !== undefined) environment["GIT_INDEX_FILE"] = run.indexFile;
  // Quoted, because a bare path would end at a colon.
  if (run.objectsFrom !== undefined) {
    environment["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = `"${run.objectsFrom.replace(/["\\]/g, "\\$&")}"`;
  }
  return environment;
}
