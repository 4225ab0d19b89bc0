/** Carries events of each session to whoever listens, in the order they happened. */
import type { Event } from "@kedge/protocol";

export type Listener = (event: Event) => void;

export interface Bus {
  publish(sessionId: string, event: Event): void;
  subscribe(sessionId: string, listener: Listener): () => void;
}

export function createBus(): Bus {
  const listeners = new Map<string, Set<Listener>>();
  return {
    publish(sessionId, event) {
      for (const listener of listeners.get(sessionId) ?? []) listener(event);
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
