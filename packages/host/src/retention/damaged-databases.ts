/** Databases that were damaged and put aside, so that somebody may still look for what could not be read. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export type StoredFile = { readonly path: string; readonly bytes: number };

/** As the store names them: after the time when the damage was found. */
const asideSuffix = /^\.damaged-\d{8}T\d{6}(?:-\d+)?$/;

const companions: readonly string[] = ["", "-wal", "-shm"];

/** The oldest first, each with its logs. */
export function damagedDatabases(database: string): readonly StoredFile[] {
  const folder = dirname(database);
  if (!existsSync(folder)) return [];
  const name = basename(database);
  return readdirSync(folder)
    .filter((each) => each.startsWith(name) && asideSuffix.test(each.slice(name.length)))
    .sort()
    .map((each) => ({ path: join(folder, each), bytes: bytesOf(join(folder, each)) }));
}

function bytesOf(path: string): number {
  const sizes = companions.map((suffix) => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}
