/** Carries events of each session to whoever listens, in the order they happened. */
import type { Event } from "@kedge/protocol";

export type Listener = (event: Event) => void;

export type ListenerToAll = (sessionId: string, event: Event, position?: number) => void;

export interface Bus {
  publish(sessionId: string, event: Event, position?: number): void;
  subscribe(sessionId: string, listener: Listener): () => void;
  subscribeAll(listener: ListenerToAll): () => void;
}

export function createBus(): Bus {
  const listeners = new Map<string, Set<Listener>>();
  const toAll = new Set<ListenerToAll>();
  return {
    publish(sessionId, event, position) {
      for (const listener of listeners.get(sessionId) ?? []) listener(event);
      for (const listener of toAll) listener(sessionId, event, position);
    },
    subscribeAll(listener) {
      toAll.add(listener);
      return () => void toAll.delete(listener);
    },
    subscribe(sessionId, listener) {
      const set = listeners.get(sessionId) ?? new Set();
      listeners.set(sessionId, set);
      set.add(listener);
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(sessionId);
      };
    },
  };
}
