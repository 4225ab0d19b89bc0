/** Makes a new worktree fit to work in: local settings, included files and dependency folders of the main checkout. */
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type CopyLimits, copyTree } from "./copy-tree.ts";
import { findIncludedFiles } from "./included-files.ts";
import type { Repository } from "./worktree-git.ts";

export type SetUpParts = {
  readonly repository: Repository;
  /** The new worktree. */
  readonly directory: string;
  /** Folders that are copied whole, such as `node_modules`. */
  readonly dependencyFolders: readonly string[];
  readonly temporaryDirectory: string;
};

export type SetUp = {
  /** Copied files with their digests; of a folder only its own name. */
  readonly copied: { readonly [path: string]: string };
  /** Sentences on what could not be brought. */
  readonly notices: readonly string[];
};

/** Without these a session in the worktree would ask again what was answered in the main checkout. */
const localFiles = [
  ...["json", "jsonc", "yaml", "yml", "toml"].map((format) => `.kedge/config.local.${format}`),
  ".claude/settings.local.json",
  "CLAUDE.local.md",
  "AGENTS.local.md",
];

const fileLimits: CopyLimits = { bytesMax: 100 * 1024 * 1024, entriesMax: 10_000 };
const dependencyLimits: CopyLimits = { bytesMax: 400 * 1024 * 1024, entriesMax: 100_000 };

export async function setUpWorktree(parts: SetUpParts): Promise<SetUp> {
  const { repository, directory, dependencyFolders, temporaryDirectory } = parts;
  const included = await findIncludedFiles(repository, temporaryDirectory);
  const notices = included.problem === undefined ? [] : [included.problem];
  const copied: Record<string, string> = {};
  const bring = (path: string, limits: CopyLimits) => {
    const name = path.replace(/\/+$/, "");
    const state = judgeSource(repository.root, directory, name);
    if (state === "absent") return;
    const outcome =
      state === "outside"
        ? ({ ok: false, why: "it points outside the repository" } as const)
        : copyTree({ fromRoot: repository.root, toRoot: directory, path: name, limits });
    if (outcome.ok) copied[name] = digestOf(join(directory, name)) ?? "";
    else notices.push(`${name} was not copied to the worktree: ${outcome.why}.`);
  };
  for (const path of [...localFiles, ...included.paths]) bring(path, fileLimits);
  for (const path of dependencyFolders) bring(path, dependencyLimits);
  return { copied, notices };
}

/** What the worktree has already, by its commit or by an earlier copy, stays as it is. */
function judgeSource(root: string, directory: string, path: string): "absent" | "outside" | "fine" {
  const source = join(root, path);
  if (lstatSync(source, { throwIfNoEntry: false }) === undefined) return "absent";
  if (lstatSync(join(directory, path), { throwIfNoEntry: false }) !== undefined) return "absent";
  return isBelow(realpathSync.native(source), root) ? "fine" : "outside";
}

function isBelow(path: string, root: string): boolean {
  const inside = relative(root, path);
  return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`);
}

/** Undefined for what is not a file. */
export function digestOf(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
