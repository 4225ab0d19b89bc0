/** The branch that a directory is on, read from its files: starting git would take longer than whatever asks. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Undefined outside of a repository, between branches, and where the repository cannot be read. */
export function gitBranchOf(directory: string): string | undefined {
  try {
    return branchAt(directory);
  } catch (error) {
    // Nothing depends on the name of a branch; whatever needs the repository says itself that it cannot read it.
    if (error instanceof Error && "syscall" in error) return undefined;
    throw error;
  }
}

function branchAt(directory: string): string | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    const dotGit = join(folder, ".git");
    const stats = statSync(dotGit, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return branchIn(dotGit);
    if (stats !== undefined) return stats.isFile() ? branchIn(linkedDirectory(dotGit)) : undefined;
    if (dirname(folder) === folder) return undefined;
  }
}

/** A linked worktree has a file that says where its own part of the repository is. */
function linkedDirectory(dotGit: string): string {
  const target = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1] ?? "";
  return resolve(dirname(dotGit), target);
}

function branchIn(gitDirectory: string): string | undefined {
  const head = join(gitDirectory, "HEAD");
  // A pipe of that name would be waited for until somebody writes into it.
  if (statSync(head, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return /^ref: refs\/heads\/(.+)$/m.exec(readFileSync(head, "utf8"))?.[1];
}
