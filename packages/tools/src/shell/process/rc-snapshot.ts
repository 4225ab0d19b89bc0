/** A cached copy of the aliases, functions and options of the user's shell, for commands that shall know them. */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { textBeside } from "@kedge/protocol/text-file";
import { quote } from "../bash-input.ts";
import { runShell } from "./shell-process.ts";

export type RcSnapshotParts = {
  readonly shellPath: string;
  readonly childEnvironment: () => Readonly<Record<string, string>>;
  /** Where snapshots are kept; made when the first one is. */
  readonly cacheDirectory: string;
};

export interface RcSnapshot {
  /** Makes it, or finds it in the cache, at the first call. Never fails: without it commands run as before. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Variables that make a shell read it before its command; none without a snapshot. */
  variables(): Readonly<Record<string, string>>;
  /** Names that may mean something else than the program of that name. */
  redefinedWords(): readonly string[];
  /** Why there is none, in a sentence for a person. */
  problem(): string | undefined;
}

const makingMsMax = 10_000;
const graces = { timeoutMs: 500, abortMs: 500, drainMs: 50, killMs: 500 };
const startUpFiles = [".bashrc", ".bash_profile", ".bash_login", ".profile", ".bash_aliases"];
const wordMark = "#word ";
const ownerOnly = 0o600;

type Snapshot = { readonly path: string; readonly words: readonly string[] } | { readonly problem: string };

export function createRcSnapshot(parts: RcSnapshotParts): RcSnapshot {
  let making: Promise<void> | undefined;
  let snapshot: Snapshot | undefined;
  const made = () => (snapshot !== undefined && "path" in snapshot ? snapshot : undefined);
  return {
    prepare(signal) {
      making ??= findOrMake(parts, signal).then((found) => {
        // One that was interrupted is tried again.
        if (signal.aborted && "problem" in found) making = undefined;
        else snapshot = found;
      });
      return making;
    },
    variables() {
      const path = made()?.path;
      return path === undefined ? {} : { BASH_ENV: path };
    },
    redefinedWords: () => made()?.words ?? [],
    problem: () => (snapshot !== undefined && "problem" in snapshot ? snapshot.problem : undefined),
  };
}

async function findOrMake(parts: RcSnapshotParts, signal: AbortSignal): Promise<Snapshot> {
  const { shellPath, cacheDirectory } = parts;
  if (basename(shellPath) !== "bash") return { problem: `No snapshot of start-up files can be made of ${shellPath}.` };
  const environment = parts.childEnvironment();
  const path = join(cacheDirectory, `${cacheKey(shellPath, environment["HOME"] ?? "")}.sh`);
  const cached = readSnapshot(path);
  if (cached !== undefined) return cached;

  try {
    mkdirSync(cacheDirectory, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return { problem: `The snapshot of start-up files could not be stored: ${error.message}` };
  }
  const newPath = `${path}.${process.pid}`;
  const end = await runShell({
    shellPath,
    // An inner one that believes to be used by a person, because many start-up files do nothing for others.
    command: `${quote(shellPath)} -i -c ${quote(textBeside(import.meta.url, "./rc-snapshot.sh"))}`,
    cwd: cacheDirectory,
    environment: { ...environment, KEDGE_SNAPSHOT: newPath },
    mark: `snapshot-${process.pid}-${basename(path)}`,
    timeoutMs: makingMsMax,
    signal,
    onOutput: () => undefined,
    graces,
  });
  const isTimeout = end.kind === "ended" && end.stoppedBy === "timeout";
  const snapshot = readSnapshot(newPath);
  if (snapshot === undefined) {
    rmSync(newPath, { force: true });
    const why = isTimeout ? `they ran longer than ${makingMsMax / 1_000} s` : "they end or replace the shell";
    return { problem: `The start-up files of ${shellPath} could not be read: ${why}. Commands run without them.` };
  }
  chmodSync(newPath, ownerOnly);
  renameSync(newPath, path);
  return { path, words: snapshot.words };
}

/** Changes with the files, so that an outdated snapshot is not found again. */
function cacheKey(shellPath: string, home: string): string {
  const versions = startUpFiles.map((name) => {
    const found = statSync(join(home, name), { throwIfNoEntry: false });
    return found === undefined ? "" : `${found.mtimeMs} ${found.size}`;
  });
  return createHash("sha256")
    .update([shellPath, home, ...versions].join("\n"))
    .digest("hex")
    .slice(0, 32);
}

/** Undefined for one that is missing or was not written to its end. */
function readSnapshot(path: string): Extract<Snapshot, { path: string }> | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8");
  if (!text.startsWith("#kedge shell snapshot\n") || !text.endsWith("\n#end\n")) return undefined;
  const lines = text.split("\n").slice(1);
  // What follows may hold anything, such as a function that prints a line like these.
  const count = lines.findIndex((line) => !line.startsWith(wordMark));
  return { path, words: [...new Set(lines.slice(0, count).map((line) => line.slice(wordMark.length)))] };
}
