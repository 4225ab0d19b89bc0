/** Calls and streams over the screen's end of a port: which answer belongs to whom, and what happens when it closes. */
import { FailureError } from "@kedge/protocol";
import { listenOn, type Port } from "./port.ts";
import {
  type EngineMessage,
  engineStopped,
  errorOf,
  type PortCall,
  type PortStream,
  type ScreenMessage,
} from "./port-messages.ts";

export interface ScreenLine {
  /** An aborted signal tells the engine; then this never settles, because nobody waits for it any more. */
  call<Value>(call: PortCall, signal: AbortSignal | undefined): Promise<Value>;
  /** Ends when the signal aborts. Begins with the first item that is asked for. */
  read<Item>(stream: PortStream, signal?: AbortSignal): AsyncGenerator<Item, void>;
}

type StreamMessage = Extract<EngineMessage, { type: "items" | "ended" | "failed" }>;

type AnswerMessage = Extract<EngineMessage, { type: "answer" | "failed" }>;

export function openScreenLine(port: Port): ScreenLine {
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
