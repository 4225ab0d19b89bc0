/** Runs the command of a project for a grader: in the sandbox, without network, bounded in time and output. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { attemptStart, endGroup } from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import type { CommandSandbox } from "../shell/command-sandbox.ts";

export type GradedRun = {
  readonly exitCode: number | null;
  readonly isTimedOut: boolean;
  readonly durationMs: number;
  /** The end of what it printed. */
  readonly tail: string;
  /** SHA-256 of all that it printed. */
  readonly digest: string;
};

export type GradedOutcome =
  | { readonly ok: true; readonly run: GradedRun }
  | { readonly ok: false; readonly why: string };

export type RunParts = {
  readonly sandbox: CommandSandbox;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly monotonicMs: () => number;
  readonly signal?: AbortSignal;
};

const tailDefault = 4_000;

/** Compilers keep caches below the home, which is read-only here. What a sandbox has for temporary files lasts as long as it. */
const caches = { XDG_CACHE_HOME: "/tmp/.cache", GOCACHE: "/tmp/.cache/go-build" };

export type RunPlace = {
  readonly directory: string;
  readonly timeoutMs: number;
  /** How much of the end of its output is kept. */
  readonly tailCharacters?: number;
};

/** Never without its sandbox: what could reach the network or the checkout is no grade. */
export async function runGraded(
  parts: RunParts,
  command: string,
  { directory, timeoutMs, tailCharacters = tailDefault }: RunPlace,
): Promise<GradedOutcome> {
  const { sandbox, environment, monotonicMs, signal } = parts;
  const started = monotonicMs();
  const confined = await sandbox.confine({
    file: "/bin/sh",
    args: ["-c", command],
    cwd: directory,
    environment: { ...childEnvironment(environment, { scrub: true }), CI: "1", ...caches },
    hasTerminal: false,
  });
  if ("problem" in confined) return { ok: false, why: confined.problem };
  try {
    const child = attemptStart(() =>
      spawn(confined.file, [...confined.args], {
        cwd: directory,
        env: confined.environment,
        stdio: ["ignore", "pipe", "pipe", "ignore", ...confined.descriptors],
        detached: true,
      }),
    );
    if ("problem" in child) return { ok: false, why: child.problem };
    const hash = createHash("sha256");
    let tail = "";
    const take = (piece: Buffer) => {
      hash.update(piece);
      tail = (tail + piece.toString("utf8")).slice(-tailCharacters);
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    let isTimedOut = false;
    const end = () => endGroup(child.pid);
    const timer = setTimeout(() => {
      isTimedOut = true;
      end();
    }, timeoutMs);
    signal?.addEventListener("abort", end, { once: true });
    const exitCode = await new Promise<number | null>((resolve) => {
      child.on("error", () => resolve(null));
      child.on("close", resolve);
    });
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    const durationMs = monotonicMs() - started;
    return { ok: true, run: { exitCode, isTimedOut, durationMs, tail, digest: hash.digest("hex") } };
  } finally {
    await confined.release();
  }
}
