/** Where a path leads, links followed as far as it exists. */
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isUnreadable } from "./walk-folders.ts";

/** What does not exist lies where its nearest parent does. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || !isUnreadable(error)) return path;
    return join(realPathOf(parent), basename(path));
  }
}
