/** The tasks of a team as one worker takes them: claimed and given back under the lock of the list. */
import { claimNext, releaseTasks, type WorkerTasks } from "@kedge/agents/teams";
import { FailureError } from "@kedge/protocol";
import type { Task, TaskList } from "@kedge/tools";

export function workerTasks(name: string, tasks: TaskList): WorkerTasks {
  return {
    async claim() {
      // Looking costs no lock; whether it is still free is decided under it.
      if (claimNext(tasks.read(), name) === undefined) return undefined;
      const changed = await tasks
        .change<Task | undefined>((all) => {
          const claim = claimNext(all, name);
          return claim === undefined
            ? { ok: true, tasks: all, result: undefined }
            : { ok: true, tasks: claim.tasks, result: claim.claimed };
        })
        .catch(passBusy);
      return changed?.ok ? changed.result : undefined;
    },
    read: (id) => tasks.read().find((task) => task.id === id),
    async release() {
      await tasks.change((all) => ({ ok: true, tasks: releaseTasks(all, (owner) => owner === name), result: {} }));
    },
  };
}

/** Whoever finds the list locked tries again with the next look. */
function passBusy(error: unknown): undefined {
  if (!(error instanceof FailureError)) throw error;
  return undefined;
}
