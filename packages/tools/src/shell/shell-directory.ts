/** Remembers where the shell of one session stands between two commands, as long as it may stand there. */
import { lookAt } from "../searching/file-search.ts";

export interface ShellDirectory {
  /** Undefined while no command has gone elsewhere, and when that place is gone or not allowed any more. */
  current(): string | undefined;
  /** Lets the next command start where this one ended, if it went anywhere. Says so to the model. */
  follow(move: ShellMove): string | undefined;
}

export type ShellMove = {
  readonly startedIn: string;
  /** Where the shell stood before the command, which may have been told to start elsewhere. */
  readonly stoodIn: string;
  readonly endedIn: string | undefined;
};

export type ShellDirectoryOptions = {
  /** Whether a path lies in the directories of the session, all links followed. */
  readonly isInside: (path: string) => boolean;
};

export function createShellDirectory({ isInside }: ShellDirectoryOptions): ShellDirectory {
  let directory: string | undefined;
  const isUsable = (path: string) => lookAt(path)?.isDirectory() === true && isInside(path);
  return {
    current: () => (directory !== undefined && isUsable(directory) ? directory : undefined),
    follow({ startedIn, stoodIn, endedIn }) {
      // A directory that was asked for, or entered at the start of the command, is for one call.
      if (endedIn === undefined || endedIn === startedIn || endedIn === stoodIn) return undefined;
      if (!isUsable(endedIn)) return `${endedIn} is not an allowed directory; the next command starts in ${stoodIn}.`;
      directory = endedIn;
      return `The working directory is now ${endedIn}.`;
    },
  };
}
