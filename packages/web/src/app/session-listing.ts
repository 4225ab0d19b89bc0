/** The sessions of the directory as the list shows them: read once, kept up to date by the stream, searched on demand. */
import {
  type Client,
  type EventFrame,
  type Failure,
  FailureError,
  type SessionStatus,
  type SessionSummary,
} from "@kedge/protocol";
import { createRereading, createStateStore, type StateStore } from "@kedge/tui/session";

export type ListingState = {
  readonly sessions: readonly SessionSummary[];
  readonly statuses: { readonly [sessionId: string]: SessionStatus };
  /** Sessions in which somebody waits for an answer. */
  readonly waiting: ReadonlySet<string>;
  readonly isRead: boolean;
  readonly text: string;
  /** Why it could not be read. */
  readonly problem?: string;
};

export interface SessionListing {
  readonly state: StateStore<ListingState>;
  refresh(): Promise<void>;
  /** Those of other projects are not listed. */
  setProject(projectId: string | undefined): void;
  search(text: string): void;
  heard(frame: EventFrame): void;
}

const sessionsMax = 200;
const searchPauseMs = 150;
/** Events of a busy session come by the hundred, and change one line of the list. */
const refreshPauseMs = 400;

export function createSessionListing(client: Client): SessionListing {
  const state = createStateStore<ListingState>({
    ...{ sessions: [], statuses: {}, waiting: new Set<string>(), isRead: false, text: "" },
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Undefined until the page knows where it is: what belongs elsewhere is never listed. */
  let project: { readonly projectId?: string } | undefined;
  const rereading = createRereading({
    read,
    onFailed: tellProblem,
    isOver: () => false,
  });

  async function read(signal: AbortSignal): Promise<void> {
    if (project === undefined) return;
    const { text } = state.get();
    const wish = { signal };
    const [sessions, statuses, permissions, questions] = await Promise.all([
      client.sessions({ limit: sessionsMax, ...project, ...(text !== "" && { text }) }, wish),
      client.ask<"session.status">({ type: "session.status" }, wish),
      client.ask<"permission.list">({ type: "permission.list" }, wish),
      client.ask<"question.list">({ type: "question.list" }, wish),
    ]);
    for (const each of [statuses, permissions, questions]) if (!each.ok) throw new FailureError(each.failure);
    // Something else is looked for meanwhile, and is read next.
    if (signal.aborted || text !== state.get().text) return;
    const requests = [
      ...(permissions.ok ? permissions.value.requests : []),
      ...(questions.ok ? questions.value.requests : []),
    ];
    state.update(({ problem: _, ...before }) => ({
      ...before,
      // One that was only made has nothing to go on with.
      sessions: sessions.filter(({ lastSeq }) => lastSeq > 1),
      statuses: statuses.ok ? statuses.value.sessions : before.statuses,
      waiting: new Set(requests.map(({ sessionId }) => sessionId)),
      isRead: true,
    }));
  }

  function tellProblem({ message }: Failure): void {
    state.update((before) => ({ ...before, problem: message }));
  }

  async function refresh(): Promise<void> {
    try {
      await rereading.demand();
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      tellProblem(error.failure);
    }
  }

  function refreshSoon(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void refresh();
    }, ms);
  }

  return {
    state,
    refresh,
    setProject(next) {
      const isOther = project === undefined || project.projectId !== next;
      project = next === undefined ? {} : { projectId: next };
      if (isOther) refreshSoon(0);
    },
    search(text) {
      state.update((before) => ({ ...before, text }));
      clearTimeout(timer);
      timer = undefined;
      refreshSoon(searchPauseMs);
    },
    heard({ type }) {
      if (type === "server.connected") rereading.hasten();
      if (listed.has(type)) refreshSoon(refreshPauseMs);
    },
  };
}

/** What changes a line of the list. */
const listed: ReadonlySet<string> = new Set([
  ...["session.created", "session.deleted", "session.idle", "session.error", "session.status", "session.updated"],
  ...["permission.asked", "permission.replied", "question.asked", "question.replied", "server.connected"],
]);
