/** A hub on a store in memory, with a hand on the clock, the timers and what the engine publishes. */
import { type EventFrame, type Fact, noUsage, type Signal, type Store } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { createEventHub } from "../../src/events/event-hub.ts";
import type { EventSource } from "../../src/events/event-order.ts";
import type { HubFollowOptions } from "../../src/events/start-place.ts";

export const created = {
  type: "session.created",
  directory: "/project",
  projectId: "project",
  model: "mock/model",
  mode: "default",
  kedgeVersion: "0.0.0",
  boot: "boot",
} as const satisfies Fact;

export function stepStarted(stepId: string): Fact {
  const asked = { turn: 1, source: "main", model: "mock/model", requestId: "req_1" } as const;
  return { type: "step.started", stepId, runId: "run_1", ...asked, prompts: [], reminders: [] };
}

export function stepEnded(stepId: string, text: string): Fact {
  const cost = { usd: 0, estimated: false };
  const content = [{ type: "text", text }] as const;
  return { type: "step.ended", stepId, outcome: "answered", content, usage: noUsage, cost, durationMs: 1 };
}

export function delta(sessionId: string, stepId: string, text: string): Signal {
  return { type: "text.delta", sessionId, stepId, text };
}

export function openSite(options: { readonly projectId?: string | undefined } = { projectId: "project" }) {
  const world = { time: 1_000_000 };
  const memory = createMemoryStore({
    now: () => world.time,
    randomBytes: () => new Uint8Array(16),
    isAlive: () => true,
  });
  /** The positions behind which facts were read. */
  const reads: number[] = [];
  const store: Store = {
    ...memory,
    tail(afterPosition, sessionId) {
      reads.push(afterPosition);
      return memory.tail(afterPosition, sessionId);
    },
  };
  const listeners = new Set<Parameters<EventSource["subscribeAll"]>[0]>();
  const timers = new Set<{ readonly work: () => void; readonly everyMs: number }>();
  const hub = createEventHub({
    engine: {
      subscribeAll(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    store,
    boot: "boot",
    directory: "/project",
    ...(options.projectId !== undefined && { projectId: options.projectId }),
    now: () => world.time,
    repeat(work, everyMs) {
      const timer = { work, everyMs };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const publish: Parameters<EventSource["subscribeAll"]>[0] = (...heard) => {
    for (const listener of listeners) listener(...heard);
  };
  /** Stores facts, and gives the way to publish them. */
  async function write(sessionId: string, ...facts: readonly Fact[]): Promise<() => void> {
    const outcome = await store.append(sessionId, facts, { boot: "boot", durable: false });
    if (!outcome.ok) throw new Error("the lease was lost");
    const before = outcome.position - outcome.records.length;
    return () => {
      for (const [index, record] of outcome.records.entries()) {
        publish(sessionId, { kind: "fact", record }, before + index + 1);
      }
    };
  }

  return {
    hub,
    store,
    world,
    listeners,
    reads,
    publish,
    write,
    append: async (sessionId: string, ...facts: readonly Fact[]) => (await write(sessionId, ...facts))(),
    signal: (signal: Signal) => publish(signal.sessionId, { kind: "signal", signal }),
    tick(everyMs: number) {
      for (const timer of timers) if (timer.everyMs === everyMs) timer.work();
    },
  };
}

export type Site = ReturnType<typeof openSite>;

/** Reads frames one after the other, or until there are none. */
export function reader({ hub }: Site, options: Partial<HubFollowOptions> = {}) {
  const end = new AbortController();
  const frames = hub.follow({ signal: end.signal, ...options })[Symbol.asyncIterator]();
  return {
    async next(count: number): Promise<readonly EventFrame[]> {
      const read: EventFrame[] = [];
      while (read.length < count) {
        const { value, done } = await frames.next();
        if (done === true) break;
        read.push(value);
      }
      return read;
    },
    end: () => end.abort(),
  };
}

export const typesOf = (frames: readonly EventFrame[]) => frames.map(({ type }) => type);
