/** Working copies that hooks of the user make in place of git, for other version control systems: noted, and never removed unasked. */
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Answer, isJsonObject, refused } from "@kedge/protocol";
import type { Repository } from "./worktree-git.ts";
import { worktreesFolder } from "./worktree-name.ts";

export type WorktreeHooks = {
  /** The folder that a hook made and named; undefined where no hook makes any. */
  create(name: string): Promise<Answer<string> | undefined>;
  /** Told before a worktree goes. False where no hook hears of it. */
  remove(directory: string): Promise<boolean>;
};

export type HookWorktree = { readonly name: string; readonly directory: string; readonly createdAt: number };

type Site = {
  readonly repository: Pick<Repository, "root" | "alone">;
  readonly now: () => number;
  readonly hooks?: WorktreeHooks;
};

/** Undefined where git is to make it. */
export async function createByHook(name: string, { repository: { root, alone }, now, hooks }: Site) {
  const made = await hooks?.create(name);
  if (made === undefined || !made.ok) return made;
  const directory = resolve(root, made.value);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    return refused(`The WorktreeCreate hook named ${directory}, which is not a directory.`);
  const real = realpathSync.native(directory);
  if (real === realpathSync.native(root)) return refused("The WorktreeCreate hook named the main checkout.");
  await alone(async () => {
    const others = hookWorktrees(root).filter((each) => each.directory !== real);
    writeHookWorktrees(root, [...others, { name, directory: real, createdAt: now() }]);
  });
  return { ok: true as const, value: { name, directory: real, branch: "", base: "", notices: [] } };
}

const fileName = ".made-by-hooks.json";

/** Those that are still there. */
export function hookWorktrees(root: string): readonly HookWorktree[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(root, worktreesFolder, fileName), "utf8"));
  } catch {
    // Absent or damaged: then nobody knows them, and they stay.
    return [];
  }
  if (!Array.isArray(value)) return [];
  return value.filter(isNoted).filter(({ directory }) => statSync(directory, { throwIfNoEntry: false })?.isDirectory());
}

function isNoted(value: unknown): value is HookWorktree {
  if (!isJsonObject(value)) return false;
  const { name, directory, createdAt } = value;
  return typeof name === "string" && typeof directory === "string" && typeof createdAt === "number";
}

function writeHookWorktrees(root: string, all: readonly HookWorktree[]): void {
  const path = join(root, worktreesFolder, fileName);
  if (all.length === 0) {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(join(root, worktreesFolder), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.tmp`, `${JSON.stringify(all)}\n`, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}

/** Only a hook knows how; undefined where it is gone afterwards, else why it stays. */
export async function removeByHook(
  { root, alone }: Site["repository"],
  tree: HookWorktree,
  hooks: WorktreeHooks | undefined,
) {
  const isHeard = await hooks?.remove(tree.directory);
  if (statSync(tree.directory, { throwIfNoEntry: false }) !== undefined)
    return isHeard ? "the WorktreeRemove hook left it" : "created by a hook, and no hook removes it";
  await alone(async () => writeHookWorktrees(root, hookWorktrees(root)));
  return undefined;
}
