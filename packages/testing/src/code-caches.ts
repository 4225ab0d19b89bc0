/**
 * Code caches of the built program, shared by the homes of all tests. A start without one compiles what it calls, which
 * takes as much processor time again as the run itself, and every test has a home of its own.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const shared = join(import.meta.dirname, "../../../node_modules/.cache/code-caches");
const prefix = "code-";
const suffix = ".bin";

/**
 * Gives a new home copies of what runs in other homes have compiled. Links would be cheaper, but a file of the home that
 * has a second name elsewhere is something the sandbox refuses to hide.
 */
export function borrowCodeCaches(home: string): void {
  const names = cachesIn(shared);
  if (names.length === 0) return;
  mkdirSync(join(home, "cache"), { mode: 0o700 });
  // Another test may replace one at this moment, which leaves the old or the new file under the name.
  for (const name of names) copyFileSync(join(shared, name), join(home, "cache", name));
}

/** Makes the next start in this home compile what it calls, for tests of just that. */
export function dropCodeCaches(home: string): void {
  for (const name of cachesIn(join(home, "cache"))) rmSync(join(home, "cache", name));
}

/** Keeps for other homes what runs in this one have compiled. */
export function lendCodeCaches(home: string): void {
  for (const name of cachesIn(join(home, "cache"))) {
    const made = join(home, "cache", name);
    const known = join(shared, name);
    // A longer run compiles more.
    if (sizeOf(made) <= sizeOf(known)) continue;
    mkdirSync(shared, { recursive: true, mode: 0o700 });
    const temporary = join(shared, `${process.pid}-${name}.tmp`);
    copyFileSync(made, temporary);
    renameSync(temporary, known);
  }
}

/** Those of earlier builds fit no start any more. */
export function dropCodeCachesExcept(buildIds: readonly string[]): void {
  for (const name of cachesIn(shared)) {
    if (!buildIds.some((id) => name.startsWith(`${prefix}${id}-`))) rmSync(join(shared, name), { force: true });
  }
}

function cachesIn(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory).filter(isCodeCache);
}

export function isCodeCache(name: string): boolean {
  return name.startsWith(prefix) && name.endsWith(suffix);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
