/** The directories of a project in which deeper instruction files may lie, nearest first. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** More than that are not looked through. */
const directoriesMax = 2_000;

/** What others wrote and nobody of the project looked at: nothing in it instructs. */
export const packagesFolder = "node_modules";

/** Without `start` itself, breadth first. Folders with a dot belong to programs. */
export function directoriesBelow(start: string): readonly string[] {
  const directories = [start];
  for (let index = 0; index < directories.length && directories.length < directoriesMax; index += 1) {
    const directory = directories[index] ?? start;
    for (const entry of entriesIn(directory) ?? []) {
      const isWalked = entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== packagesFolder;
      if (isWalked) directories.push(join(directory, entry.name));
    }
  }
  return directories.slice(1, directoriesMax);
}

/** In a fixed order; undefined for what cannot be read. */
export function entriesIn(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return undefined;
  }
}
