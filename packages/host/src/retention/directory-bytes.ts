/** How much a folder takes on the disk. */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

export function directoryBytes(directory: string): number {
  if (!existsSync(directory)) return 0;
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => lstatSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}
