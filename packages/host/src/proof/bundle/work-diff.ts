/** The commit that a session began with, and what the checkout has become since. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitAnswer, type Repository, runGit } from "@kedge/agents/worktrees";
import { type Answer, refused } from "@kedge/protocol";

/** By the log that git keeps of what was checked out; the present commit where it does not reach back so far. */
export async function baseAt(repository: Repository, timeMs: number): Promise<Answer<string>> {
  const at = `HEAD@{${new Date(timeMs).toISOString()}}`;
  for (const name of [at, "HEAD"]) {
    const found = await runGit(repository, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
    if (found.ok) return { ok: true, value: found.output.trim() };
  }
  return refused("This repository has no commits yet.", "Make a first commit.");
}

/** With files that git does not know yet, and without touching the index of the user. */
export async function diffSince(repository: Repository, base: string): Promise<Answer<string>> {
  const place = mkdtempSync(join(tmpdir(), "kedge-proof-"));
  const own: Repository = { ...repository, index: join(place, "index") };
  try {
    const read = await runGit(own, ["read-tree", base]);
    const added = read.ok ? await addUnknown(own) : read;
    // Repositories inside of this one have settings of their own, whose programs git is not to run.
    const words = [
      "diff",
      "--ignore-submodules=dirty",
      "--binary",
      "--no-ext-diff",
      "--no-textconv",
      "--no-color",
      "--full-index",
      base,
    ];
    const diff = added.ok ? await runGit(own, words) : added;
    return diff.ok ? { ok: true, value: diff.output } : refused(`git failed: ${diff.problem}.`);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Only what git does not know yet is named: to add everything, git would look into repositories inside of this one. */
async function addUnknown(repository: Repository): Promise<GitAnswer> {
  const unknown = await runGit(repository, ["ls-files", "--others", "--exclude-standard", "-z"]);
  if (!unknown.ok || unknown.output === "") return unknown;
  const words = ["--literal-pathspecs", "add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"];
  return runGit(repository, words, { input: unknown.output });
}
