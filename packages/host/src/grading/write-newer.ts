/** Writes a text so that nothing that was compiled from an earlier one passes for current. */
import { statSync, utimesSync, writeFileSync } from "node:fs";

/**
 * Python, make and others compare whole seconds, some also the size. Two texts of one size that were written within a
 * second would be the same to them, so each is dated at least a second after the one before it.
 */
export function writeNewer(path: string, content: string | Uint8Array): void {
  const before = secondsOf(path);
  writeFileSync(path, content);
  const date = Math.max(secondsOf(path), before + 1);
  utimesSync(path, date, date);
}

function secondsOf(path: string): number {
  return Math.floor(statSync(path).mtimeMs / 1_000);
}
