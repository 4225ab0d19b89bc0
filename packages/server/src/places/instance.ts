/** One place of work that the server has opened: who uses it, which sessions it holds open, and whether it may go. */
import type { TaskSummary } from "@kedge/protocol";
import { type Approvers, createApprovers } from "./approvers.ts";
import { type AskedRequests, watchRequests } from "./asked-requests.ts";
import type { Place } from "./place.ts";

export interface Instance extends Omit<Place, "close"> {
  /** By its real path. */
  readonly directory: string;
  readonly projectId: string;
  readonly openedAt: number;
  readonly requests: AskedRequests;
  readonly approvers: Approvers;
  readonly clients: () => number;
  /** When the last client left. */
  readonly usedAt: () => number;
  /** Somebody is there until the function given back is called: a request, a stream, a terminal. */
  enter(): () => void;
  /** The session is not closed for lack of use until the function given back is called. */
  use(sessionId: string): () => void;
  /** No longer held open by the server. */
  forget(sessionId: string): void;
  /** Closes sessions that nobody used for so long, but for those with work under way. */
  closeIdleSessions(idleMs: number): Promise<void>;
  isIdleFor(idleMs: number): Promise<boolean>;
  close(): Promise<void>;
}

export type InstanceParts = {
  readonly place: Place;
  readonly directory: string;
  readonly projectId: string;
  readonly now: () => number;
};

type SessionUse = { users: number; usedAt: number };

export function createInstance({ place, directory, projectId, now }: InstanceParts): Instance {
  const { door } = place;
  const requests = watchRequests(place);
  const approvers = createApprovers(now);
  const sessions = new Map<string, SessionUse>();
  const openedAt = now();
  let clients = 0;
  let usedAt = openedAt;

  /** Undefined when nobody can say, which counts as work under way. */
  async function runningTasks(): Promise<readonly TaskSummary[] | undefined> {
    const listed = await door.ask({ type: "task.list" });
    return listed.ok ? listed.value.tasks.filter(({ status }) => status === "running") : undefined;
  }

  async function isWorking(): Promise<boolean> {
    const [statuses, tasks, terminals] = await Promise.all([
      door.ask({ type: "session.status" }),
      runningTasks(),
      door.ask({ type: "pty.list" }),
    ]);
    if (!statuses.ok || tasks === undefined || tasks.length > 0) return true;
    if (Object.values(statuses.value.sessions).some(({ state }) => state !== "idle")) return true;
    // Where terminals cannot be listed there are none.
    return terminals.ok && terminals.value.terminals.some(({ exitCode }) => exitCode === undefined);
  }

  return {
    ...place,
    ...{ directory, projectId, openedAt, requests, approvers },
    clients: () => clients,
    usedAt: () => usedAt,
    enter() {
      clients += 1;
      return once(() => {
        clients -= 1;
        usedAt = now();
      });
    },
    use(sessionId) {
      const use = sessions.get(sessionId) ?? { users: 0, usedAt: now() };
      sessions.set(sessionId, use);
      use.users += 1;
      return once(() => {
        use.users -= 1;
        use.usedAt = now();
      });
    },
    forget: (sessionId) => {
      if (sessions.get(sessionId)?.users === 0) sessions.delete(sessionId);
    },
    async closeIdleSessions(idleMs) {
      const idle = [...sessions].filter(([, use]) => use.users === 0 && now() - use.usedAt >= idleMs);
      if (idle.length === 0) return;
      const tasks = await runningTasks();
      if (tasks === undefined) return;
      for (const [sessionId, use] of idle) {
        if (use.users > 0 || tasks.some((task) => task.sessionId === sessionId)) continue;
        const closed = await door.send({ type: "session.close", sessionId });
        if (closed.ok && use.users === 0) sessions.delete(sessionId);
      }
    },
    async isIdleFor(idleMs) {
      return clients === 0 && now() - usedAt >= idleMs && !(await isWorking()) && clients === 0;
    },
    async close() {
      requests.close();
      await place.close();
    },
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
