/** The Snapshots contract by a shadow git directory that uses the workspace as its work tree. */
import type { SnapshotCleanup, Snapshots } from "@kedge/protocol";
import { checkOutTree } from "./check-out.ts";
import type { ShadowOptions } from "./open-shadow.ts";
import { changedState, restoreState } from "./repository-state.ts";
import { restoreFiles } from "./restore-tree.ts";
import { createShadowAccess } from "./shadow-access.ts";
import { pinTree, shadowBytes, unpinTrees } from "./shadow-cleanup.ts";
import { createTracking } from "./track-workspace.ts";
import { changedFiles, unifiedDiff } from "./tree-files.ts";

export type GitSnapshotsOptions = ShadowOptions;

/** Does nothing until it is first used. Operations run one after the other, also those of other processes. */
export function createGitSnapshots(options: GitSnapshotsOptions): Snapshots & SnapshotCleanup {
  const { serially, opened, ready, locked, cleanup } = createShadowAccess(options);
  const track = createTracking(opened);
  return {
    track: (signal, wish = {}) => serially(() => track(signal, wish)),
    changes: (before, after) => serially(async () => changedFiles((await ready()).shadow.place, before, after)),
    restore: (tree, paths) => serially(() => locked(({ shadow }) => restoreFiles(shadow, tree, paths))),
    refs: {
      changed: (before, after) => serially(async () => changedState((await ready()).shadow.place, before, after)),
      restore: (tree, from) =>
        serially(() => locked(({ shadow: { place }, repository }) => restoreState({ place, repository }, tree, from))),
    },
    checkOut: (tree, directory) => serially(() => locked(({ shadow }) => checkOutTree(shadow.place, tree, directory))),
    diff: (before, after) => serially(() => locked(({ shadow }) => unifiedDiff(shadow.place, before, after))),
    // One small file, which may be written at any time.
    pin: async (tree, owner) => pinTree((await ready()).shadow.place, tree, owner),
    unpin: (owner) => serially(() => locked(({ shadow }) => unpinTrees(shadow.place, owner))),
    cleanup: (wish) => serially(() => cleanup(wish)),
    sizeBytes: async () => shadowBytes((await ready()).shadow.place),
  };
}
