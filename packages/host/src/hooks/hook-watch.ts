/** Notices that a file of hooks changed on the disk; what was captured runs on. */
import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Editors write a file in several steps, and one word about it is enough. */
const quietMs = 200;

/** To end a watch can take the system longer than a one-shot runs, so that short processes do without. */
const beginMs = 1_000;

/** The function given back ends it. Neither the watching nor the waiting keeps a process alive. */
export function watchHookFiles(paths: readonly string[], onChange: (path: string) => void): () => void {
  const watchers: FSWatcher[] = [];
  const timers = new Map<string, NodeJS.Timeout>();
  const marks = new Map(paths.map((path) => [path, markOf(path)]));

  function begin(): void {
    for (const [directory, files] of Map.groupBy(paths, dirname)) watchDirectory(directory, files);
    // What changed before anybody watched.
    for (const [path, mark] of marks) if (markOf(path) !== mark) onChange(path);
  }

  function watchDirectory(directory: string, files: readonly string[]): void {
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

  const beginning = setTimeout(begin, beginMs).unref();
  return () => {
    clearTimeout(beginning);
    for (const watcher of watchers) watcher.close();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

/** Another text for every other content, as far as the file system tells. */
function markOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    // Gone, or not to be looked at.
    if (!(error instanceof Error && "code" in error)) throw error;
    return "";
  }
}
