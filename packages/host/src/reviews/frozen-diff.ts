/** The change that a review is about, as it was when the review began: all reviewers see the same. */
import { type Repository, runGit } from "@kedge/agents/worktrees";
import { type Answer, refused } from "@kedge/protocol";
import { diffSince } from "../proof/bundle/work-diff.ts";

export type FrozenDiff = {
  /** The commit it is compared with. */
  readonly base: string;
  readonly text: string;
  readonly files: number;
};

/** Where branches usually come from. The first that is there counts. */
const mainBranches = ["origin/HEAD", "origin/main", "origin/master", "main", "master"];

/** From the merge-base with `against`, or with the main branch, to the files as they are now. */
export async function freezeDiff(repository: Repository, against?: string): Promise<Answer<FrozenDiff>> {
  const base = await mergeBase(repository, against === undefined ? mainBranches : [against]);
  if (base === undefined && against !== undefined) return refused(`Commit ${against} not found.`);
  const commit = base ?? (await headOf(repository));
  if (commit === undefined) return refused("This repository has no commits yet.", "Make a first commit.");
  const diff = await diffSince(repository, commit);
  if (!diff.ok) return diff;
  const files = diff.value.split("\n").filter((line) => line.startsWith("diff --git ")).length;
  if (files === 0) return refused(`Nothing changed since ${commit.slice(0, 12)}.`, "There is nothing to review.");
  return { ok: true, value: { base: commit, text: diff.value, files } };
}

async function mergeBase(repository: Repository, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const found = await runGit(repository, ["merge-base", "HEAD", name]);
    if (found.ok) return found.output.trim();
  }
  return undefined;
}

async function headOf(repository: Repository): Promise<string | undefined> {
  const head = await runGit(repository, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return head.ok ? head.output.trim() : undefined;
}
