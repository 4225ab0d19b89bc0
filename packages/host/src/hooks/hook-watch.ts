/** Notices that a file of hooks changed on the disk; what was captured runs on. */
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Editors write a file in several steps, and one word about it is enough. */
const quietMs = 200;

/** The function given back ends it. Neither the watching nor the waiting keeps a process alive. */
export function watchHookFiles(paths: readonly string[], onChange: (path: string) => void): () => void {
  const watchers: FSWatcher[] = [];
  const timers = new Map<string, NodeJS.Timeout>();
  const byDirectory = Map.groupBy(paths, dirname);
  for (const [directory, files] of byDirectory) {
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        const path = files.find((file) => basename(file) === name);
        if (path === undefined) return;
        clearTimeout(timers.get(path));
        timers.set(path, setTimeout(() => onChange(path), quietMs).unref());
      });
      watcher.on("error", () => watcher.close());
      watchers.push(watcher);
    } catch (error) {
      // The system has no watch left, or the folder is gone: then nobody is told.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }
  return () => {
    for (const watcher of watchers) watcher.close();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
