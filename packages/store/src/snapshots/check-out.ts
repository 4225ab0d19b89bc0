/** Writes a whole tree into a directory that is none of the workspace's. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { joinNul } from "./changed-files.ts";
import { foldersName, noteNames } from "./coverage.ts";
import { readFolders } from "./empty-folders.ts";
import { type GitPlace, runGit } from "./git-process.ts";
import { trackFolderPattern } from "./shadow-directory.ts";
import { checkedTree, notesOf } from "./tree-files.ts";

/** False when the tree, or one of its files, is not there any more. */
export async function checkOutTree(place: GitPlace, tree: string, directory: string): Promise<boolean> {
  const folder = await mkdtemp(trackFolderPattern(place.gitDirectory));
  try {
    const indexFile = join(folder, "index");
    const read = await runGit(place, { arguments: ["read-tree", checkedTree(tree)], indexFile });
    if (read.kind !== "done") return false;
    const strip = { arguments: ["update-index", "-z", "--force-remove", "--stdin"], input: joinNul(noteNames) };
    if ((await runGit(place, { ...strip, indexFile })).kind !== "done") return false;
    const prefix = directory.endsWith(sep) ? directory : directory + sep;
    const written = await runGit(place, {
      arguments: ["checkout-index", "--all", "--force", `--prefix=${prefix}`],
      indexFile,
    });
    if (written.kind !== "done") return false;
    const [note] = await notesOf(place, [tree], foldersName);
    for (const path of readFolders(note) ?? []) await mkdir(join(directory, path), { recursive: true });
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
