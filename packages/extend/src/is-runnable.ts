/** Whether a path is a program that this process may start. */
import { accessSync, constants, statSync } from "node:fs";

export function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
