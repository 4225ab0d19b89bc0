/** What of a git repository a confined command may write so that git works, and what decides over programs git starts. */
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ProtectedPath, StandIn } from "./sandbox-profile.ts";

export type RepositoryPaths = {
  /** Outside of the workspace: the repository that a linked working tree belongs to. */
  readonly writable: readonly string[];
  readonly protectedPaths: readonly ProtectedPath[];
};

const directory: StandIn = { kind: "directory" };
const emptyFile: StandIn = { kind: "file", text: "" };
/** Git takes settings and hooks from the directory that is named in this file; its own one is what it takes anyway. */
const itself: StandIn = { kind: "file", text: ".\n" };

/** What is no repository cannot be made one: neither by its `.git` nor by being one itself, which begins with `HEAD`. */
export function repositoryPathsOf(root: string): RepositoryPaths {
  const entry = join(root, ".git");
  const own: ProtectedPath = { path: entry, standIn: directory };
  const kind = kindOf(entry);
  if (kind === "directory" && kindOf(join(entry, "HEAD")) !== "absent")
    return { writable: [], protectedPaths: protectedIn(entry, root) };
  const common = kind === "file" ? commonDirectoryOf(entry) : undefined;
  if (common !== undefined)
    return { writable: [common], protectedPaths: [own, ...protectedIn(common, root), ...mainCheckoutOf(common)] };
  return { writable: [], protectedPaths: [own, { path: join(root, "HEAD"), standIn: directory }] };
}

function protectedIn(repository: string, root: string): readonly ProtectedPath[] {
  // An empty `commondir` in one that is half made or gone would keep git from reading the list of them all.
  const worktrees = listNames(join(repository, "worktrees"))
    .map((name) => join(repository, "worktrees", name))
    .filter((worktree) => readText(join(worktree, "commondir")).trim() !== "");
  return [
    { path: join(repository, "hooks"), standIn: directory },
    { path: join(repository, "modules"), standIn: directory },
    { path: join(repository, "config"), standIn: emptyFile },
    { path: join(repository, "config.worktree"), standIn: emptyFile },
    { path: join(repository, "commondir"), standIn: itself },
    ...worktrees.flatMap((worktree) => [
      { path: join(worktree, "commondir"), standIn: emptyFile, onlyWith: worktree },
      { path: join(worktree, "gitdir"), standIn: emptyFile, onlyWith: worktree },
      { path: join(worktree, "config.worktree"), standIn: emptyFile, onlyWith: worktree },
      // What is removed with a worktree is read from kedge's own record of it, outside of the sandbox.
      ...[{ path: join(worktree, "kedge-worktree.json"), standIn: emptyFile, onlyWith: worktree }].filter(
        ({ path }) => kindOf(path) === "file",
      ),
    ]),
    ...namedInConfig(join(repository, "config"), root),
  ];
}

/** What the main checkout stands on: whoever works in a linked tree neither moves its branch nor touches its index. */
function mainCheckoutOf(common: string): readonly ProtectedPath[] {
  const branch = /^ref: (refs\/heads\/.+)$/m.exec(readText(join(common, "HEAD")))?.[1];
  const commit = branch === undefined ? undefined : commitOf(common, branch);
  return [
    ...["HEAD", "index"]
      .map((name) => ({ path: join(common, name), standIn: emptyFile }))
      .filter(({ path }) => kindOf(path) === "file"),
    ...(branch === undefined || commit === undefined
      ? []
      : [{ path: join(common, branch), standIn: { kind: "file", text: `${commit}\n` } as const }]),
  ];
}

/** A branch is a file, or a line of the file for those that nobody moved lately. */
function commitOf(common: string, branch: string): string | undefined {
  const own = readText(join(common, branch)).trim();
  if (own !== "") return own;
  const packed = readText(join(common, "packed-refs")).split("\n");
  return packed.find((line) => line.endsWith(` ${branch}`))?.split(" ", 1)[0];
}

/** The same for a repository inside of a workspace, as little as holds it: there may be many of them. */
export function protectedInNested(repository: string, workTree: string): readonly ProtectedPath[] {
  const always = new Set(["hooks", "config", "commondir"].map((name) => join(repository, name)));
  return protectedIn(repository, workTree).filter(({ path }) => always.has(path) || kindOf(path) !== "absent");
}

/** What the file `.git` of a submodule or a linked working tree leads to. */
export function protectedOfLinked(entry: string): readonly ProtectedPath[] {
  const named = /^gitdir: (.+)$/m.exec(readText(entry))?.[1];
  if (named === undefined) return [];
  const administrative = resolve(dirname(entry), named);
  // A file may name any directory; only what git takes for a repository matters.
  if (kindOf(join(administrative, "HEAD")) === "absent") return [];
  const isLinkedTree = kindOf(join(administrative, "commondir")) === "file";
  const own = ["hooks", "config", "config.worktree", "commondir", "gitdir"].map((name) => ({
    path: join(administrative, name),
    standIn: name === "hooks" ? directory : emptyFile,
  }));
  const needed = isLinkedTree ? [] : ["hooks", "config"].map((name) => join(administrative, name));
  return own.filter(({ path }) => needed.includes(path) || kindOf(path) !== "absent");
}

/** Relative hooks count from the root of the working tree, relative settings from the file that includes them. */
function namedInConfig(config: string, root: string): readonly ProtectedPath[] {
  const values = (key: string) =>
    [...readText(config).matchAll(new RegExp(`^\\s*${key}\\s*=\\s*"?([^"\\n#;]+)"?`, "gim"))]
      .map(([, value]) => value?.trim() ?? "")
      // Those of somebody's home are protected as such.
      .filter((value) => value !== "" && !value.startsWith("~"));
  return [
    ...values("hookspath").map((value) => ({ path: resolve(root, value), standIn: directory })),
    ...values("path").map((value) => ({ path: resolve(dirname(config), value), standIn: emptyFile })),
  ];
}

/**
 * The repository of a linked working tree, if it agrees: a `.git` file alone may name any directory on the machine, but
 * only who could write there before can have made it point back.
 */
function commonDirectoryOf(entry: string): string | undefined {
  const named = /^gitdir: (.+)$/m.exec(readText(entry))?.[1];
  if (named === undefined) return undefined;
  const administrative = resolve(dirname(entry), named);
  const back = resolve(administrative, readText(join(administrative, "gitdir")).trim());
  const common = readText(join(administrative, "commondir")).trim();
  if (common === "") return undefined;
  try {
    if (realpathSync(back) !== realpathSync(entry)) return undefined;
    const found = realpathSync(resolve(administrative, common));
    const isRepository = statSync(join(found, "objects")).isDirectory() && statSync(join(found, "HEAD")).isFile();
    return isRepository ? found : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function kindOf(path: string): "absent" | "directory" | "file" | "other" {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "absent";
  if (found.isDirectory()) return "directory";
  return found.isFile() ? "file" : "other";
}

function listNames(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    // No repository has to have linked working trees.
    if (isSystemError(error)) return [];
    throw error;
  }
}

/** Empty for what cannot be read: then git reads nothing there either. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isSystemError(error)) return "";
    throw error;
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "code" in error;
}
