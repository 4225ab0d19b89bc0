/** Trees of a workspace as plain copies of its directory, with the way to write one into another directory. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileChange, Snapshots } from "@kedge/protocol";

type DirectorySnapshots = Snapshots & {
  checkOut(tree: string, directory: string): Promise<boolean>;
};

export function createDirectorySnapshots(root: string, kept: string): DirectorySnapshots {
  const place = (tree: string) => join(kept, tree);

  async function changes(before: string, after: string): Promise<readonly FileChange[]> {
    const old = filesOf(place(before));
    const now = filesOf(place(after));
    const found: FileChange[] = [];
    for (const [path, content] of now) {
      if (!old.has(path)) found.push({ path, status: "added" });
      else if (old.get(path) !== content) found.push({ path, status: "modified" });
    }
    for (const path of old.keys()) if (!now.has(path)) found.push({ path, status: "deleted" });
    return found.sort((left, right) => (left.path < right.path ? -1 : 1));
  }

  return {
    async track() {
      const files = filesOf(root);
      const tree = createHash("sha256")
        .update(JSON.stringify([...files].sort()))
        .digest("hex")
        .slice(0, 40);
      if (!existsSync(place(tree))) {
        mkdirSync(place(tree), { recursive: true });
        for (const path of files.keys()) copy(root, place(tree), path);
      }
      return { ok: true, tree, uncovered: [] };
    },
    changes,
    async restore(tree, paths) {
      for (const path of paths) {
        if (existsSync(join(place(tree), path))) copy(place(tree), root, path);
        else rmSync(join(root, path), { force: true });
      }
    },
    diff: async () => "",
    async checkOut(tree, directory) {
      if (!existsSync(place(tree))) return false;
      cpSync(place(tree), directory, { recursive: true });
      return true;
    },
  };
}

function filesOf(root: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (entry.isFile() && !path.startsWith(".git/")) files.set(path, readFileSync(join(root, path), "latin1"));
  }
  return files;
}

function copy(from: string, to: string, path: string): void {
  mkdirSync(dirname(join(to, path)), { recursive: true });
  cpSync(join(from, path), join(to, path));
}
