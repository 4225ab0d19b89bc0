/**
 * Which files a server may have read have changed on the disk since it was last told: by commands, by git, by other
 * editors. Looked for before a question, so that no answer is older than the files; nothing is watched in between.
 */
import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { extensionOf } from "../server-definition.ts";

export type DiskChange = { readonly path: string; readonly type: 1 | 2 | 3 };

export type DiskChanges = {
  /** Since it was asked last, or since it was made. */
  take(): readonly DiskChange[];
};

/** Larger trees are not looked through: then the server hears of kedge's own writes alone. */
const filesMax = 5_000;
const skipped: ReadonlySet<string> = new Set([
  "node_modules",
  "target",
  "dist",
  "build",
  "vendor",
  "__pycache__",
  "venv",
]);

const [created, changed, deleted] = [1, 2, 3] as const;

export function createDiskChanges(
  root: string,
  { extensions, names }: { readonly extensions: ReadonlySet<string>; readonly names: ReadonlySet<string> },
): DiskChanges {
  const isWanted = (name: string) => extensions.has(extensionOf(name)) || names.has(name);
  let known = look(root, isWanted);
  return {
    take() {
      if (known === undefined) return [];
      const now = look(root, isWanted);
      if (now === undefined) return [];
      const before = known;
      known = now;
      const changes: DiskChange[] = [];
      for (const [path, stamp] of now) {
        const earlier = before.get(path);
        if (earlier === undefined) changes.push({ path, type: created });
        else if (earlier !== stamp) changes.push({ path, type: changed });
      }
      for (const path of before.keys()) if (!now.has(path)) changes.push({ path, type: deleted });
      return changes;
    },
  };
}

/** Undefined when there is too much to look at. */
function look(root: string, isWanted: (name: string) => boolean): ReadonlyMap<string, string> | undefined {
  const paths = filesBelow(root, isWanted, filesMax);
  if (paths === undefined) return undefined;
  const found = new Map<string, string>();
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined) found.set(path, `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}`);
  }
  return found;
}

/** Without what programs made or fetched, and without hidden folders. Undefined when there are more than that. */
export function filesBelow(
  root: string,
  isWanted: (name: string) => boolean,
  max: number,
): readonly string[] | undefined {
  const found: string[] = [];
  for (const files of foldersBelow(root, isWanted)) {
    if (found.length + files.length > max) return undefined;
    found.push(...files);
  }
  return found;
}

/** The first file of each of so many folders that have one. */
export function samplesBelow(root: string, isWanted: (name: string) => boolean, max: number): readonly string[] {
  const found: string[] = [];
  for (const [first] of foldersBelow(root, isWanted)) {
    if (first !== undefined) found.push(first);
    if (found.length >= max) break;
  }
  return found;
}

/** What each folder has itself. */
function* foldersBelow(root: string, isWanted: (name: string) => boolean): Generator<readonly string[]> {
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const found: string[] = [];
    for (const entry of entriesOf(folder)) {
      const { name } = entry;
      if (entry.isDirectory()) {
        if (!name.startsWith(".") && !skipped.has(name)) folders.push(join(folder, name));
      } else if (entry.isFile() && isWanted(name)) found.push(join(folder, name));
    }
    yield found;
  }
}

/** A folder that cannot be read has nothing for the server either. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}
