/** A throw-away copy of a project for graders: its files as they are now, without any history and without ignored files. */
import { constants, copyFileSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { prepareWorktreesFolder, type Repository, runGit, zeroSeparated } from "@kedge/agents/worktrees";
import { type Answer, refused } from "@kedge/protocol";
import { linkDependencies } from "./link-dependencies.ts";

export type GradedCopy = {
  readonly directory: string;
  remove(): void;
};

const filesMax = 50_000;

/** `dependencyFolders` are linked: graders run where the main checkout is read-only. */
export async function makeGradedCopy(
  repository: Repository,
  dependencyFolders: readonly string[],
): Promise<Answer<GradedCopy>> {
  const listed = await runGit(repository, ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
  if (!listed.ok) return refused(`git failed: ${listed.problem}.`);
  const files = [...new Set(zeroSeparated(listed.output))];
  if (files.length > filesMax) return refused(`The project has more than ${filesMax} files, too many to copy.`);
  // Inside of the checkout, because sandboxes hide the directory for temporary files.
  const place = prepareWorktreesFolder(repository.root);
  if (!place.ok) return place;
  const directory = mkdtempSync(join(place.value, ".grading-"));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    for (const file of files) copy(repository.root, directory, file);
    for (const folder of dependencyFolders) linkDependencies(repository.root, directory, folder);
    return { ok: true, value: { directory, remove } };
  } catch (error) {
    remove();
    return refused(`The project could not be copied: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** A file that was deleted and not committed is listed as well. */
function copy(root: string, directory: string, file: string): void {
  const source = join(root, file);
  const target = join(directory, file);
  const stats = lstatSync(source, { throwIfNoEntry: false });
  if (stats === undefined) return;
  mkdirSync(dirname(target), { recursive: true });
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
  else if (stats.isFile()) copyFileSync(source, target, constants.COPYFILE_FICLONE);
}
