/** Snapshots of a workspace that is a map of paths to contents. */
import type { FileChange, Snapshots } from "@kedge/protocol";

/** A double of the Snapshots contract: trees are copies of the map. */
export function mapSnapshots(files: Map<string, string>): Snapshots {
  const trees = new Map<string, ReadonlyMap<string, string>>();
  const tree = (name: string) => trees.get(name) ?? new Map<string, string>();
  return {
    async track() {
      const name = JSON.stringify([...files].sort());
      trees.set(name, new Map(files));
      return { ok: true, tree: name, uncovered: [] };
    },
    async changes(before, after) {
      const paths = new Set([...tree(before).keys(), ...tree(after).keys()]);
      return [...paths].sort().flatMap((path): FileChange[] => {
        const old = tree(before).get(path);
        const now = tree(after).get(path);
        if (old === now) return [];
        return [{ path, status: old === undefined ? "added" : now === undefined ? "deleted" : "modified" }];
      });
    },
    async restore(name, paths) {
      for (const path of paths) {
        const content = tree(name).get(path);
        if (content === undefined) files.delete(path);
        else files.set(path, content);
      }
    },
    diff: async () => "",
  };
}
