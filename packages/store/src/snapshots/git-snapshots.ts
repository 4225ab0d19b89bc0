/** The Snapshots contract by a shadow git directory that uses the workspace as its work tree. */
import { realpath } from "node:fs/promises";
import { devNull } from "node:os";
import { join, sep } from "node:path";
import { FailureError, type Snapshots, type Tracked } from "@kedge/protocol";
import { failure, storageError } from "../storage-failure.ts";
import type { Environment, GitPlace } from "./git-process.ts";
import { makeShadow, removeLeftovers, shadowPath, userExcludeFile } from "./shadow-directory.ts";
import { type Shadow, type TakenTree, type TakeOutcome, takeTree } from "./take-tree.ts";
import { changedFiles, restoreFiles, unifiedDiff } from "./tree-files.ts";

/** A workspace that takes longer is too large for snapshots; they are then off for good. */
const trackMsMax = 10_000;

const tooLarge = {
  ok: false,
  why: "Snapshots are off: this workspace is too large for them.",
} as const satisfies Tracked;

export type GitSnapshotsOptions = {
  /** Where shadow directories live; never inside the workspace. */
  readonly directory: string;
  /** The workspace. */
  readonly root: string;
  readonly gitPath?: string;
  /** What git itself is started with. */
  /** Of the processes that are started; asked for with the first one. */
  readonly environment: () => Environment;
  readonly home: string;
  /** Then the private ignore rules of that repository are honoured as well. */
  readonly isInsideGitRepository: boolean;
};

type Prepared = { readonly ok: true; readonly shadow: Shadow } | { readonly ok: false; readonly why: string };

/** Does nothing until it is first used. Operations run one after the other. */
export function createGitSnapshots(options: GitSnapshotsOptions): Snapshots {
  let queue: Promise<unknown> = Promise.resolve();
  let preparing: Promise<Prepared> | undefined;
  let tooSlow = false;
  let last: TakenTree | undefined;

  function serially<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(work);
    // The next operation waits for this one's end; its failure belongs to whoever asked for it.
    queue = result.catch(() => undefined);
    return result;
  }

  function prepared(): Promise<Prepared> {
    preparing ??= prepare(options);
    return preparing;
  }

  async function track(signal: AbortSignal): Promise<Tracked> {
    if (tooSlow) return tooLarge;
    const outcome = await prepared();
    if (!outcome.ok) return outcome;
    const limit = AbortSignal.timeout(trackMsMax);
    const taken = await takeTree(outcome.shadow, last, AbortSignal.any([signal, limit]));
    if (taken.kind === "taken") {
      last = { tree: taken.tree, indexState: taken.indexState };
      return { ok: true, tree: taken.tree, uncovered: taken.uncovered };
    }
    tooSlow = taken.kind === "too-many-files" || (taken.kind === "aborted" && !signal.aborted);
    return tooSlow ? tooLarge : { ok: false, why: whyNot(taken) };
  }

  async function place(): Promise<GitPlace> {
    const outcome = await prepared();
    if (!outcome.ok) throw new FailureError(failure(outcome.why, "Work in a project folder with git installed."));
    return outcome.shadow.place;
  }

  return {
    track: (signal) => serially(() => track(signal)),
    changes: (before, after) => serially(async () => changedFiles(await place(), before, after)),
    restore: (tree, paths) => serially(async () => restoreFiles(await place(), tree, paths)),
    diff: (before, after) => serially(async () => unifiedDiff(await place(), before, after)),
  };
}

async function prepare(options: GitSnapshotsOptions): Promise<Prepared> {
  try {
    const root = await realpath(options.root);
    // A home that does not exist cannot be worked in, and is compared by its name.
    const home = await realpath(options.home).catch(() => options.home);
    if (contains(root, home)) return { ok: false, why: "Snapshots are off in the home folder and above it." };
    const gitDirectory = shadowPath(options.directory, root);
    if (contains(root, gitDirectory)) {
      return { ok: false, why: "Snapshots are off because they would lie inside the workspace itself." };
    }
    await makeShadow(gitDirectory);
    await removeLeftovers(gitDirectory);
    const place = { gitPath: options.gitPath ?? "git", gitDirectory, root, environment: options.environment() };
    const excludeFile = options.isInsideGitRepository ? await userExcludeFile(root) : devNull;
    return { ok: true, shadow: { place, index: join(gitDirectory, "index"), excludeFile } };
  } catch (error) {
    const known = storageError(error, options.directory);
    if (known instanceof FailureError) return { ok: false, why: `Snapshots are off: ${known.message}` };
    throw known;
  }
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function whyNot(outcome: Exclude<TakeOutcome, { kind: "taken" }>): string {
  switch (outcome.kind) {
    case "absent":
      return "Snapshots are off because git could not be started on this machine.";
    case "too-many-files":
      return tooLarge.why;
    case "aborted":
      return "The snapshot was interrupted.";
    case "failed":
      return `git could not take a snapshot: ${outcome.error}`;
  }
}
