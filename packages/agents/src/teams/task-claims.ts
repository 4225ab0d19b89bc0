/** Who works on which task of a team: claiming, giving back, and what of it a member may change. Pure. */

export type ClaimableTask = {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly status: "open" | "in_progress" | "done" | "cancelled";
  readonly owner?: string;
  readonly blockedBy: readonly string[];
};

type Claim<Task> = { readonly tasks: readonly Task[]; readonly claimed: Task } | undefined;

/** The first one that is free for this member; one that was meant for it goes first. */
export function claimNext<Task extends ClaimableTask>(tasks: readonly Task[], member: string): Claim<Task> {
  const free = tasks.filter((task) => task.status === "open" && !isBlocked(task, tasks));
  const found = free.find(({ owner }) => owner === member) ?? free.find(({ owner }) => owner === undefined);
  if (found === undefined) return undefined;
  const claimed: Task = { ...found, status: "in_progress", owner: member };
  return { tasks: tasks.map((task) => (task === found ? claimed : task)), claimed };
}

function isBlocked(task: ClaimableTask, tasks: readonly ClaimableTask[]): boolean {
  return task.blockedBy.some((id) => {
    const other = tasks.find((each) => each.id === id);
    return other !== undefined && other.status !== "done" && other.status !== "cancelled";
  });
}

/** Gives back what somebody who is gone had begun. The same list where there is nothing. */
export function releaseTasks<Task extends ClaimableTask>(
  tasks: readonly Task[],
  isGone: (owner: string) => boolean,
): readonly Task[] {
  const isLost = ({ status, owner }: Task) =>
    owner !== undefined && (status === "open" || status === "in_progress") && isGone(owner);
  if (!tasks.some(isLost)) return tasks;
  return tasks.map((task) => {
    if (!isLost(task)) return task;
    const { owner: _, ...rest } = task;
    // Only the owner is left out, which every task may lack.
    return { ...rest, status: "open" } as Task;
  });
}

/** A change of one member: what somebody else works on is not its to change, and what it begins is its own. */
export function checkChange<Task extends ClaimableTask>(
  before: readonly Task[],
  after: readonly Task[],
  member: string,
): { readonly ok: true; readonly tasks: readonly Task[] } | { readonly ok: false; readonly problem: string } {
  const owned: Task[] = [];
  for (const task of after) {
    const old = before.find(({ id }) => id === task.id);
    if (old === undefined || old === task) {
      owned.push(task);
      continue;
    }
    if (old.status === "in_progress" && old.owner !== undefined && old.owner !== member && task.status !== old.status)
      return { ok: false, problem: `${task.id} belongs to ${old.owner}. Send a message to ${old.owner} instead.` };
    if (old.status === "done" && task.status === "in_progress")
      return { ok: false, problem: `${task.id} is already done.` };
    const isBegun = task.status === "in_progress" && task.owner === undefined;
    owned.push(isBegun ? { ...task, owner: member } : task);
  }
  return { ok: true, tasks: owned };
}
