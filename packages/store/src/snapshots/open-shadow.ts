/** Opens the shadow directory of a workspace, or says in a sentence why there can be none. */
import { realpath } from "node:fs/promises";
import { devNull } from "node:os";
import { join, sep } from "node:path";
import { FailureError } from "@kedge/protocol";
import { storageError } from "../storage-failure.ts";
import { type Borrowing, createBorrowing, noBorrowing } from "./borrowing.ts";
import type { Environment } from "./git-process.ts";
import { makeShadow, removeLeftovers, type Shadow, shadowPath } from "./shadow-directory.ts";
import { createShadowLock, type Processes, type ShadowLock } from "./shadow-lock.ts";
import { findUserRepository, type UserRepository, userExcludeFile } from "./user-repository.ts";

export type ShadowOptions = {
  /** Where shadow directories live; never inside the workspace. */
  readonly directory: string;
  /** The workspace. */
  readonly root: string;
  readonly gitPath?: string;
  /** Of the processes that are started; asked for with the first one. */
  readonly environment: () => Environment;
  readonly home: string;
  /** Then the private ignore rules of that repository are honoured as well, and the first snapshot starts from its index. */
  readonly isInsideGitRepository: boolean;
  /** Without it nothing holds two processes apart. */
  readonly processes?: Processes;
};

export type OpenedShadow =
  | {
      readonly ok: true;
      readonly shadow: Shadow;
      readonly lock?: ShadowLock;
      readonly borrowing: Borrowing;
      /** Of the user, if the workspace is in one. */
      readonly repository?: UserRepository;
    }
  | { readonly ok: false; readonly why: string };

export async function openShadow(options: ShadowOptions): Promise<OpenedShadow> {
  try {
    const root = await realpath(options.root);
    // A home that does not exist cannot be worked in, and is compared by its name.
    const home = await realpath(options.home).catch(() => options.home);
    if (contains(root, home)) return { ok: false, why: "Snapshots are off in the home directory and above it." };
    const gitDirectory = shadowPath(options.directory, root);
    if (contains(root, gitDirectory)) {
      return { ok: false, why: "Snapshots are off: they would be stored inside the workspace." };
    }
    await makeShadow(gitDirectory);
    await removeLeftovers(gitDirectory);
    const place = { gitPath: options.gitPath ?? "git", gitDirectory, root, environment: options.environment() };
    const repository = options.isInsideGitRepository ? await findUserRepository(root) : undefined;
    const excludeFile = repository === undefined ? devNull : userExcludeFile(repository);
    const shadow = { place, index: join(gitDirectory, "index"), excludeFile };
    const borrowing = repository === undefined ? noBorrowing : createBorrowing(shadow, repository);
    const lock = options.processes && createShadowLock(gitDirectory, options.processes);
    const found = { shadow, borrowing, ...(lock !== undefined && { lock }) };
    return { ok: true, ...found, ...(repository !== undefined && { repository }) };
  } catch (error) {
    const known = storageError(error, options.directory);
    if (known instanceof FailureError) return { ok: false, why: `Snapshots are off: ${known.message}` };
    throw known;
  }
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
