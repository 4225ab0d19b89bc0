/** Remembers in memory what the model knows of each file, and lets one change at a time touch a path. */
import type { FileState } from "@kedge/protocol";

export function createFileState(): FileState {
  const hashes = new Map<string, string>();
  const lastChanges = new Map<string, Promise<void>>();

  return {
    remember(path, contentHash) {
      hashes.set(path, contentHash);
    },
    known(path) {
      return hashes.get(path);
    },
    async exclusively(path, work) {
      const before = lastChanges.get(path);
      const { promise: done, resolve: release } = Promise.withResolvers<void>();
      lastChanges.set(path, done);
      try {
        await before;
        return await work();
      } finally {
        release();
        if (lastChanges.get(path) === done) lastChanges.delete(path);
      }
    },
  };
}
