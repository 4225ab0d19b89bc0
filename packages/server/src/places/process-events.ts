/** The events of all places of work of the process as one stream, which is there while the server's own place of work is. */

import { newSecret } from "../admission/secret-words.ts";
import { createEventHub, type EventHub } from "../events/event-hub.ts";
import type { EventSource } from "../events/event-order.ts";
import { ProblemError } from "../http/failure-status.ts";
import type { Instance } from "./instance.ts";
import type { Instances } from "./instances.ts";

interface ProcessEvents {
  /** Opened with the first who listens. Nobody releases the server's own place of work until `leave` is called. */
  enter(): Promise<{ readonly leave: () => void }>;
  /** Only between the two. */
  hub(): EventHub;
}

export type ProcessEventsParts = {
  readonly instances: Pick<Instances, "find" | "list" | "onOpened" | "onReleased">;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
};

export function createProcessEvents({ instances, now, onFailure }: ProcessEventsParts): ProcessEvents {
  const joined = joinEngines();
  const joinedUntil = new Map<Instance, () => void>();
  let opened: { readonly hub: EventHub; readonly owner: Instance } | undefined;

  instances.onOpened((instance) => joinedUntil.set(instance, joined.add(instance)));
  instances.onReleased(async (instance) => {
    joinedUntil.get(instance)?.();
    joinedUntil.delete(instance);
    if (opened?.owner !== instance) return;
    const { hub } = opened;
    opened = undefined;
    await hub.close();
  });

  return {
    async enter() {
      const found = await instances.find();
      if (!found.ok) throw new ProblemError(found.problem);
      const { instance: owner } = found;
      const { store, directory } = owner;
      // Ids of frames are good for this life only; another start must not take them for its own.
      opened ??= {
        owner,
        hub: createEventHub({ engine: joined, store, boot: newSecret(), directory, now, onFailure }),
      };
      return { leave: owner.enter() };
    },
    hub() {
      if (opened === undefined) throw new Error("nobody listens to the process");
      return opened.hub;
    },
  };
}

interface JoinedEngines extends EventSource {
  /** Until the function given back is called. */
  add(engine: EventSource): () => void;
}

/** The events of several engines as those of one. */
export function joinEngines(): JoinedEngines {
  const listeners = new Set<Parameters<EventSource["subscribeAll"]>[0]>();
  return {
    add: (engine) =>
      engine.subscribeAll((...heard) => {
        for (const listener of listeners) listener(...heard);
      }),
    subscribeAll(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
