/** Whether git tracks a file, read from the index itself: starting git could run what the repository configured. */
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const signature = "DIRC";
/** Later versions shorten paths, so that a name cannot be found by looking for it. */
const plainVersionMax = 3;
const indexBytesMax = 256 * 1024 * 1024;

/** In doubt it is tracked, which gives it fewer rights. `name` is relative to the root, with forward slashes. */
export function isTracked(root: string, name: string): boolean {
  try {
    const gitDirectory = gitDirectoryOf(root);
    if (gitDirectory === undefined) return false;
    const path = join(gitDirectory, "index");
    const stats = statSync(path, { throwIfNoEntry: false });
    // A repository in which nothing was added yet has no index.
    if (stats === undefined) return false;
    if (!stats.isFile() || stats.size > indexBytesMax) return true;
    const index = readFileSync(path);
    if (index.toString("latin1", 0, 4) !== signature || index.readUInt32BE(4) > plainVersionMax) return true;
    // A split index keeps most names in another file.
    if (index.includes("link\0")) return true;
    return index.includes(Buffer.from(`${name}\0`, "utf8"));
  } catch {
    return true;
  }
}

/** Where the repository of a worktree keeps its files; undefined outside of one. */
export function gitDirectoryOf(root: string): string | undefined {
  const path = join(root, ".git");
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return path;
  if (!stats.isFile()) return undefined;
  const target = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
  return target === undefined ? path : resolve(root, target);
}
