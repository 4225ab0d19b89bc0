/** The shared list of tasks: one file that several processes read and change, one change at a time. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isJsonObject } from "@kedge/protocol";

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

export type TaskListOptions = {
  readonly path: string;
  /** Runs the work while no other process is inside; throws where nobody lets go. Absent where this process is alone. */
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

export function createTaskList({ path, lock: whileLocked }: TaskListOptions): TaskList {
  function read(): readonly Task[] {
    if (!existsSync(path)) return [];
    const value = parsed(readFileSync(path, "utf8"), path);
    const tasks = isJsonObject(value) ? value["tasks"] : undefined;
    // The file is written by this module alone.
    return Array.isArray(tasks) ? (tasks as readonly Task[]) : [];
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
      return whileLocked === undefined ? replace(change) : whileLocked(path, async () => replace(change));
    },
  };
}
