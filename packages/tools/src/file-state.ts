/** Remembers in memory what the model knows of each file, and lets one change at a time touch a path. */
import type { FileState } from "@kedge/protocol";
import { findTruePath } from "./tool-path.ts";

export type FileStateParts = {
  /** Told the path before it is changed; what is given back is called when that is over. */
  readonly noteChange?: (path: string) => () => void;
};

export function createFileState({ noteChange }: FileStateParts = {}): FileState {
  const hashes = new Map<string, string>();
  /** As the paths were named. Their true places are looked up when somebody asks: most files are read and no more. */
  const unresolved = new Map<string, string>();
  const lastChanges = new Map<string, Promise<void>>();

  return {
    remember(path, contentHash) {
      // Deleted first, so that of two names for one file the later one counts.
      unresolved.delete(path);
      unresolved.set(path, contentHash);
    },
    known(path) {
      for (const [named, contentHash] of unresolved) {
        const place = findTruePath(named);
        if (place.ok) hashes.set(place.path, contentHash);
      }
      unresolved.clear();
      return hashes.get(path);
    },
    async exclusively(path, work) {
      const before = lastChanges.get(path);
      const { promise: done, resolve: release } = Promise.withResolvers<void>();
      lastChanges.set(path, done);
      let endNote: (() => void) | undefined;
      try {
        await before;
        endNote = noteChange?.(path);
        return await work();
      } finally {
        endNote?.();
        release();
        if (lastChanges.get(path) === done) lastChanges.delete(path);
      }
    },
  };
}
