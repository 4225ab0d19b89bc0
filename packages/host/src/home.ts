/** kedge's own directory: where it is, and that it can be written. */
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Failure } from "@kedge/protocol";

export type Home = {
  readonly directory: string;
  readonly data: string;
  readonly database: string;
  readonly blobs: string;
  readonly snapshots: string;
};

export type OpenedHome = { readonly ok: true; readonly home: Home } | { readonly ok: false; readonly failure: Failure };

type Environment = { readonly [name: string]: string | undefined };

/** `KEDGE_HOME` when it is set, otherwise `.kedge` in the user's directory. */
export function homeDirectory(environment: Environment, userDirectory: string): string {
  const chosen = environment["KEDGE_HOME"];
  return chosen === undefined || chosen === "" ? join(userDirectory, ".kedge") : chosen;
}

/** Makes what is missing, readable by its owner only. */
export function openHome(directory: string): OpenedHome {
  const data = join(directory, "data");
  const home: Home = {
    directory,
    data,
    database: join(data, "kedge.db"),
    blobs: join(data, "blobs"),
    snapshots: join(data, "snapshots"),
  };
  try {
    makeDirectories(data);
    accessSync(data, constants.W_OK);
  } catch (error) {
    return {
      ok: false,
      failure: {
        code: "storage",
        message: `Cannot write to the directory of kedge, ${directory} (${reasonOf(error)}).`,
        recovery: "Make it writable, or set KEDGE_HOME to a directory that is.",
        retryable: false,
      },
    };
  }
  return { ok: true, home };
}

/** One level at a time: the recursive form never returns where the system refuses with ENOENT, as /proc does. */
function makeDirectories(directory: string): void {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) makeDirectories(parent);
  mkdirSync(directory, { mode: 0o700 });
}

const reasons: { readonly [code: string]: string } = {
  EACCES: "no permission",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "part of the path is not a directory",
  EEXIST: "there is a file of that name",
  ENOENT: "part of the path does not exist",
};

/** What the operating system's error code means, for a sentence. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons[code] ?? (code === "" ? String(error) : code);
}
