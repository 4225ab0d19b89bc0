/** Finds the parts of the user's repository that snapshots read: its index, objects and private ignore rules. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

export type UserRepository = {
  /** The git directory of this work tree. */
  readonly own: string;
  /** What all work trees of the repository share; the same folder for the first of them. */
  readonly common: string;
};

export async function findUserRepository(root: string): Promise<UserRepository> {
  const git = join(root, ".git");
  const pointer = await readIfFile(git);
  const own = pointer === undefined ? git : resolve(root, pointer.replace(/^gitdir:/, "").trim());
  const common = await readIfFile(join(own, "commondir"));
  return { own, common: common === undefined ? own : resolve(own, common.trim()) };
}

/** The user's private ignore rules, which lie in the repository and not among the files. */
export function userExcludeFile({ common }: UserRepository): string {
  return join(common, "info", "exclude");
}

/** Git follows from here to the folders that this one borrows from. */
export function userObjects({ common }: UserRepository): string {
  return join(common, "objects");
}

/** Objects are named by another hash than in a shadow directory, so that nothing can be taken over. */
export async function hasForeignHashes({ common }: UserRepository): Promise<boolean> {
  return /^\s*objectformat\s*=\s*(?!sha1\b)/im.test((await readIfFile(join(common, "config"))) ?? "");
}

export async function readIfFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
