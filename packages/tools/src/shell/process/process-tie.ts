/** Ties what one kedge starts to its life: a small shell outside waits for its end, however it comes, and ends the rest. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { attemptStart, FailureError, withTie } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";

type Environment = Readonly<Record<string, string>>;

export interface ProcessTie {
  /**
   * The environment of a process that must not outlive this kedge; `tiedStart` does the rest for one that runs commands.
   * Throws a `FailureError` when nobody could watch over it.
   */
  environment(environment: Environment): Environment;
  /** Whatever is left then is ended as if kedge had. */
  close(): void;
}

/** Kibibytes, so that bytes fit into 64 bits. */
const numberMax = 2n ** 53n;
/** A limit below this might limit something. */
const numberMin = 2n ** 34n;
/** Somebody who ends the watcher again and again has other means too. */
const startsMax = 100;
const searchPath = "/usr/local/bin:/usr/bin:/bin";

/** Nothing is started before the first process is. The id is unique among all kedges that ever run on this machine. */
export function createProcessTie({ boot }: { readonly boot: string }): ProcessTie {
  let tie: Tie | undefined;
  let watcher: Watcher | undefined;
  let starts = 0;
  let isClosed = false;

  function watch(watched: Tie): Watcher {
    starts += 1;
    const started = startWatcher(watched, () => {
      watcher = undefined;
      // What runs already must not be left alone until the next one is started.
      if (!isClosed && starts < startsMax) watcher = watch(watched);
    });
    if ("problem" in started) throw new FailureError(unwatched(started.problem));
    return started;
  }

  return {
    environment(environment) {
      tie ??= tieOf(boot);
      if (!isClosed) watcher ??= watch(tie);
      return withTie(environment, tie.number);
    },
    close() {
      isClosed = true;
      watcher?.release();
    },
  };
}

type Tie = { readonly number: string; readonly bytes: string; readonly unmarked: string };

/** A kedge inside a kedge must take a smaller one, because nobody can raise a limit. */
function tieOf(boot: string): Tie {
  const top = min(numberMax, residentLimit() ?? numberMax);
  const hash = BigInt(`0x${createHash("sha256").update(boot).digest("hex")}`);
  const half = top / 2n;
  // Even, so that the odd one above is free for the watcher. Too small a limit is left alone: the variable has to do.
  const number = top < numberMin ? numberMin + 2n * (hash % numberMin) : half + 2n * (hash % (half / 2n - 1n));
  return { number: `${number}`, bytes: `${number * 1024n}`, unmarked: `${number + 1n}` };
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

/** In kibibytes; undefined without a limit, and where the system has no /proc. */
function residentLimit(): bigint | undefined {
  try {
    const hard = /^Max resident set +\S+ +(\d+) /m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1];
    return hard === undefined ? undefined : BigInt(hard) / 1024n;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

type Watcher = { release(): void };

function startWatcher({ number, bytes, unmarked }: Tie, onGone: () => void): Watcher | { readonly problem: string } {
  const script = textBeside(import.meta.url, "./watch-kedge.sh");
  const child = attemptStart(() =>
    spawn("/bin/sh", ["-c", script, "kedge-watch", number, bytes, unmarked], {
      // Away from the terminal of kedge and from its group, which are ended as one.
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      // Without the numbers of kedges around this one: it ends with its own kedge, and after the rest.
      env: { PATH: searchPath },
      cwd: "/",
    }),
  );
  if ("problem" in child) return child;
  if (child.pid === undefined) {
    child.once("error", () => undefined);
    return { problem: "no more processes can be started" };
  }
  child.once("exit", onGone);
  // A watcher that was ended by somebody closes the pipe; its exit says the same.
  child.stdin.on("error", () => undefined);
  child.unref();
  // Only its closing counts, and it must not keep kedge running.
  if ("unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref();
  return { release: () => child.stdin.destroy() };
}

function unwatched(problem: string) {
  return {
    code: "resources",
    message: `Nothing can be started now: ${problem}.`,
    recovery: "Close other programs or raise the limits of this machine, and try again.",
    retryable: true,
  } as const;
}
