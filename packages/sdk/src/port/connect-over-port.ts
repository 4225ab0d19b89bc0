/** The screen's end of a port: a Client whose engine works in another thread. */
import {
  type CallOptions,
  type Client,
  type CommandAnswer,
  type CommandOf,
  type CommandType,
  type Event,
  type EventFrame,
  type FactRecord,
  FailureError,
  type MessagePage,
  type QueryAnswer,
  type QueryOf,
  type QueryType,
  type SearchHit,
  type SendOptions,
  type SessionSummary,
  type VerifyReport,
} from "@kedge/protocol";
import { answerUnlessAborted, readUnlessAborted } from "../given-up.ts";
import { listenOn, type Port } from "./port.ts";
import {
  type EngineMessage,
  engineStopped,
  errorOf,
  type PortCall,
  type PortStream,
  type ScreenMessage,
} from "./port-messages.ts";

/** Over a port with `serveClient` at its other end. Once that is gone, every call fails at once. */
export function connectOverPort(port: Port): Client {
  const line = openScreenLine(port);

  /** For reads, which throw. */
  function read<Value>(call: PortCall, { signal }: CallOptions = {}): Promise<Value> {
    return readUnlessAborted(signal, () => line.call<Value>(call, signal));
  }

  /** For commands and queries, whose answer can be a failure. */
  async function answer<Answer extends CommandAnswer<CommandType> | QueryAnswer<QueryType>>(
    call: PortCall,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    try {
      const answered = await answerUnlessAborted(signal, () => line.call<Answer>(call, signal));
      // What is no failure of ours is the answer to this call.
      return answered as Answer;
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      // Every answer may be a failure.
      return { ok: false, failure: error.failure } as Answer;
    }
  }

  return {
    send<Type extends CommandType>(command: CommandOf<Type>, { signal, ...options }: SendOptions = {}) {
      return answer<CommandAnswer<Type>>({ method: "send", command, options }, signal);
    },
    ask<Type extends QueryType>(query: QueryOf<Type>, { signal }: CallOptions = {}) {
      return answer<QueryAnswer<Type>>({ method: "ask", query }, signal);
    },
    events: (sessionId, afterSeq, signal, options = {}) =>
      line.read<Event>({ method: "events", sessionId, afterSeq, options }, signal),
    follow: ({ signal, ...options }) => line.read<EventFrame>({ method: "follow", options }, signal),
    sessions: (filter, options) => read<readonly SessionSummary[]>({ method: "sessions", filter }, options),
    messages: (sessionId, page, options) => read<MessagePage>({ method: "messages", sessionId, page }, options),
    search: (query, options) => read<readonly SearchHit[]>({ method: "search", query }, options),
    facts: (sessionId) => line.read<FactRecord>({ method: "facts", sessionId }),
    verify: (sessionId, options) => read<VerifyReport>({ method: "verify", sessionId }, options),
  };
}

/** Calls and streams by their ids: which answer belongs to whom, and what happens when the port closes. */
interface ScreenLine {
  /** An aborted signal tells the engine; then this never settles, because nobody waits for it any more. */
  call<Value>(call: PortCall, signal: AbortSignal | undefined): Promise<Value>;
  /** Ends when the signal aborts. Begins with the first item that is asked for. */
  read<Item>(stream: PortStream, signal?: AbortSignal): AsyncGenerator<Item, void>;
}

type StreamMessage = Extract<EngineMessage, { type: "items" | "ended" | "failed" }>;

type AnswerMessage = Extract<EngineMessage, { type: "answer" | "failed" }>;

function openScreenLine(port: Port): ScreenLine {
  const calls = new Map<number, (answer: AnswerMessage) => void>();
  const streams = new Map<number, Inbox>();
  let lastId = 0;
  let isStopped = false;
  const post = (message: ScreenMessage) => port.postMessage(message);

  function message(value: unknown): void {
    // The other end of the port is `serveClient` of the same program.
    const said = value as EngineMessage;
    switch (said.type) {
      case "answer":
        calls.get(said.id)?.(said);
        return;
      case "items":
      case "ended":
        streams.get(said.id)?.put(said);
        return;
      case "failed":
        calls.get(said.id)?.(said);
        streams.get(said.id)?.put(said);
        return;
      case "stopped":
        stop();
        return;
      default:
        said satisfies never;
    }
  }

  function stop(): void {
    isStopped = true;
    stopListening();
    const failed = { type: "failed", thrown: { kind: "failure", failure: engineStopped } } as const;
    for (const [id, settle] of calls) settle({ ...failed, id });
    for (const [id, inbox] of streams) inbox.put({ ...failed, id });
  }

  const stopListening = listenOn(port, { message, closed: stop });

  function newId(): number {
    if (isStopped) throw new FailureError(engineStopped);
    lastId += 1;
    return lastId;
  }

  return {
    async call<Value>(call: PortCall, signal: AbortSignal | undefined): Promise<Value> {
      const id = newId();
      const answered = Promise.withResolvers<AnswerMessage>();
      const giveUp = () => {
        calls.delete(id);
        post({ type: "cancel", id });
      };
      calls.set(id, answered.resolve);
      signal?.addEventListener("abort", giveUp, { once: true });
      try {
        post({ type: "call", id, call });
        const answer = await answered.promise;
        if (answer.type === "failed") throw errorOf(answer.thrown);
        // The engine answers with what its own client gave for this call.
        return answer.value as Value;
      } finally {
        calls.delete(id);
        signal?.removeEventListener("abort", giveUp);
      }
    },

    async *read<Item>(stream: PortStream, signal?: AbortSignal): AsyncGenerator<Item, void> {
      const isAborted = () => signal?.aborted === true;
      if (isAborted()) return;
      const id = newId();
      const inbox = openInbox();
      const leave = () => {
        inbox.close();
        if (streams.delete(id)) post({ type: "cancel", id });
      };
      streams.set(id, inbox);
      signal?.addEventListener("abort", leave);
      try {
        post({ type: "open", id, stream });
        for (let said = await inbox.take(); said !== undefined; said = await inbox.take()) {
          if (said.type !== "items") streams.delete(id);
          if (said.type === "failed") throw errorOf(said.thrown);
          if (said.type === "ended") return;
          for (const item of said.items) {
            // The engine reads this stream from its own client.
            yield item as Item;
            if (isAborted()) return;
          }
          post({ type: "took", id });
        }
      } finally {
        signal?.removeEventListener("abort", leave);
        leave();
      }
    },
  };
}

type Inbox = {
  put(message: StreamMessage): void;
  /** Waits for the next one; undefined once it is closed. */
  take(): Promise<StreamMessage | undefined>;
  close(): void;
};

/** Bounded by the batches that the engine sends before one was read. */
function openInbox(): Inbox {
  let messages: StreamMessage[] = [];
  let isClosed = false;
  let arrived: PromiseWithResolvers<void> | undefined;
  const wake = () => {
    arrived?.resolve();
    arrived = undefined;
  };
  return {
    put(message) {
      if (!isClosed) messages.push(message);
      wake();
    },
    async take() {
      while (messages.length === 0 && !isClosed) {
        arrived ??= Promise.withResolvers();
        await arrived.promise;
      }
      return messages.shift();
    },
    close() {
      isClosed = true;
      messages = [];
      wake();
    },
  };
}
