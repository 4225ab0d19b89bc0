/** What a room needs of the session that it shows. */
import type { Answer, Event, FactRecord } from "@kedge/protocol";
import type { GuestAct, RoomSession } from "@kedge/protocol/room";

export type ActAnswer = Answer<{ readonly promptId?: string; readonly runId?: string }>;

export type RoomAccess = {
  readonly sessionId: string;
  describe(): Promise<RoomSession>;
  /** Stored facts of the session, or of one of its agents, after a number. */
  facts(sessionId: string, after: number): AsyncIterable<FactRecord>;
  /** Of the session and all its agents. */
  follow(listener: (sessionId: string, event: Event) => void): () => void;
  isAgent(sessionId: string): boolean;
  agents(): Promise<readonly unknown[]>;
  /** Carries out what a guest with full rights asks for. */
  act(act: GuestAct, from: string): Promise<ActAnswer>;
  isOpen(): boolean;
  isRunning(): boolean;
  lastSeq(): number;
};
