/** What the server needs of the machine and of kedge's own directory. The host gives it; nothing here looks for it. */
import type { LeaseHolder } from "@kedge/protocol";

export type HostAccess = {
  /** kedge's own directory, which must be there. */
  readonly home: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly now: () => number;
  /** The real path of a directory, the root of its worktree, and the id of the project. */
  readonly findProject: (directory: string) => ServedProject;
  /** Runs the work while no other process is inside for the same path. */
  readonly whileLocked: <Result>(path: string, work: () => Result) => Result;
  /** A reader or a crash meets the old text or the new one, never a part. */
  readonly replaceFile: (path: string, text: string) => void;
  readonly thisProcess: () => LeaseHolder;
  readonly isAlive: (holder: LeaseHolder) => boolean;
};

export type ServedProject = { readonly cwd: string; readonly root: string; readonly projectId: string };

/** Its files are read by their owner only, and changed by one process at a time. */
export type OwnFiles = Pick<HostAccess, "home" | "whileLocked" | "replaceFile">;
