/** All events of a place of work in one order, for any number of followers. */
import { type EventFrame, orAborted, type Store } from "@kedge/protocol";
import { createEventIntake, type EventIntakeParts } from "./event-intake.ts";
import { createEventOrder, type EventSource } from "./event-order.ts";
import { createFollower, type Follower, framesOf } from "./follower.ts";
import { createFrameLogs, type FrameLogsParts } from "./frame-logs.ts";
import { createNews } from "./news.ts";
import { type HubFollowOptions, startOf } from "./start-place.ts";

export type EventHubParts = Omit<FrameLogsParts, "life" | "nextTurn"> &
  Pick<EventIntakeParts, "repeat" | "onFailure"> & { readonly engine: EventSource; readonly boot: string };

export interface EventHub {
  follow(options: HubFollowOptions): AsyncIterable<EventFrame>;
  /** The same as encoded batches, for whoever sends them on. */
  open(options: HubFollowOptions): Promise<OpenFollower>;
  /** Resolves when a fact behind this position is stored, the hub closes or the signal aborts. */
  moved(position: number, signal: AbortSignal): Promise<void>;
  /** Facts are looked for until the function given back is called. */
  enter(): () => void;
  readonly isClosed: boolean;
  readonly store: Store;
  readonly life: string;
  readonly directory: string;
  /** Followers get everything that was published before, then the word that it is over. The store must still be open. */
  close(): Promise<void>;
}

export type OpenFollower = Follower & {
  /** Called once, when more waits for the follower than a client may have waiting. */
  onTooSlow(listener: () => void): void;
};

export function createEventHub(parts: EventHubParts): EventHub {
  const { engine, store, now, directory, projectId } = parts;
  const life = `${parts.boot}.${now().toString(36)}${projectId === undefined ? "p" : ""}`;
  const watched = new Map<Follower, () => void>();
  const news = createNews(() => {
    for (const [follower, onTooSlow] of watched) {
      if (!follower.isTooSlow()) continue;
      watched.delete(follower);
      onTooSlow();
    }
  });
  const logs = createFrameLogs({
    ...{ ...parts, life },
    /** Much that another process wrote at once must not look like a backlog of those who read all the time. */
    async nextTurn() {
      const told = news.next();
      news.tell();
      await told;
      // Those who were woken write now.
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  const order = createEventOrder({
    ...{ engine, store, ...logs },
    onTaken() {
      logs.endTurn();
      news.tell();
    },
    onFailure(error) {
      logs.restartViews();
      parts.onFailure?.(error);
    },
  });
  const { enter, ready, heartbeats, isClosed, close } = createEventIntake({
    ...{ ...parts, order, onBegin: logs.moveTo },
    onHeartbeat() {
      news.tell();
      return logs.rest();
    },
  });

  async function open(options: HubFollowOptions): Promise<OpenFollower> {
    const { sessionId, signal, view = "facts", hasAliases = false } = options;
    const { log, wakeUp, leave } = logs.join(view);
    const exit = enter(leave);
    const { newest, placeOf } = logs;
    try {
      await ready();
      wakeUp();
      const start = await startOf(options, { store, life, newest, log });
      const follower = createFollower(
        { store, life, directory, log, placeOf, newest, news: news.next, isClosed, heartbeats },
        { ...start, view, hasAliases, signal, ...(sessionId !== undefined && { sessionId }) },
      );
      return {
        ...follower,
        onTooSlow: (listener) => watched.set(follower, listener),
        close() {
          watched.delete(follower);
          follower.close();
          exit();
        },
      };
    } catch (error) {
      exit();
      throw error;
    }
  }

  return {
    ...{ open, enter, store, life, directory },
    get isClosed() {
      return isClosed();
    },
    async *follow(options) {
      const follower = await open(options);
      try {
        yield* framesOf(follower);
      } finally {
        follower.close();
      }
    },
    async moved(position, signal) {
      await ready();
      while (logs.position() <= position && !isClosed() && !signal.aborted) await orAborted(news.next(), signal);
    },
    async close() {
      if (isClosed()) return;
      await close();
      news.tell();
    },
  };
}
