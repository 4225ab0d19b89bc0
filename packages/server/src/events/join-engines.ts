/** The events of several engines as those of one, for streams about the whole process. */
import type { CommandDoor } from "@kedge/protocol";

export type EventSource = Pick<CommandDoor, "subscribeAll">;

export interface JoinedEngines extends EventSource {
  /** Until the function given back is called. */
  add(engine: EventSource): () => void;
}

type Listener = Parameters<EventSource["subscribeAll"]>[0];

export function joinEngines(): JoinedEngines {
  const listeners = new Set<Listener>();
  return {
    add: (engine) =>
      engine.subscribeAll((sessionId, event) => {
        for (const listener of listeners) listener(sessionId, event);
      }),
    subscribeAll(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
