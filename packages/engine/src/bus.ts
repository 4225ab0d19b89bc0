/** Carries events of each session to whoever listens, in the order they happened. */
import type { Event } from "@kedge/protocol";
import { reportOf } from "./call/attempt.ts";

export type Listener = (event: Event) => void;

export type ListenerToAll = (sessionId: string, event: Event, position?: number) => void;

export interface Bus {
  publish(sessionId: string, event: Event, position?: number): void;
  subscribe(sessionId: string, listener: Listener): () => void;
  subscribeAll(listener: ListenerToAll): () => void;
}

type Reader = { readonly listener: ListenerToAll; readonly leave: () => void; isGone: boolean };

const nobody: readonly Reader[] = [];

/** A reader that throws gets no more events, and the others are told so: a fact is stored whoever reads it. */
export function createBus(redact: (text: string) => string): Bus {
  // Lists are replaced and never changed: whoever comes while an event is told hears the next one first.
  const bySession = new Map<string, readonly Reader[]>();
  let toAll = nobody;

  function publish(sessionId: string, event: Event, position?: number): void {
    const ofAll = toAll;
    tell(bySession.get(sessionId) ?? nobody, sessionId, event, position);
    tell(ofAll, sessionId, event, position);
  }

  function tell(readers: readonly Reader[], sessionId: string, event: Event, position: number | undefined): void {
    for (const reader of readers) {
      if (reader.isGone) continue;
      try {
        reader.listener(sessionId, event, position);
      } catch (error) {
        reader.leave();
        const text = `An event subscriber failed and was disconnected: ${reportOf(error, redact)}`;
        publish(sessionId, { kind: "signal", signal: { type: "notice", sessionId, text } });
      }
    }
  }

  return {
    publish,
    subscribe(sessionId, listener) {
      const reader = newReader(
        (_, event) => listener(event),
        () => {
          const left = without(bySession.get(sessionId) ?? nobody, reader);
          if (left.length === 0) bySession.delete(sessionId);
          else bySession.set(sessionId, left);
        },
      );
      bySession.set(sessionId, [...(bySession.get(sessionId) ?? nobody), reader]);
      return reader.leave;
    },
    subscribeAll(listener) {
      const reader = newReader(listener, () => {
        toAll = without(toAll, reader);
      });
      toAll = [...toAll, reader];
      return reader.leave;
    },
  };
}

function newReader(listener: ListenerToAll, remove: () => void): Reader {
  const reader: Reader = {
    listener,
    isGone: false,
    leave() {
      reader.isGone = true;
      remove();
    },
  };
  return reader;
}

function without(readers: readonly Reader[], reader: Reader): readonly Reader[] {
  return readers.filter((each) => each !== reader);
}
