/** Which files below a directory the desk shows to its clients: by rules, secrets, and every name that a file has. */
import { lstatSync } from "node:fs";
import type { ReadRights } from "@kedge/protocol";
import { isHidden } from "@kedge/tools";

/** Each file is looked at once. One that is gone is judged by its name. */
export function newShownFiles(reading: ReadRights, directory: string): (path: string) => boolean {
  const mayShow = reading.below(directory);
  const known = new Map<string, boolean>();
  return (path) => {
    let answer = known.get(path);
    if (answer === undefined) {
      answer = mayShow(path) && !isHiddenNow(path, reading);
      known.set(path, answer);
    }
    return answer;
  };
}

function isHiddenNow(path: string, reading: ReadRights): boolean {
  try {
    return isHidden(path, lstatSync(path), reading);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return false;
  }
}
