/** What the loop of a worker works with. A worker in this process and one in a pane differ in nothing else. */
import type { Letter } from "./mailbox.ts";
import type { ProtocolMessage } from "./protocol-messages.ts";
import type { ClaimableTask } from "./task-claims.ts";

export type TurnOutcome = "completed" | "interrupted" | "failed";

/** The conversation of the worker. */
export interface WorkerSession {
  isBusy(): boolean;
  /** A tool works right now. */
  isInCall(): boolean;
  /** How many turns have ended. */
  turnsEnded(): number;
  lastTurn(): { readonly outcome: TurnOutcome; readonly text: string };
  /** Words of the user's side: begins a turn, or reaches the one under way before its next request. */
  instruct(text: string): Promise<void>;
  /** Words of a peer: data that informs and commands nothing. */
  inform(letter: Letter): Promise<void>;
  /** Ends the turn under way, and nothing else. */
  interrupt(): Promise<void>;
}

export interface WorkerTasks {
  /** The next one that is free, now owned by this worker. */
  claim(): Promise<ClaimableTask | undefined>;
  read(id: string): ClaimableTask | undefined;
  /** Gives back what this worker has not finished. */
  release(): Promise<void>;
}

export type WorkerPorts = {
  readonly name: string;
  readonly team: string;
  readonly unread: () => readonly Letter[];
  readonly markRead: (ids: readonly string[]) => Promise<void>;
  /** Whether the leader, and nobody else, wrote it. */
  readonly isOfLeader: (letter: Letter) => boolean;
  readonly report: (message: ProtocolMessage) => Promise<void>;
  readonly session: WorkerSession;
  readonly tasks: WorkerTasks;
  /** Messages of the leader that are not for the model: answers, modes, rules. */
  readonly onControl: (message: ProtocolMessage) => void | Promise<void>;
  readonly isLeaderAlive: () => boolean;
  /** Asked before it rests; a text is a reason to work on. */
  readonly beforeRest: () => Promise<string | undefined>;
  /** Resolves after a moment, or at once when something may have happened. */
  readonly pause: (signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** So long an answer to a request to shut down is waited for while nothing else goes on. */
  readonly shutdownMs: number;
  readonly onDropped: (sentence: string) => void;
  /** Ends the worker; a turn has one of its own. */
  readonly signal: AbortSignal;
};

/** Why a worker ends. */
export type WorkerEnd = "shutdown" | "stopped" | "leader-gone";
