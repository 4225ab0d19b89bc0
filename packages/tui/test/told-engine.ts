/** An engine for tests of who follows one: facts and signals are told by hand, and read back as a store would give them. */
import {
  applyRecord,
  beginTelling,
  type Client,
  collectView,
  type EventFrame,
  emptySession,
  type Fact,
  type FactRecord,
  FailureError,
  type FrameBody,
  frameOfViewEvent,
  messagesOf,
  type Signal,
  tellFact,
  tellSignal,
  type ViewTelling,
} from "@kedge/protocol";

type Follower = { readonly sessionId: string | undefined; readonly push: (frame: EventFrame | Error | "end") => void };

type Told = { readonly records: FactRecord[]; readonly telling: ViewTelling };

export type ToldEngine = {
  readonly client: Client;
  /** What was read, in its order. */
  readonly reads: string[];
  emit(sessionId: string, ...facts: readonly Fact[]): Promise<void>;
  signal(signal: Signal): void;
  /** A word of the server to everybody, such as `server.resync`. */
  say(type: string): void;
  endStreams(error?: Error): void;
  /** Reads wait until it is called again with false. */
  hold(isHeld: boolean): void;
};

export function createToldEngine(): ToldEngine {
  const sessions = new Map<string, Told>();
  const followers = new Set<Follower>();
  const reads: string[] = [];
  let held: PromiseWithResolvers<void> | undefined;
  let count = 0;

  function told(sessionId: string): Told {
    const known = sessions.get(sessionId) ?? { records: [], telling: beginTelling(sessionId) };
    sessions.set(sessionId, known);
    return known;
  }

  function push(body: FrameBody): void {
    count += 1;
    // What goes over a border is never the same object on both sides.
    const frame = structuredClone({ ...body, id: `${count}`, directory: "/work" });
    for (const { sessionId, push: pushTo } of followers) {
      if (sessionId === undefined || body.sessionId === undefined || body.sessionId === sessionId) pushTo(frame);
    }
  }

  async function answer(query: { readonly type: string; readonly sessionId?: string }): Promise<unknown> {
    reads.push(query.type);
    await held?.promise;
    const all = [...sessions].map(([id, { records }]) => ({ id, state: stateOf(id, records) }));
    switch (query.type) {
      case "session.read": {
        const id = query.sessionId ?? "";
        const { records } = told(id);
        const { session } = collectView(id, records);
        if (session === undefined) {
          return { ok: false, failure: { code: "not_found", message: "No such session.", retryable: false } };
        }
        const isRunning = stateOf(id, records).runId !== undefined;
        return {
          ok: true,
          value: { session, status: { state: isRunning ? "busy" : "idle" }, lastSeq: records.length },
        };
      }
      case "permission.list": {
        const requests = all.flatMap(({ id, state: { permissionRequests } }) =>
          [...permissionRequests.values()].map((request) => ({ ...request, sessionId: id })),
        );
        return { ok: true, value: { requests } };
      }
      case "question.list": {
        const requests = all.flatMap(({ id, state: { questions } }) =>
          [...questions].map(([requestId, asked]) => ({ sessionId: id, requestId, questions: asked })),
        );
        return { ok: true, value: { requests } };
      }
      default:
        return { ok: true, value: { tasks: [] } };
    }
  }

  const unexpected = () => {
    throw new Error("the test does not expect this call");
  };
  const client: Client = {
    ...{ send: unexpected, events: unexpected, sessions: unexpected, search: unexpected },
    ...{ facts: unexpected, verify: unexpected },
    // Every query is answered with what its type asks for.
    ask: (async (query: { readonly type: string }) => structuredClone(await answer(query))) as Client["ask"],
    async messages(sessionId, { before, limit }) {
      reads.push(before === undefined ? "messages" : `messages before ${before}`);
      const all = messagesOf(collectView(sessionId, told(sessionId).records));
      await held?.promise;
      const end = before === undefined ? all.length : all.findIndex(({ id }) => id === before);
      const page = all.slice(Math.max(0, end - limit), end);
      const [oldest] = page;
      return structuredClone({ messages: page, ...(end > limit && oldest !== undefined && { before: oldest.id }) });
    },
    async *follow({ sessionId, signal }) {
      const frames: (EventFrame | Error | "end")[] = [];
      let wake = () => {};
      const follower: Follower = {
        sessionId,
        push(frame) {
          frames.push(frame);
          wake();
        },
      };
      followers.add(follower);
      signal.addEventListener("abort", () => wake());
      try {
        yield { id: "0", type: "server.connected", directory: "/work", properties: {} };
        // What was on its way before the end still comes, as it does over a wire.
        while (frames.length > 0 || !signal.aborted) {
          const frame = frames.shift();
          if (frame === "end") return;
          if (frame instanceof Error) throw frame;
          if (frame !== undefined) yield frame;
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
      } finally {
        followers.delete(follower);
      }
    },
  };

  return {
    client,
    reads,
    async emit(sessionId, ...facts) {
      const { records, telling } = told(sessionId);
      for (const fact of facts) {
        const seq = records.length + 1;
        const record = { sessionId, seq, time: seq * 10, fact, prev: "", hash: "" };
        records.push(record);
        for (const event of await tellFact(telling, record, () => records)) push(frameOfViewEvent(sessionId, event));
      }
    },
    signal(signal) {
      const { telling } = told(signal.sessionId);
      for (const event of tellSignal(telling, signal, 0)) push(frameOfViewEvent(signal.sessionId, event));
    },
    say: (type) => push({ type, properties: {} }),
    endStreams(error) {
      for (const follower of followers) follower.push(error ?? "end");
    },
    hold(isHeld) {
      held?.resolve();
      held = isHeld ? Promise.withResolvers<void>() : undefined;
    },
  };
}

function stateOf(sessionId: string, records: readonly FactRecord[]) {
  const state = emptySession(sessionId);
  for (const record of records) applyRecord(state, record);
  return state;
}

export const brokenStream = new FailureError({
  code: "connection_error",
  message: "The stream broke.",
  retryable: true,
});
