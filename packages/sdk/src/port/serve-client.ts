/** The engine's end of a port: carries out on a Client what the screen at the other end asks for. */
import type { Client } from "@kedge/protocol";
import { listenOn, type Port } from "./port.ts";
import {
  type EngineMessage,
  type PortCall,
  type PortStream,
  type ScreenMessage,
  type StreamItem,
  thrownOf,
} from "./port-messages.ts";
import { createStreamBatches } from "./stream-batches.ts";

/** A call that is carried out or a stream that is sent. */
type Open = { cancel(): void; took(): void };

/** Until it is closed or the port is. Closing gives up what is open and tells the screen; the port stays open. */
export function serveClient(port: Port, client: Client): { close(): void } {
  const open = new Map<number, Open>();
  const post = (message: EngineMessage) => port.postMessage(message);

  async function answer(id: number, call: PortCall): Promise<void> {
    const abort = new AbortController();
    open.set(id, { cancel: () => abort.abort(), took: () => undefined });
    try {
      const value = await carryOut(client, call, abort.signal);
      if (!abort.signal.aborted) post({ type: "answer", id, value });
    } catch (error) {
      // A bug is one of the screen's as well, and thrown there again.
      if (!abort.signal.aborted) post({ type: "failed", id, thrown: thrownOf(error) });
    } finally {
      open.delete(id);
    }
  }

  async function send(id: number, stream: PortStream): Promise<void> {
    const abort = new AbortController();
    const { signal } = abort;
    const fail = (error: unknown) => {
      if (!signal.aborted) post({ type: "failed", id, thrown: thrownOf(error) });
      abort.abort();
    };
    const batches = createStreamBatches((items) => {
      try {
        post({ type: "items", id, items });
      } catch (error) {
        // What is no plain data cannot be copied, in whatever batch it stands.
        fail(error);
      }
    });
    signal.addEventListener("abort", batches.close);
    open.set(id, { cancel: () => abort.abort(), took: batches.took });
    try {
      for await (const item of read(client, stream, signal)) {
        if (signal.aborted) return;
        batches.put(item);
        // A reader that is behind holds up its source, which knows what it may leave out.
        for (let room = batches.room(); room !== undefined; room = batches.room()) await room;
        if (signal.aborted) return;
      }
      batches.flush();
      if (!signal.aborted) post({ type: "ended", id });
    } catch (error) {
      batches.flush();
      fail(error);
    } finally {
      batches.close();
      open.delete(id);
    }
  }

  function message(value: unknown): void {
    // The other end of the port is `connectOverPort` of the same program.
    const asked = value as ScreenMessage;
    switch (asked.type) {
      case "call":
        void answer(asked.id, asked.call);
        return;
      case "open":
        void send(asked.id, asked.stream);
        return;
      case "took":
        open.get(asked.id)?.took();
        return;
      case "cancel":
        open.get(asked.id)?.cancel();
        return;
      default:
        asked satisfies never;
    }
  }

  function cancelAll(): void {
    for (const { cancel } of open.values()) cancel();
  }

  const stop = listenOn(port, { message, closed: cancelAll });

  return {
    close() {
      stop();
      cancelAll();
      post({ type: "stopped" });
    },
  };
}

function carryOut(client: Client, call: PortCall, signal: AbortSignal): Promise<unknown> {
  switch (call.method) {
    case "send":
      return client.send(call.command, { ...call.options, signal });
    case "ask":
      return client.ask(call.query, { signal });
    case "sessions":
      return client.sessions(call.filter, { signal });
    case "messages":
      return client.messages(call.sessionId, call.page, { signal });
    case "search":
      return client.search(call.query, { signal });
    case "verify":
      return client.verify(call.sessionId, { signal });
  }
}

function read(client: Client, stream: PortStream, signal: AbortSignal): AsyncIterable<StreamItem> {
  switch (stream.method) {
    case "events":
      return client.events(stream.sessionId, stream.afterSeq, signal, stream.options);
    case "follow":
      return client.follow({ ...stream.options, signal });
    case "facts":
      return client.facts(stream.sessionId);
  }
}
