/** Makes a worktree with its own branch below `.kedge/worktrees`, and takes everything back when it cannot. */
import { lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, refused } from "@kedge/protocol";
import { createByHook, type WorktreeHooks } from "./hook-worktrees.ts";
import { type SetUpParts, setUpWorktree } from "./set-up-worktree.ts";
import { type Repository, runGit } from "./worktree-git.ts";
import { checkWorktreeName, worktreeBranch, worktreeFolder, worktreesFolder } from "./worktree-name.ts";
import { writeWorktreeRecord } from "./worktree-record.ts";

export type CreateParts = Pick<SetUpParts, "repository" | "dependencyFolders" | "temporaryDirectory"> & {
  readonly now: () => number;
  /** Absent where nobody configured any. */
  readonly hooks?: WorktreeHooks;
};

export type CreatedWorktree = {
  readonly name: string;
  /** Absolute. */
  readonly directory: string;
  /** Empty where a hook made it, with whatever it works with. */
  readonly branch: string;
  readonly base: string;
  /** Sentences on what could not be brought into it. */
  readonly notices: readonly string[];
};

/** Begins with the commit that is checked out; what is not committed stays where it is. */
export async function createWorktree(wished: string, parts: CreateParts): Promise<Answer<CreatedWorktree>> {
  const checked = checkWorktreeName(wished);
  if (!checked.ok) return checked;
  const { repository, now } = parts;
  const name = checked.value;
  const byHook = await createByHook(name, parts);
  if (byHook !== undefined) return byHook;
  const place = prepareWorktreesFolder(repository.root);
  if (!place.ok) return place;
  const directory = join(place.value, worktreeFolder(name));
  if (lstatSync(directory, { throwIfNoEntry: false }) !== undefined)
    return refused(
      `A worktree named ${name} already exists.`,
      "Choose another name, or list worktrees with kedge worktree list.",
    );
  const head = await runGit(repository, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (!head.ok) return refused("This repository has no commits yet.", "Make a first commit.");
  const base = head.output.trim();
  const createdAt = now();
  const branch = worktreeBranch(name, createdAt);
  // Forced for a folder that somebody deleted: it is not there, as was seen above, and the branch is new.
  const added = await runGit(repository, ["worktree", "add", "--quiet", "--force", "-b", branch, directory, base]);
  if (!added.ok) {
    await discard(repository, { directory, branch });
    return refused(`git could not create the worktree: ${added.problem}.`);
  }
  try {
    const { copied, notices } = await setUpWorktree({ ...parts, directory });
    const gitDirectory = await runGit(repository, ["rev-parse", "--absolute-git-dir"], { directory });
    if (!gitDirectory.ok) throw new Error(gitDirectory.problem);
    writeWorktreeRecord(gitDirectory.output.trim(), { name, branch, base, createdAt, copied });
    return { ok: true, value: { name, directory, branch, base, notices } };
  } catch (error) {
    // Nobody has worked in it: nothing but what was made a moment ago is lost.
    await discard(repository, { directory, branch });
    return refused(`The worktree could not be set up: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

async function discard(repository: Repository, made: { readonly directory: string; readonly branch: string }) {
  await runGit(repository, ["worktree", "remove", "--force", made.directory]);
  await runGit(repository, ["worktree", "prune"]);
  await runGit(repository, ["branch", "-D", made.branch]);
}

/** The folder for all worktrees, which git does not show as untracked. */
export function prepareWorktreesFolder(root: string): Answer<string> {
  const place = join(root, worktreesFolder);
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    if (realpathSync.native(place) !== place)
      return refused(
        `${worktreesFolder} is a link.`,
        "Worktrees are only created inside the repository. Remove the link.",
      );
    writeFileSync(join(place, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST"))
      return refused(
        `${worktreesFolder} cannot be created: ${error instanceof Error ? error.message : String(error)}.`,
      );
  }
  return { ok: true, value: place };
}
