/** Follows the links of a path that may vanish at any moment, or lead nowhere. */
import { realpathSync } from "node:fs";

export function realPathIfThere(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
