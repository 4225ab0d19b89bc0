/** Runs git for worktrees: no hooks and watchers of the repository, nothing of a surrounding git process, bounded. */
import { spawn } from "node:child_process";
import { setTimeout as later } from "node:timers/promises";
import { attemptStart } from "@kedge/protocol";

export type Repository = {
  /** The root of the main checkout, by its real path. */
  readonly root: string;
  readonly gitPath: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /**
   * Runs the work while nobody else of kedge makes, lists or removes worktrees here. Not to be used inside of itself.
   * Git reads the notes on all worktrees for each of these, and fails on one that is half made.
   */
  readonly alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** An index in the place of that of the checkout. */
  readonly index?: string;
};

export type GitAnswer =
  | { readonly ok: true; readonly output: string }
  /** One line, as git said it. */
  | { readonly ok: false; readonly problem: string };

type GitRun = {
  /** Where it runs; the main checkout without it. */
  readonly directory?: string;
  readonly input?: string;
};

const errorCharactersMax = 2000;
const outputCharactersMax = 64 * 1024 * 1024;

const settings = [
  ...["-c", "core.hooksPath=/dev/null"],
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "advice.detachedHead=false"],
];

export function runGit(
  { root, gitPath, environment, index }: Repository,
  words: readonly string[],
  { directory = root, input }: GitRun = {},
): Promise<GitAnswer> {
  return new Promise((resolve) => {
    const child = attemptStart(() =>
      spawn(gitPath, [...settings, ...words], {
        cwd: directory,
        env: {
          ...withoutGit(environment),
          ...{ GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" },
          ...(index !== undefined && { GIT_INDEX_FILE: index }),
        },
        stdio: ["pipe", "pipe", "pipe"],
      }),
    );
    if ("problem" in child) return resolve({ ok: false, problem: child.problem });
    let output = "";
    let error = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      output += piece;
      if (output.length > outputCharactersMax) child.kill("SIGKILL");
    });
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      error = (error + piece).slice(0, errorCharactersMax);
    });
    // A git that ends early closes its input; its exit code says why.
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
    child.on("error", ({ message }) => resolve({ ok: false, problem: message }));
    child.on("close", (code) => {
      if (code === 0) resolve({ ok: true, output });
      else resolve({ ok: false, problem: problemIn(error) });
    });
  });
}

/** Others start git too, and what their git has half made is whole a moment later. */
const halfMade = /^failed to read .*\/commondir\b/;
const attemptsMax = 10;
const pauseMs = 20;

/** For commands that read the notes on all worktrees; to be run alone. One that failed so has changed nothing. */
export async function runWorktreeGit(repository: Repository, words: readonly string[]): Promise<GitAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await runGit(repository, words);
    if (answer.ok || !halfMade.test(answer.problem) || attempt === attemptsMax) return answer;
    await later(pauseMs);
  }
}

function withoutGit(environment: Repository["environment"]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("GIT_")));
}

function problemIn(error: string): string {
  const lines = error.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((text) => /^(?:fatal|error):/.test(text)) ?? lines[0] ?? "git failed";
  // Git continues some sentences in a line of its own.
  return line.replace(/^(?:fatal|error): /, "").replace(/[;,.:\s]+$/, "");
}

/** The parts of an output that `-z` separates. */
export function zeroSeparated(output: string): readonly string[] {
  return output.split("\0").filter((part) => part !== "");
}
