/** The shared list of tasks: one file that several processes read and change, one change at a time. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isJsonObject } from "@kedge/protocol";
import { isFileError } from "../file-error.ts";

export type TaskStatus = "open" | "in_progress" | "done" | "cancelled";

export type Task = {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly status: TaskStatus;
  readonly owner?: string;
  /** Tasks that must be done before. */
  readonly blockedBy: readonly string[];
  readonly notes: readonly string[];
};

export interface TaskList {
  read(): readonly Task[];
  /** Runs alone among all processes; what `change` returns is stored, or nothing when it gives a problem. */
  change<Result>(change: (tasks: readonly Task[]) => TaskChange<Result>): Promise<TaskChange<Result>>;
}

export type TaskChange<Result> =
  | { readonly ok: true; readonly tasks: readonly Task[]; readonly result: Result }
  | { readonly ok: false; readonly problem: string };

const lockWaitMs = 20;
const lockTriesMax = 250;
/** A process that holds the lock for longer has died with it. */
const lockAgeMsMax = 10_000;

export type TaskListOptions = {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Runs the work while no other process is inside; throws where nobody lets go. A lock file of its own without this. */
  readonly lock?: <Result>(path: string, work: () => Promise<Result>) => Promise<Result>;
};

/** Tasks are not dropped because a file was cut off: somebody has to look. */
function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`The list of tasks in ${path} is damaged. Repair or delete the file.`, { cause: error });
  }
}

export function createTaskList({ path, now, lock: whileLocked }: TaskListOptions): TaskList {
  const lock = `${path}.lock`;

  function read(): readonly Task[] {
    if (!existsSync(path)) return [];
    const value = parsed(readFileSync(path, "utf8"), path);
    const tasks = isJsonObject(value) ? value["tasks"] : undefined;
    // The file is written by this module alone.
    return Array.isArray(tasks) ? (tasks as readonly Task[]) : [];
  }

  function tryLock(): boolean {
    try {
      closeSync(openSync(lock, "wx", 0o600));
      return true;
    } catch (error) {
      if (!isFileError(error, "EEXIST")) throw error;
    }
    const held = statSync(lock, { throwIfNoEntry: false });
    if (held !== undefined && now() - held.mtimeMs > lockAgeMsMax) rmSync(lock, { force: true });
    return false;
  }

  function replace<Result>(change: (tasks: readonly Task[]) => TaskChange<Result>): TaskChange<Result> {
    const before = read();
    const changed = change(before);
    if (!changed.ok || changed.tasks === before) return changed;
    const temporary = `${path}.${process.pid}.new`;
    const text = `${JSON.stringify({ tasks: changed.tasks }, undefined, 1)}\n`;
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    renameSync(temporary, path);
    return changed;
  }

  return {
    read,
    async change(change) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      if (whileLocked !== undefined) return whileLocked(path, async () => replace(change));
      for (let tries = 0; !tryLock(); tries += 1) {
        if (tries >= lockTriesMax) return { ok: false, problem: "The list of tasks is busy; try again." };
        await wait(lockWaitMs);
      }
      try {
        return replace(change);
      } finally {
        rmSync(lock, { force: true });
      }
    },
  };
}
