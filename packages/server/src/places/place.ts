/** What a host gives the server of one place of work. */
import type { CommandDoor, Door, Store } from "@kedge/protocol";
import type { EventHub } from "../events/event-hub.ts";
import type { Terminals } from "../terminals/terminals.ts";

export interface Place extends Pick<CommandDoor, "subscribeAll"> {
  readonly door: Door;
  readonly store: Store;
  /** Of all sessions of the project. */
  readonly events: () => Promise<EventHub>;
  /** Those of the user. */
  readonly terminals: () => Promise<Terminals>;
  /** Whether the engine has the session open. */
  readonly isOpen: (sessionId: string) => boolean;
  /** Refuses every permission that waits for an answer. */
  refuseUnanswered(why: string): Promise<void>;
  close(): Promise<void>;
}
