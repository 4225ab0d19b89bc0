/** Finds the main checkout that a worktree belongs to. Only looks at files: git is not started. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The root itself where it is the main checkout; undefined where the repository has none, such as a bare one. */
export function mainCheckout(root: string): string | undefined {
  const dotGit = join(root, ".git");
  const stats = statSync(dotGit, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return root;
  if (stats?.isFile() !== true) return undefined;
  const target = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1];
  const common = target === undefined ? undefined : join(resolve(root, target), "commondir");
  // A submodule has no such file, and is a checkout of its own.
  if (common === undefined || statSync(common, { throwIfNoEntry: false })?.isFile() !== true) return root;
  const main = dirname(resolve(dirname(common), readFileSync(common, "utf8").trim()));
  return statSync(join(main, ".git"), { throwIfNoEntry: false })?.isDirectory() === true ? main : undefined;
}
