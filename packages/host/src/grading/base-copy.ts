/** A throw-away copy of a commit for graders: its files alone, without any history. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { prepareWorktreesFolder, type Repository, runGit } from "@kedge/agents/worktrees";
import { type Answer, refused } from "@kedge/protocol";
import type { GradedCopy } from "./graded-copy.ts";
import { linkDependencies } from "./link-dependencies.ts";

/** `dependencyFolders` of the main checkout are linked: graders run where it is read-only. */
export async function makeBaseCopy(
  repository: Repository,
  commit: string,
  dependencyFolders: readonly string[],
): Promise<Answer<GradedCopy>> {
  const place = prepareWorktreesFolder(repository.root);
  if (!place.ok) return place;
  const directory = mkdtempSync(join(place.value, ".grading-"));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  // An index of its own: that of the user is not touched.
  const index = join(directory, ".kedge-index");
  const withIndex = { ...repository, index };
  const read = await runGit(withIndex, ["read-tree", `${commit}^{tree}`]);
  const written = read.ok ? await runGit(withIndex, ["checkout-index", "--all", `--prefix=${directory}/`]) : read;
  rmSync(index, { force: true });
  if (!written.ok) {
    remove();
    return refused(`The commit ${commit.slice(0, 12)} could not be copied: ${written.problem}.`);
  }
  for (const folder of dependencyFolders) linkDependencies(repository.root, directory, folder);
  return { ok: true, value: { directory, remove } };
}
