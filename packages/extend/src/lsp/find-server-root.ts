/** Finds the directory that a language server works on: the nearest one with a marker, never above the workspace. */
import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { ServerDefinition } from "./server-definition.ts";

export type ServerRoots = {
  /** Undefined where the server needs a marker and there is none. The path is absolute. */
  find(definition: ServerDefinition, path: string): string | undefined;
  /** A file was written that may be a marker: what was found before is looked for again. */
  written(path: string): void;
};

/** Looks once for each directory: later edits there cost no look at the disk. */
export function createServerRoots(
  root: string,
  markerNames: ReadonlySet<string>,
  exists: (path: string) => boolean = existsSync,
): ServerRoots {
  const known = new Map<string, string | undefined>();
  return {
    find(definition, path) {
      const { name, markers, needsMarker, workspaceFolder } = definition;
      if (workspaceFolder !== undefined) return workspaceFolder;
      const directory = dirname(path);
      const isBelow = directory === root || directory.startsWith(root.endsWith(sep) ? root : root + sep);
      if (!isBelow) return undefined;
      const key = `${name}\0${directory}`;
      if (!known.has(key))
        known.set(
          key,
          nearest(directory, root, (each) => markers.some((marker) => exists(join(each, marker)))),
        );
      return known.get(key) ?? (needsMarker ? undefined : root);
    },
    written(path) {
      if (markerNames.has(path.slice(path.lastIndexOf(sep) + 1))) known.clear();
    },
  };
}

function nearest(directory: string, root: string, isMarked: (directory: string) => boolean): string | undefined {
  for (let each = directory; ; each = dirname(each)) {
    if (isMarked(each)) return each;
    if (each === root || each === dirname(each)) return undefined;
  }
}
