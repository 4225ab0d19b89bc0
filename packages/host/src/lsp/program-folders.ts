/** Where projects keep programs of their own, from a directory up to the root of the workspace, nearest first. */
import { dirname, join } from "node:path";

const programFolders = ["node_modules/.bin", ".venv/bin"];

export function programFoldersAbove(directory: string, root: string): readonly string[] {
  const folders: string[] = [];
  for (let each = directory; ; each = dirname(each)) {
    folders.push(...programFolders.map((folder) => join(each, folder)));
    if (each === root || each === dirname(each)) return folders;
  }
}
