/** Which instruction files changed since a moment, wherever they lie: also those that git ignores or that belong to the user. */
import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { directoriesBelow } from "./directories-below.ts";
import { discoverInstructions, filesAt, localFilesAt, walkOf } from "./discover.ts";
import type { InstructionParts } from "./instruction-parts.ts";
import { ompFolderDefault, promptNames, stickyFolders } from "./instruction-places.ts";

/** File systems take their time from a clock that may lag by a few milliseconds. */
const lagMs = 50;

/** `since` in milliseconds since 1970. No program can set the time that is compared here. */
export function recentInstructions(
  { places, settings }: Pick<InstructionParts, "places" | "settings">,
  since: number,
): readonly string[] {
  const { root } = places;
  const paths = [
    ...discoverInstructions(places, settings).map(({ path }) => path),
    ...promptFolders(places, settings).flatMap((folder) => promptNames.map((name) => join(folder, name))),
    ...directoriesBelow(root).flatMap((directory) =>
      [...filesAt(directory, { cwd: directory, root }), ...localFilesAt(directory)].map(({ path }) => path),
    ),
  ];
  return [...new Set(paths)].filter((path) => changedAt(path) >= since - lagMs);
}

function promptFolders(places: InstructionParts["places"], settings: InstructionParts["settings"]): readonly string[] {
  const ofProject = walkOf(places, settings).flatMap((level) => stickyFolders.map(({ path }) => join(level, path)));
  return [places.kedgeHome, join(places.home, places.ompFolder ?? ompFolderDefault), ...ofProject];
}

/** Of the file, or of the link to it if that is newer. */
function changedAt(path: string): number {
  try {
    return Math.max(lstatSync(path).ctimeMs, statSync(path).ctimeMs);
  } catch {
    return 0;
  }
}
