/** The hooks of a process, wired: phases and a moment for its sessions, and an ear for their facts. */
import type { CallPhase, ContextSource, Event, SessionMoment } from "@kedge/protocol";
import type { Hook } from "./hook.ts";
import { createHookMoment } from "./hook-moment.ts";
import { createHookObserver } from "./hook-observer.ts";
import type { HookParts } from "./hook-parts.ts";
import { createHookPhases } from "./hook-phase.ts";
import { createHookSet, type Fired, type FiredEvent } from "./hook-set.ts";
import { createSessionNotes } from "./session-notes.ts";

export type SessionHooks = {
  readonly callPhases: readonly CallPhase[];
  readonly sessionMoments: readonly SessionMoment[];
  hear(sessionId: string, event: Event): void;
  watchSource(source: ContextSource): ContextSource;
  /** For events that the host itself notices. */
  tell(event: FiredEvent): void;
  /** Runs the hooks of an event as a session would. */
  fire(event: FiredEvent, signal: AbortSignal): Promise<Fired>;
  /** Ends what nobody waited for. */
  close(): Promise<void>;
};

export function createSessionHooks(hooks: readonly Hook[], parts: HookParts): SessionHooks {
  const set = createHookSet(hooks, parts);
  const notes = createSessionNotes();
  const calls = createHookPhases(set, parts, notes);
  const { hear, watchSource } = createHookObserver(set, notes, parts.cwd);
  return {
    callPhases: calls.phases,
    sessionMoments: [createHookMoment({ set, parts, notes, calls })],
    hear,
    watchSource,
    tell: (event) => set.tell(event),
    fire: (event, signal) => set.fire(event, signal),
    close: () => set.settle(parts.sessionEndMs),
  };
}
