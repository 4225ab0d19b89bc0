/** Snapshots of a workspace that is a map of paths to contents. */
import type { FileChange, Snapshots } from "@kedge/protocol";

export type MapSnapshotsOptions = {
  /** Files that a tree holds only if they are named. */
  readonly isIgnored?: (path: string) => boolean;
};

type Tree = { readonly files: ReadonlyMap<string, string>; readonly covers: (path: string) => boolean };

/** A double of the Snapshots contract: trees are copies of the map. */
export function mapSnapshots(files: Map<string, string>, options: MapSnapshotsOptions = {}): Snapshots {
  const { isIgnored = () => false } = options;
  const trees = new Map<string, Tree>();
  const tree = (name: string): Tree => trees.get(name) ?? { files: new Map(), covers: () => true };
  return {
    async track(_signal, { also = [], asIn = [] } = {}) {
      const isNamed = (path: string) =>
        also === "all-ignored" || also.some((name) => path === name || path.startsWith(`${name}/`));
      const isHeld = (path: string) => asIn.some((name) => tree(name).covers(path));
      const covers = (path: string) => !isIgnored(path) || isNamed(path) || isHeld(path);
      const held = [...files].filter(([path]) => covers(path)).sort();
      const name = JSON.stringify(also.length + asIn.length === 0 ? held : [held, also, asIn]);
      trees.set(name, { files: new Map(held), covers });
      return { ok: true, tree: name, uncovered: [] };
    },
    async changes(before, after) {
      const [old, now] = [tree(before), tree(after)];
      const paths = new Set([...old.files.keys(), ...now.files.keys()]);
      return [...paths].sort().flatMap((path): FileChange[] => {
        const [was, is] = [old.files.get(path), now.files.get(path)];
        if (was === is || !old.covers(path) || !now.covers(path)) return [];
        return [{ path, status: was === undefined ? "added" : is === undefined ? "deleted" : "modified" }];
      });
    },
    async restore(name, paths) {
      const { files: held, covers } = tree(name);
      for (const path of paths) {
        const content = held.get(path);
        if (content !== undefined) files.set(path, content);
        else if (covers(path)) files.delete(path);
      }
    },
    diff: async () => "",
  };
}
