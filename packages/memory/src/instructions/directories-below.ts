/** The directories of a project in which nested instruction files lie, nearest first. */
import { readdirSync } from "node:fs";
import { folderFiles, folderRules, localFiles, plainFiles } from "./instruction-places.ts";

/** More than that are not looked through. */
const directoriesMax = 2_000;

/** What others wrote and nobody of the project looked at: nothing in it instructs. */
export const packagesFolder = "node_modules";

/** What a directory has in it if it has instruction files; asking for each of their names would take five times as long. */
const signs: ReadonlySet<string> = new Set([
  ...[...plainFiles, ...localFiles].map(({ path }) => path),
  ...Object.keys(folderFiles),
  ...Object.keys(folderRules),
]);

/** Without `start` itself, breadth first. Folders with a dot belong to programs. */
export function directoriesBelow(start: string): readonly string[] {
  const directories = [start];
  const found: string[] = [];
  for (let index = 0; index < directories.length; index += 1) {
    const directory = directories[index] ?? start;
    const entries = unsortedIn(directory) ?? [];
    if (index > 0 && entries.some(({ name }) => signs.has(name))) found.push(directory);
    const walked = entries.filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== packagesFolder,
    );
    for (const { name } of walked.sort(byName))
      if (directories.length < directoriesMax) directories.push(`${directory}/${name}`);
  }
  return found;
}

/** In a fixed order; undefined for what cannot be read. */
export function entriesIn(directory: string) {
  return unsortedIn(directory)?.sort(byName);
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : 1;
}

function unsortedIn(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
