/** The names in a folder that are not hidden, sorted; none where it is not there or no folder. */
import { readdirSync } from "node:fs";

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .toSorted();
  } catch {
    return [];
  }
}
