/** Writes a whole tree into a directory that is none of the workspace's. */
import { mkdtemp, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { type GitPlace, runGit } from "./git-process.ts";
import { trackFolderPattern } from "./shadow-directory.ts";
import { checkedTree } from "./tree-files.ts";

/** False when the tree, or one of its files, is not there any more. */
export async function checkOutTree(place: GitPlace, tree: string, directory: string): Promise<boolean> {
  const folder = await mkdtemp(trackFolderPattern(place.gitDirectory));
  try {
    const indexFile = join(folder, "index");
    const read = await runGit(place, { arguments: ["read-tree", checkedTree(tree)], indexFile });
    if (read.kind !== "done") return false;
    const prefix = directory.endsWith(sep) ? directory : directory + sep;
    const written = await runGit(place, {
      arguments: ["checkout-index", "--all", "--force", `--prefix=${prefix}`],
      indexFile,
    });
    return written.kind === "done";
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
