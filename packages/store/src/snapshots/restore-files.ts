/** Puts single files of the workspace back without ever going through a symbolic link. */
import { chmod, lstat, mkdir, open, readdir, rename, rm, rmdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";

export type TreeFile = { readonly kind: "file" | "executable" | "link"; readonly content: Buffer };

const temporaryName = ".kedge-restore";

/** Relative, downwards, and never into git's own folder. */
export function isPlainPath(path: string): boolean {
  return path.split("/").every((part) => !["", ".", "..", ".git"].includes(part.toLowerCase())) && !path.includes("\0");
}

/** Removes the file or link itself, and the folders that are empty without it unless they are to be kept. */
export async function deleteFile(root: string, path: string, keeps: (folder: string) => boolean): Promise<void> {
  const parent = await parentState(root, path);
  if (parent === "blocked") return;
  const found = parent === "folder" ? await lstatIfThere(join(root, path)) : undefined;
  // A folder of that name is not the file that was asked for.
  if (found !== undefined && !found.isDirectory()) await rm(join(root, path));
  await deleteEmpty(root, dirname(path), keeps);
}

/** Only if there is nothing in it. */
export async function deleteFolder(root: string, path: string, keeps: (folder: string) => boolean): Promise<void> {
  if ((await parentState(root, path)) !== "blocked") await deleteEmpty(root, path, keeps);
}

/** This folder, and upwards, until one is not empty. Nothing on the way there is a link. */
async function deleteEmpty(root: string, path: string, keeps: (folder: string) => boolean): Promise<void> {
  for (let folder = path; folder !== "." && !keeps(folder); folder = dirname(folder)) {
    const found = await lstatIfThere(join(root, folder));
    if (found === undefined) continue;
    if (!found.isDirectory() || (await readdir(join(root, folder))).length > 0) return;
    await rmdir(join(root, folder));
  }
}

/** Says false when a link or a file stands in the way. */
export async function makeFolder(root: string, path: string): Promise<boolean> {
  if ((await parentState(root, path)) === "blocked") return false;
  const found = await lstatIfThere(join(root, path));
  if (found !== undefined) return found.isDirectory();
  await mkdir(join(root, path), { recursive: true });
  return true;
}

/** Says false, and changes nothing, when a link, a file or a filled folder stands in the way. */
export async function writeFile(root: string, path: string, file: TreeFile): Promise<boolean> {
  if ((await parentState(root, path)) === "blocked") return false;
  const target = join(root, path);
  const temporary = join(dirname(target), temporaryName);
  const present = await lstatIfThere(target);
  if (present?.isDirectory() && (await readdir(target)).length > 0) return false;
  await mkdir(dirname(target), { recursive: true });
  await rm(temporary, { force: true });
  if (file.kind === "link") {
    await symlink(file.content, temporary);
  } else {
    await writeNew(temporary, file);
    if (present?.isFile()) await chmod(temporary, modeLike(present.mode, file.kind));
  }
  if (present?.isDirectory()) await rmdir(target);
  await rename(temporary, target);
  return true;
}

async function writeNew(path: string, file: TreeFile): Promise<void> {
  const handle = await open(path, "wx", file.kind === "executable" ? 0o777 : 0o666);
  try {
    await handle.writeFile(file.content);
  } finally {
    await handle.close();
  }
}

/** Keeps who may read and write, and sets only what git remembers: who may execute. */
function modeLike(mode: number, kind: TreeFile["kind"]): number {
  const readable = mode & 0o666;
  return kind === "executable" ? readable | ((mode & 0o444) >> 2) : readable;
}

/** `absent` means that folders are missing; `blocked` that something else than a folder is in their place. */
async function parentState(root: string, path: string): Promise<"folder" | "absent" | "blocked"> {
  let folder = root;
  for (const part of path.split("/").slice(0, -1)) {
    folder = join(folder, part);
    const found = await lstatIfThere(folder);
    if (found === undefined) return "absent";
    if (!found.isDirectory()) return "blocked";
  }
  return "folder";
}

async function lstatIfThere(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
