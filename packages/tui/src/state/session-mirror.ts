/** Keeps the state of the screen equal to one session of the client, from its last page on. */
import {
  type Client,
  connectionLost,
  FailureError,
  type MessagePage,
  type PermissionRequest,
  type SessionStatus,
  type ViewEvent,
  type ViewEventOf,
  viewEventOfFrame,
} from "@kedge/protocol";
import { activityAfter, heldActivity, idleActivity } from "./activity.ts";
import type { Activity, ClientState, OpenRequest } from "./client-state.ts";
import { createMessageList } from "./message-list.ts";
import type { StateStore } from "./state-store.ts";
import { dropTail, growTail } from "./tool-tails.ts";

export type MirrorParts = {
  readonly client: Client;
  readonly store: StateStore<ClientState>;
  readonly now: () => number;
  /** Told of everything that is no row, after the state has it. */
  readonly onEvent: (event: ViewEvent) => void;
  /** The stream ended although nobody closed it. */
  readonly onLost: (sentence: string) => void;
  /** The server was lost, and is there again. */
  readonly onBack?: () => void;
};

export interface SessionMirror {
  /** Resolves when the newest page of the session is in the state. */
  open(sessionId: string): Promise<void>;
  readOlder(): Promise<void>;
  /** Reads everything anew. */
  refresh(): Promise<void>;
  close(): void;
}

export const messagesPerPage = 100;

/** How far back the place is looked for at which the conversation goes on. */
const pagesMax = 50;

export function createSessionMirror(parts: MirrorParts): SessionMirror {
  const { client, store, now } = parts;
  const list = createMessageList();
  let sessionId = "";
  let following = new AbortController();
  let waiting: ViewEvent[] = [];
  let isFlushing = false;
  let before: string | undefined;
  let isReadingOlder = false;
  let refreshing = 0;

  /** Everything that came together is one change, so that a flood of deltas is drawn once. */
  function flush(): void {
    isFlushing = false;
    // A page that is being read may be older than they are, and would take their place.
    if (refreshing > 0) return;
    const events = waiting;
    waiting = [];
    if (events.length === 0) return;
    store.update((state) => {
      const next = events.reduce(applyEvent, state);
      return { ...next, messages: list.shown(), activity: heldActivity(next.activity, next.requests) };
    });
    for (const event of events) parts.onEvent(event);
    const isElsewhere = events.some((event) => event.type === "session.updated" && !list.knows(event.session.leafId));
    if (isElsewhere) void report(refresh());
  }

  function applyEvent(state: ClientState, event: ViewEvent): ClientState {
    list.apply(event);
    // What the user says is no sign of the model.
    const isUsers = event.type === "message.part.updated" && list.roleOf(event.part.messageId) === "user";
    const next = isUsers ? state : { ...state, activity: activityAfter(state.activity, event, now()) };
    switch (event.type) {
      case "session.created":
      case "session.updated":
        return { ...next, session: event.session };
      case "cost.updated": {
        const { usage, cost } = event;
        return state.session === undefined ? next : { ...next, session: { ...state.session, usage, cost } };
      }
      case "todo.updated":
        return state.session === undefined ? next : { ...next, session: { ...state.session, todos: event.todos } };
      case "task.progress":
        return { ...next, tails: growTail(state.tails, event) };
      case "message.part.updated": {
        const { part } = event;
        const isOver = part.type === "tool" && (part.state.status === "completed" || part.state.status === "error");
        return isOver ? { ...next, tails: dropTail(state.tails, part.callId) } : next;
      }
      case "permission.asked":
        return { ...next, requests: withRequest(state.requests, permissionOf(event, now())) };
      case "question.asked": {
        const { id: requestId, questions } = event;
        return {
          ...next,
          requests: withRequest(state.requests, { kind: "question", requestId, questions, since: now() }),
        };
      }
      case "permission.replied":
      case "question.replied":
        return { ...next, requests: state.requests.filter((request) => requestIdOf(request) !== event.id) };
      case "session.idle":
      case "session.error":
        return { ...next, requests: [], tails: new Map() };
      default:
        return next;
    }
  }

  function take(event: ViewEvent): void {
    waiting.push(event);
    if (isFlushing) return;
    isFlushing = true;
    setImmediate(flush);
  }

  /** Resolves when the stream has begun, so that nothing falls between it and the page. */
  function follow(signal: AbortSignal): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const followed = sessionId;
    const read = async () => {
      for await (const frame of client.follow({ view: "parts", sessionId: followed, signal })) {
        if (signal.aborted) return;
        if (frame.type === connectionLost) setConnection("lost");
        else if (frame.type === "server.connected") {
          begun.resolve();
          if (store.get().connection === "lost") comeBack();
        } else if (frame.type === "server.resync") void report(refresh());
        else if (frame.sessionId === followed) take(viewEventOfFrame(frame));
      }
      if (!signal.aborted) end("The connection to the engine ended.");
    };
    void read()
      .catch((error: unknown) => {
        if (!signal.aborted) end(error instanceof FailureError ? error.failure.message : String(error));
      })
      .finally(begun.resolve);
    return begun.promise;
  }

  function setConnection(connection: ClientState["connection"]): void {
    store.update((state) => ({ ...state, connection }));
  }

  /** A server that was started anew knows nothing of what it told before. */
  function comeBack(): void {
    setConnection("ready");
    parts.onBack?.();
    void report(refresh());
  }

  function end(sentence: string): void {
    setConnection("ended");
    parts.onLost(sentence);
  }

  async function refresh(): Promise<void> {
    refreshing += 1;
    try {
      await readAnew();
    } finally {
      refreshing -= 1;
      flush();
    }
  }

  async function readAnew(): Promise<void> {
    const opened = sessionId;
    const [read, page, permissions, questions, tasks] = await Promise.all([
      client.ask<"session.read">({ type: "session.read", sessionId: opened }),
      client.messages(opened, { limit: messagesPerPage }),
      client.ask<"permission.list">({ type: "permission.list" }),
      client.ask<"question.list">({ type: "question.list" }),
      client.ask<"task.list">({ type: "task.list", sessionId: opened }),
    ]);
    if (opened !== sessionId) return;
    if (!read.ok) throw new FailureError(read.failure);
    const { session, status } = read.value;
    const { messages, before: older } = await pagesTo(session.leafId, page, opened);
    if (opened !== sessionId) return;
    before = older;
    list.begin(messages, session);
    const asked: OpenRequest[] = [
      ...(permissions.ok ? permissions.value.requests : [])
        .filter((request) => request.sessionId === opened)
        .map(({ sessionId: _, ...request }) => ({ kind: "permission" as const, request, since: now() })),
      ...(questions.ok ? questions.value.requests : [])
        .filter((request) => request.sessionId === opened)
        .map(({ requestId, questions }) => ({ kind: "question" as const, requestId, questions, since: now() })),
    ];
    store.update((state) => ({
      ...state,
      connection: "ready",
      session,
      messages: list.shown(),
      hasOlder: before !== undefined,
      requests: asked,
      tasks: tasks.ok ? tasks.value.tasks : [],
      activity: heldActivity(activityAt(state.activity, status, now()), asked),
    }));
  }

  /** A conversation that was led back to an old place goes on far from the newest messages. */
  async function pagesTo(leafId: string | undefined, newest: MessagePage, opened: string): Promise<MessagePage> {
    let pages = newest;
    for (let count = 1; count < pagesMax; count += 1) {
      const { before, messages } = pages;
      if (before === undefined || leafId === undefined || messages.some(({ id }) => id === leafId)) break;
      const { messages: older, ...rest } = await client.messages(opened, { before, limit: messagesPerPage });
      pages = { messages: [...older, ...messages], ...rest };
    }
    return pages;
  }

  async function report(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      parts.onLost(error.failure.message);
    }
  }

  return {
    async open(next) {
      following.abort();
      following = new AbortController();
      waiting = [];
      sessionId = next;
      before = undefined;
      list.clear();
      store.update(({ context: _, ...state }) => ({
        ...state,
        // What was told before the first session is still to be read.
        notices: state.session === undefined ? state.notices : [],
        tails: new Map(),
        requests: [],
        messages: [],
        hasOlder: false,
        tasks: [],
        activity: idleActivity(now()),
      }));
      await follow(following.signal);
      await refresh();
    },
    async readOlder() {
      if (before === undefined || isReadingOlder) return;
      isReadingOlder = true;
      const opened = sessionId;
      try {
        const page = await client.messages(opened, { before, limit: messagesPerPage });
        if (opened !== sessionId) return;
        before = page.before;
        list.addOlder(page.messages);
        store.update((state) => ({ ...state, messages: list.shown(), hasOlder: before !== undefined }));
      } finally {
        isReadingOlder = false;
      }
    },
    refresh,
    close() {
      following.abort();
    },
  };
}

function activityAt(activity: Activity, status: SessionStatus, now: number): Activity {
  if (status.state === "idle") return activity.kind === "compacting" ? activity : idleActivity(now);
  return activity.kind === "idle" ? { ...idleActivity(now), kind: "waiting" } : activity;
}

function permissionOf(event: ViewEventOf<"permission.asked">, since: number): OpenRequest {
  const { id, callId, permission, patterns, always, reason, metadata } = event;
  // What else the request says travels as it was recorded.
  const rest = metadata as unknown as Pick<PermissionRequest, "tool">;
  const request = { ...rest, requestId: id, callId, permission, patterns, always, reason };
  return { kind: "permission", request, since };
}

export function requestIdOf(request: OpenRequest): string {
  return request.kind === "permission" ? request.request.requestId : request.requestId;
}

function withRequest(requests: readonly OpenRequest[], request: OpenRequest): readonly OpenRequest[] {
  return requests.some((each) => requestIdOf(each) === requestIdOf(request)) ? requests : [...requests, request];
}
