/** Keeps the state of the screen equal to one session of the client, from its last page on. */
import type { Client, Failure, PermissionRequest, SessionStatus, ViewEvent, ViewEventOf } from "@kedge/protocol";
import { activityAfter, heldActivity, idleActivity } from "./activity.ts";
import type { Activity, ClientState, OpenRequest } from "./client-state.ts";
import { createEventQueue, type EventQueue } from "./event-queue.ts";
import { type FrameListener, followFrames } from "./follow-frames.ts";
import { type KeptCurrent, keepCurrent } from "./keep-current.ts";
import { createMessageList, type MessageList } from "./message-list.ts";
import { messagesPerPage, readSession } from "./read-session.ts";
import type { StateStore } from "./state-store.ts";
import { dropTail, growTail } from "./tool-tails.ts";

export type MirrorParts = {
  readonly client: Client;
  readonly store: StateStore<ClientState>;
  readonly now: () => number;
  /** Told of everything that is no row, after the state has it. */
  readonly onEvent: (event: ViewEvent) => void;
  /** The stream ended although nobody closed it. */
  readonly onLost: (sentence: string, failure?: Failure) => void;
  /** When a batch of events is taken into the state; see `EventQueueParts`. */
  readonly schedule?: ((flush: () => void) => void) | undefined;
  /** The server was lost, and is there again. */
  readonly onBack?: () => void;
};

export interface SessionMirror {
  /** Resolves when the newest page of the session is in the state, or another one is opened. */
  open(sessionId: string): Promise<void>;
  readOlder(): Promise<void>;
  /** Reads everything again. What fails and may pass is tried until it succeeds; the state says so meanwhile. */
  refresh(): Promise<void>;
  close(): void;
}

export function createSessionMirror(parts: MirrorParts): SessionMirror {
  const { client, store, now } = parts;
  const list = createMessageList();
  let sessionId = "";
  let following = new AbortController();
  let before: string | undefined;
  let isReadingOlder = false;
  let current = beginKeeping();

  const queue = createEventQueue({
    schedule: parts.schedule,
    // A page that is being read may be older than they are, and would take their place.
    isHeld: () => current.isReading(),
    onEvents(events) {
      store.update((state) => {
        const next = events.reduce((each, event) => applyEvent(each, event, { list, now: now() }), state);
        return { ...next, messages: list.shown(), activity: heldActivity(next.activity, next.requests) };
      });
      for (const event of events) parts.onEvent(event);
      const isElsewhere = events.some((event) => event.type === "session.updated" && !list.knows(event.session.leafId));
      if (isElsewhere) current.refreshOrTell();
    },
  });

  function beginKeeping(): KeptCurrent {
    const { onLost, onBack } = parts;
    return keepCurrent({ store, read: readAnew, onReadEnd: () => queue.flush(), onLost, onBack });
  }

  async function readAnew(signal: AbortSignal): Promise<void> {
    const read = await readSession(client, sessionId, signal);
    if (read === undefined) return;
    before = read.before;
    list.begin(read.messages, read.session);
    const requests = read.requests.map((request): OpenRequest => ({ ...request, since: now() }));
    store.update((state) => ({
      ...state,
      session: read.session,
      messages: list.shown(),
      hasOlder: before !== undefined,
      requests,
      tasks: read.tasks,
      activity: heldActivity(activityAt(state.activity, read.status, now()), requests),
    }));
  }

  return {
    async open(next) {
      following.abort();
      following = new AbortController();
      current.stop();
      const opened = beginKeeping();
      current = opened;
      queue.clear();
      sessionId = next;
      before = undefined;
      list.clear();
      store.update((state) => withoutSession(state, now()));
      await followFrames(client, { sessionId, signal: following.signal }, framesOf(opened, queue));
      await opened.refresh();
    },
    async readOlder() {
      if (before === undefined || isReadingOlder) return;
      isReadingOlder = true;
      const from = { sessionId, before };
      try {
        const page = await client.messages(sessionId, { before, limit: messagesPerPage });
        // What was read again meanwhile begins elsewhere, and there would be a gap.
        if (from.sessionId !== sessionId || from.before !== before) return;
        before = page.before;
        list.addOlder(page.messages);
        store.update((state) => ({ ...state, messages: list.shown(), hasOlder: before !== undefined }));
      } finally {
        isReadingOlder = false;
      }
    },
    refresh: () => current.refresh(),
    close() {
      following.abort();
      current.stop();
    },
  };
}

function framesOf({ refreshOrTell, ...listener }: KeptCurrent, queue: EventQueue): FrameListener {
  return { ...listener, onEvent: queue.take, onResync: refreshOrTell };
}

type Applying = { readonly list: MessageList; readonly now: number };

function applyEvent(state: ClientState, event: ViewEvent, { list, now }: Applying): ClientState {
  list.apply(event);
  // What the user says is no sign of the model.
  const isUsers = event.type === "message.part.updated" && list.roleOf(event.part.messageId) === "user";
  const next = isUsers ? state : { ...state, activity: activityAfter(state.activity, event, now) };
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
      return { ...next, requests: withRequest(state.requests, permissionOf(event, now)) };
    case "question.asked": {
      const { id: requestId, questions } = event;
      return {
        ...next,
        requests: withRequest(state.requests, { kind: "question", requestId, questions, since: now }),
      };
    }
    case "permission.replied":
    case "question.replied":
      return { ...next, requests: state.requests.filter((request) => requestIdOf(request) !== event.id) };
    case "session.idle":
    case "session.error":
      // What an agent in the background asks outlives the run.
      return { ...next, requests: state.requests.filter(isOfAgent), tails: new Map() };
    default:
      return next;
  }
}

/** As before the first page of another session. */
function withoutSession({ context: _, agents: __, agentsSeen: ___, ...state }: ClientState, now: number): ClientState {
  return {
    ...state,
    // What was told before the first session is still to be read.
    notices: state.session === undefined ? state.notices : [],
    tails: new Map(),
    requests: [],
    messages: [],
    hasOlder: false,
    tasks: [],
    activity: idleActivity(now),
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

function isOfAgent(request: OpenRequest): boolean {
  return request.kind === "permission" && request.request.agent !== undefined;
}

export function requestIdOf(request: OpenRequest): string {
  return request.kind === "permission" ? request.request.requestId : request.requestId;
}

function withRequest(requests: readonly OpenRequest[], request: OpenRequest): readonly OpenRequest[] {
  return requests.some((each) => requestIdOf(each) === requestIdOf(request)) ? requests : [...requests, request];
}
