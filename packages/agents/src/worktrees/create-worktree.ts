/** Makes a worktree with its own branch below `.kedge/worktrees`, and takes everything back when it cannot. */
import { lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, FailureError, refused } from "@kedge/protocol";
import { createByHook, type WorktreeHooks } from "./hook-worktrees.ts";
import { type SetUpParts, setUpWorktree } from "./set-up-worktree.ts";
import { type GitAnswer, type Repository, runGit, runWorktreeGit } from "./worktree-git.ts";
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
  const made = { directory, branch, base };
  const added = await addWorktree(repository, made);
  if (!added.ok) {
    await discard(repository, made);
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
    await discard(repository, made);
    return refused(`The worktree could not be set up: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

type Made = { readonly directory: string; readonly branch: string; readonly base: string };

/** Alone only for the notes of git: several large checkouts are written side by side. */
async function addWorktree(repository: Repository, { directory, branch, base }: Made): Promise<GitAnswer> {
  const ref = `refs/heads/${branch}`;
  const noted = await whileAlone(repository, async () => {
    // Refused where there is such a branch.
    const started = await runGit(repository, ["update-ref", ref, base, "0".repeat(base.length)]);
    // Forced for a folder that somebody deleted: it is not there, as was seen before, and the branch is new.
    const words = ["worktree", "add", "--quiet", "--force", "--no-checkout", directory, branch];
    return started.ok ? runWorktreeGit(repository, words) : started;
  });
  if (!noted.ok) return noted;
  return runGit(repository, ["reset", "--hard", "--quiet", "--no-recurse-submodules"], { directory });
}

/** Whoever waits too long hears a sentence. */
async function whileAlone({ alone }: Repository, work: () => Promise<GitAnswer>): Promise<GitAnswer> {
  try {
    return await alone(work);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { ok: false, problem: error.message.replace(/\.$/, "") };
  }
}

async function discard(repository: Repository, { directory, branch, base }: Made): Promise<void> {
  await whileAlone(repository, async () => {
    await runWorktreeGit(repository, ["worktree", "remove", "--force", directory]);
    await runGit(repository, ["worktree", "prune"]);
    // Not `branch -D`, which also changes the configuration and fails while somebody else does.
    return runGit(repository, ["update-ref", "-d", `refs/heads/${branch}`, base]);
  });
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
