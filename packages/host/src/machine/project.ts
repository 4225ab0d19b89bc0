/** Where the user works: the root of the worktree and the id that all worktrees of one repository share. */
import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export type Project = {
  /** The directory that was given, by its real path. */
  readonly cwd: string;
  /** The root of the worktree, or `cwd` outside a repository. */
  readonly root: string;
  readonly isGitRepository: boolean;
  /**
   * A digest of the directory in which the repository keeps its history, the same for all its worktrees, or of `cwd`
   * outside a repository. The hash of the first commit would also survive a move, but finding it needs a walk through
   * the whole history by another process before the first request, and a repository without commits has none.
   */
  readonly projectId: string;
};

/** Only looks at the file system: starting git would cost more than everything else before the first request. */
export function findProject(directory: string): Project {
  const cwd = realpathSync.native(directory);
  for (let root = cwd; ; root = dirname(root)) {
    const history = historyDirectory(root);
    if (history !== undefined) return { cwd, root, isGitRepository: true, projectId: digestOf(history) };
    if (dirname(root) === root) return { cwd, root: cwd, isGitRepository: false, projectId: digestOf(cwd) };
  }
}

/** The shared git directory of the worktree that has its root here, or undefined when none has. */
function historyDirectory(root: string): string | undefined {
  const dotGit = join(root, ".git");
  const stats = statSync(dotGit, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return realpathSync.native(dotGit);
  if (!stats.isFile()) return undefined;
  const target = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1];
  if (target === undefined) return undefined;
  const gitDirectory = resolve(root, target);
  if (statSync(gitDirectory, { throwIfNoEntry: false }) === undefined) return undefined;
  const commonFile = join(gitDirectory, "commondir");
  // A linked worktree has this file; a submodule has its own history, and one place that belongs to it.
  if (statSync(commonFile, { throwIfNoEntry: false })?.isFile() !== true) return realpathSync.native(dotGit);
  const common = resolve(gitDirectory, readFileSync(commonFile, "utf8").trim());
  // Anybody can point at another repository; that one must know this worktree, or its sessions are not ours to see.
  return isRegistered(gitDirectory, common, dotGit) ? realpathSync.native(common) : realpathSync.native(dotGit);
}

function isRegistered(gitDirectory: string, common: string, dotGit: string): boolean {
  const backLink = join(gitDirectory, "gitdir");
  if (statSync(backLink, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const place = realPathOf(dirname(gitDirectory));
  return (
    place !== undefined &&
    place === realPathOf(join(common, "worktrees")) &&
    realPathOf(resolve(gitDirectory, readFileSync(backLink, "utf8").trim())) === realPathOf(dotGit)
  );
}

function realPathOf(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : realpathSync.native(path);
}

function digestOf(path: string): string {
  return createHash("sha256").update(path).digest("hex");
}
