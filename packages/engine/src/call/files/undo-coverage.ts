/** Finds what a call touches that a tree of the workspace holds only if asked: ignored files, refs, stash entries. */
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import type { FileUse, Need, ShellAnalysis, TrackOptions } from "@kedge/protocol";
import type { EngineParts } from "../../parts.ts";
import { canonicalPermission } from "../../permission/index.ts";
import { readIgnoreRules } from "./undo-coverage-ignore.ts";

/** What the trees around a call shall hold besides files that git sees; empty for nearly every call. */
export type HeldByTrees = Pick<TrackOptions, "also" | "refs">;

export type UndoCoverage = (needs: readonly Need[]) => Promise<HeldByTrees>;

/** Programs whose target may be a folder, with the files they put there named beside it. */
const copiers: ReadonlySet<string> = new Set(["cp", "mv", "install", "ln"]);

const nothing: HeldByTrees = {};

export function createUndoCoverage({ workspace, machine }: Pick<EngineParts, "workspace" | "machine">): UndoCoverage {
  const { root, cwd, home, lookAtPath, analyseShell } = workspace;
  const realPath = async (path: string) => (await machine.realPath?.(path)) ?? path;

  /** The file itself, and what it leads to if it is a link. None for what lies outside or in git's own folder. */
  async function placesOf(path: string): Promise<readonly string[]> {
    const [realRoot, parent, end] = await Promise.all([root, dirname(path), path].map(realPath));
    const itself = path === root ? root : join(parent ?? "", basename(path));
    return [...new Set([itself, end ?? path])].filter((place) => isBelow(relative(realRoot ?? root, place)));
  }

  async function nameOf(place: string): Promise<string> {
    // Where names are parted by slashes, a backslash is a character of a name like any other.
    return (
      relative(await realPath(root), place)
        .split(sep)
        .join("/") || "."
    );
  }

  function readShell(need: Need): readonly { readonly analysis: ShellAnalysis; readonly whole: string }[] {
    const directory = need.paths?.[0] ?? cwd;
    return need.patterns.map((whole) => ({
      whole,
      analysis: analyseShell(whole, { cwd: directory, root, home, lookAtPath }),
    }));
  }

  /** A target that is a folder stands for all in it, unless what is put there can be told. */
  async function targetsOf(use: FileUse, uses: readonly FileUse[]): Promise<readonly Target[]> {
    if (use.path === undefined) return [];
    const targets: Target[] = [];
    for (const place of await placesOf(use.path)) {
      const name = await nameOf(place);
      const isFolder = name === "." || (await isFolderAt(place));
      const put = isFolder && copiers.has(use.by) ? await filesPut(use, uses) : undefined;
      if (put === undefined) targets.push({ name, isFolder });
      else targets.push(...put.map((file) => ({ name: posix.join(name, file), isFolder: false })));
    }
    return targets;
  }

  async function isFolderAt(path: string): Promise<boolean> {
    return (await machine.lookAt([path])).length === 0 && (await machine.measure(path)).kind === "folder";
  }

  /** Names of the files that a copier puts into its target; undefined if they cannot all be told. */
  async function filesPut(use: FileUse, uses: readonly FileUse[]): Promise<readonly string[] | undefined> {
    const sources = uses.flatMap(({ path, by }) =>
      by === use.by && path !== undefined && path !== use.path ? [path] : [],
    );
    const files = await machine.lookAt(sources);
    return files.length === sources.length && sources.length > 0 ? sources.map((path) => basename(path)) : undefined;
  }

  /** Folders count if there is any rule at all: what lies below them is not looked through. */
  async function ignoredOf(targets: readonly Target[]): Promise<HeldByTrees["also"]> {
    const names = [...new Set(targets.map(({ name }) => name))];
    const rules = await readIgnoreRules(root, names, machine.readText);
    const held = targets.filter(({ name, isFolder }) => (isFolder ? !rules.isEmpty : rules.mayMatch(name)));
    // Other rules make ignored files look like new ones, which undo would remove.
    const isAll = targets.some(({ name }) => name === "." || basename(name) === ".gitignore") && !rules.isEmpty;
    if (held.length === 0 && !isAll) return undefined;
    return isAll ? "all-ignored" : [...new Set(held.map(({ name }) => name))];
  }

  return async (needs) => {
    const targets: Target[] = [];
    let held = nothing;
    for (const need of needs) {
      if (need.access === "write") {
        for (const place of (await Promise.all((need.paths ?? []).map((path) => placesOf(resolve(cwd, path))))).flat())
          targets.push({ name: await nameOf(place), isFolder: false });
      }
      if (canonicalPermission(need.permission) !== "bash") continue;
      for (const { analysis, whole } of readShell(need)) {
        if (analysis.readOnly) continue;
        const writes = analysis.files.filter(({ access }) => access === "write");
        for (const use of writes) targets.push(...(await targetsOf(use, analysis.files)));
        if (!/\bgit\b/i.test(whole)) continue;
        // Loaded by the first command of git, because nothing else needs its table.
        const { heldForCommands } = await import("./undo-coverage-commands.ts");
        held = { ...held, ...heldForCommands(analysis, whole) };
      }
    }
    if (targets.length === 0 || held.also === "all-ignored") return held;
    const also = await ignoredOf(targets);
    return also === undefined ? held : { ...held, also };
  };
}

function isBelow(name: string): boolean {
  return !isAbsolute(name) && !name.split(sep).some((part) => part === ".." || part === ".git");
}

type Target = { readonly name: string; readonly isFolder: boolean };
