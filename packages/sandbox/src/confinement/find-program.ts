/** Finds the programs a sandbox is made with, where only the administrator of the machine puts them. */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";

/** Never a user's search path: a project could put its own program in there. */
const programDirectories: readonly string[] = [
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/usr/local/bin",
  "/run/current-system/sw/bin",
];

export function findProgram(name: string, directories: readonly string[] = programDirectories): string | undefined {
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
