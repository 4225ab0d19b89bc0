/** The Client of a guest: the session of a host, followed through a room. What guests may not do is refused at once. */
import {
  type AgentSummary,
  type Client,
  type Command,
  type CommandAnswer,
  type CommandOf,
  type CommandType,
  connectionLost,
  type Event,
  type EventFrame,
  FailureError,
  type FollowOptions,
  frameOfRecord,
  frameOfSignal,
  frameOfViewEvent,
  notFound,
  type Query,
  type QueryAnswer,
  type QueryOf,
  type QueryType,
  refused,
  type SessionSummary,
  type ViewEvent,
} from "@kedge/protocol";
import type { GuestRights, RoomSession } from "@kedge/protocol/room";
import type { GuestState } from "./guest-connection.ts";
import type { SessionReplica } from "./session-replica.ts";

/** What the client needs of the room that it is in. */
export type RoomDesk = {
  readonly session: () => RoomSession;
  readonly rights: () => GuestRights;
  readonly agents: () => readonly AgentSummary[];
  /** Of the session or one of its agents; fetched where it is not here yet. Undefined for any other. */
  readonly replica: (sessionId: string) => Promise<SessionReplica | undefined>;
  readonly onState: (listener: (state: GuestState) => void) => () => void;
  readonly act: (
    act: RoomAct,
  ) => Promise<{ readonly problem?: string; readonly promptId?: string; readonly runId?: string }>;
};

export type RoomAct =
  | { readonly type: "prompt"; readonly text: string; readonly delivery: "steer" | "follow-up" }
  | { readonly type: "abort" }
  | {
      readonly type: "agent-cmd";
      readonly agent: string;
      readonly command: "message" | "interrupt" | "kill" | "revive";
      readonly text?: string;
    };

const guestsOnly = "Only the host of a shared session can do this.";

export function createRoomClient(desk: RoomDesk): Client {
  async function known(sessionId: string): Promise<SessionReplica> {
    const replica = await desk.replica(sessionId);
    if (replica !== undefined) return replica;
    throw new FailureError({ code: "not_found", message: `Session ${sessionId} not found.`, retryable: false });
  }

  async function send<Type extends CommandType>(given: CommandOf<Type>): Promise<CommandAnswer<Type>> {
    // Every command is one of the union; the compiler cannot follow the type of the command through it.
    const act = actOf(given as Command);
    if (act === undefined) return refused(guestsOnly) as CommandAnswer<Type>;
    if (desk.rights() !== "full") return refused("This link is view-only.") as CommandAnswer<Type>;
    const { problem, ...value } = await desk.act(act);
    const answer =
      problem === undefined ? { ok: true, value: { promptId: "", runId: "", ...value } } : refused(problem);
    return answer as CommandAnswer<Type>;
  }

  async function ask<Type extends QueryType>(given: QueryOf<Type>): Promise<QueryAnswer<Type>> {
    // As above.
    return (await answerQuery(given as Query, desk)) as QueryAnswer<Type>;
  }

  return {
    send,
    ask,
    events: (sessionId, afterSeq, signal) => readEvents(known(sessionId), afterSeq, signal),
    follow: (options) => followRoom(desk, options),
    sessions: async () => [summaryOf(desk)],
    messages: async (sessionId, page) => (await known(sessionId)).page(page),
    search: async () => [],
    async *facts(sessionId) {
      yield* (await known(sessionId)).records;
    },
    verify: async () => {
      throw new FailureError({ code: "invalid_command", message: guestsOnly, retryable: false });
    },
  };
}

function actOf(command: Command): RoomAct | undefined {
  switch (command.type) {
    case "prompt.submit":
      return { type: "prompt", text: command.text, delivery: command.delivery };
    case "turn.interrupt":
      return { type: "abort" };
    case "agent.message":
      return { type: "agent-cmd", command: "message", agent: command.agentId, text: command.text };
    case "agent.interrupt":
      return { type: "agent-cmd", command: "interrupt", agent: command.agentId };
    case "agent.kill":
      return { type: "agent-cmd", command: "kill", agent: command.agentId };
    case "agent.revive":
      return {
        ...{ type: "agent-cmd", command: "revive", agent: command.agentId },
        ...(command.text !== undefined && { text: command.text }),
      };
    default:
      return undefined;
  }
}

async function answerQuery(query: Query, desk: RoomDesk): Promise<QueryAnswer<QueryType>> {
  switch (query.type) {
    case "project.read": {
      const { project, model } = desk.session();
      const scope = desk.rights() === "full" ? "prompt" : "read";
      const place = { projectId: "", directory: project, root: project, isGitRepository: false, isTrusted: false };
      return { ok: true, value: { ...place, ...(model !== undefined && { model }), mode: "default", scope } };
    }
    case "session.read": {
      const replica = await desk.replica(query.sessionId);
      const session = replica?.view.session;
      if (replica === undefined || session === undefined) return notFound("session", query.sessionId);
      const { permissionRequests, questions } = replica.state;
      const isWaiting = permissionRequests.size + questions.size > 0;
      const state = isWaiting ? "waiting" : session.isRunning ? "busy" : "idle";
      return { ok: true, value: { session, status: { state }, lastSeq: replica.lastSeq() } };
    }
    case "permission.list": {
      const { sessionId } = desk.session();
      const open = (await desk.replica(sessionId))?.state.permissionRequests.values() ?? [];
      return { ok: true, value: { requests: [...open].map((request) => ({ ...request, sessionId })) } };
    }
    case "question.list": {
      const { sessionId } = desk.session();
      const open = (await desk.replica(sessionId))?.state.questions ?? new Map();
      const requests = [...open].map(([requestId, questions]) => ({ sessionId, requestId, questions }));
      return { ok: true, value: { requests } };
    }
    case "agent.list":
      return { ok: true, value: { agents: [...desk.agents()] } };
    case "task.list":
      return { ok: true, value: { tasks: [] } };
    case "command.list":
      return { ok: true, value: { commands: [] } };
    default:
      return refused(guestsOnly);
  }
}

function summaryOf(desk: RoomDesk): SessionSummary {
  const { sessionId, title, project, model = "", lastSeq } = desk.session();
  return {
    ...{ sessionId, title, model, lastSeq, isArchived: false, projectId: "", directory: project },
    ...{ createdAt: 0, updatedAt: 0 },
  };
}

async function* readEvents(
  opening: Promise<SessionReplica>,
  afterSeq: number | "newest",
  signal: AbortSignal,
): AsyncGenerator<Event, void> {
  const replica = await opening;
  const inbox = openInbox<Event>(signal);
  const stop = replica.listen({ onEvent: inbox.put });
  try {
    const from = afterSeq === "newest" ? replica.lastSeq() : afterSeq;
    for (const record of replica.records.slice(from)) inbox.put({ kind: "fact", record });
    let last = from;
    for await (const event of inbox.items()) {
      if (event.kind === "fact") {
        if (event.record.seq <= last) continue;
        last = event.record.seq;
      }
      yield event;
    }
  } finally {
    stop();
  }
}

/** Ids count from one: a room cannot be resumed by them, it reconnects by itself. */
async function* followRoom(desk: RoomDesk, options: FollowOptions): AsyncGenerator<EventFrame, void> {
  const { sessionId = desk.session().sessionId, view, signal } = options;
  const directory = desk.session().project;
  const inbox = openInbox<Omit<EventFrame, "id" | "directory">>(signal);
  const replica = await desk.replica(sessionId);
  const plain = { sessionId, properties: {} };
  const stops = [
    replica?.listen(
      view === "parts"
        ? { onView: (event: ViewEvent) => inbox.put(frameOfViewEvent(sessionId, event)) }
        : {
            onEvent: (event) =>
              inbox.put(event.kind === "fact" ? frameOfRecord(event.record) : frameOfSignal(event.signal)),
          },
    ),
    desk.onState((state) => inbox.put({ ...plain, type: state === "connected" ? "server.connected" : connectionLost })),
  ];
  inbox.put({ ...plain, type: "server.connected" });
  let count = 0;
  try {
    for await (const frame of inbox.items()) {
      count += 1;
      yield { id: `0-room-${count}`, directory, ...frame };
    }
  } finally {
    for (const stop of stops) stop?.();
  }
}

function openInbox<Item>(signal: AbortSignal) {
  const waiting: Item[] = [];
  let wake: (() => void) | undefined;
  signal.addEventListener("abort", () => wake?.());
  return {
    put(item: Item) {
      waiting.push(item);
      wake?.();
    },
    async *items(): AsyncGenerator<Item, void> {
      while (!signal.aborted) {
        const item = waiting.shift();
        if (item !== undefined) yield item;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}
