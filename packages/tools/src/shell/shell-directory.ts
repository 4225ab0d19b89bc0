/** Remembers where the shell of one session stands between two commands, as long as it may stand there. */
import { lookAt } from "../searching/file-search.ts";

export interface ShellDirectory {
  /** Undefined while no command has gone elsewhere, and when that place is gone or not allowed any more. */
  current(): string | undefined;
  /** False when the shell may not stay there. */
  remember(path: string): boolean;
}

export type ShellDirectoryOptions = {
  /** Whether a path lies in the directories of the session, all links followed. */
  readonly isInside: (path: string) => boolean;
};

export function createShellDirectory({ isInside }: ShellDirectoryOptions): ShellDirectory {
  let directory: string | undefined;
  const isUsable = (path: string) => lookAt(path)?.isDirectory() === true && isInside(path);
  return {
    current: () => (directory !== undefined && isUsable(directory) ? directory : undefined),
    remember(path) {
      if (!isUsable(path)) return false;
      directory = path;
      return true;
    },
  };
}
