/** Which folders came or went between two trees, told by their empty folders and the files that differ. */
import { dirname, join } from "node:path";
import type { FileChange } from "@kedge/protocol";
import { lstatIfThere } from "./changed-files.ts";

/** How a folder is told from a file among the paths of changes. */
export function isFolderPath(path: string): boolean {
  return path.endsWith("/");
}

/** Every folder on the way to the path. */
export function addParents(folders: Set<string>, path: string): void {
  for (let folder = dirname(path); folder !== "." && !folders.has(folder); folder = dirname(folder)) {
    folders.add(folder);
  }
}

export type FolderStates = {
  readonly old: ReadonlySet<string>;
  readonly now: ReadonlySet<string>;
  readonly files: readonly FileChange[];
};

/** A folder that got its first file, or lost its last, was there before and after: that is no change of the folder. */
export function changedFolders(root: string, { old, now, files }: FolderStates): readonly FileChange[] {
  const oldFilled = filledFolders(old, files, "deleted");
  const nowFilled = filledFolders(now, files, "added");
  const added = [...now].filter((folder) => !old.has(folder) && !oldFilled.has(folder));
  const gone = [...old].filter((folder) => !now.has(folder) && !nowFilled.has(folder));
  // Under other rules a folder may be ignored from now on, and still be there.
  const areOtherRules = files.some(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
  const deleted = areOtherRules ? gone.filter((folder) => !isFolder(join(root, folder))) : gone;
  return [
    ...added.map((folder) => ({ path: `${folder}/`, status: "added" }) as const),
    ...deleted.map((folder) => ({ path: `${folder}/`, status: "deleted" }) as const),
  ];
}

/** Of those that are empty in the other tree, all that hold something in this one. */
function filledFolders(
  empty: ReadonlySet<string>,
  files: readonly FileChange[],
  own: FileChange["status"],
): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path, status } of files) if (status === own) addParents(folders, path);
  for (const folder of empty) addParents(folders, folder);
  return folders;
}

function isFolder(path: string): boolean {
  return lstatIfThere(path)?.isDirectory() === true;
}
