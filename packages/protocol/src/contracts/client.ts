/** The Client contract: send a command, ask a question, read events after a number. The same wherever the engine is. */

import type { FactRecord } from "../facts/fact-record.ts";
import type { CommandAnswer, CommandOf, CommandType, SessionCommandType } from "../wire/commands.ts";
import type { EventFrame } from "../wire/event-frame.ts";
import type { QueryAnswer, QueryOf, QueryType } from "../wire/queries.ts";
import type { Event } from "../wire/signals.ts";
import type { MessagePage, SearchHit, SearchQuery, SessionFilter, SessionSummary, VerifyReport } from "./store.ts";

export type CallOptions = {
  /** Gives up waiting for the answer; what was begun is not taken back. */
  readonly signal?: AbortSignal;
};

export type SendOptions = CallOptions & {
  /** A command that is sent again with the same key is carried out once, and answered the same. */
  readonly idempotencyKey?: string;
};

export type FollowOptions = {
  /** The id of the last frame that was seen; without it only what happens from now on. */
  readonly after?: string;
  /** Only what happens in this session. */
  readonly sessionId?: string;
  /** Messages and parts in the place of facts and signals: frames of `viewEventOfFrame`. */
  readonly view?: "parts";
  readonly signal: AbortSignal;
};

export type EventsOptions = {
  /** Leaves out pieces of answers and outputs as they stream; the facts behind them have all of it. */
  readonly deltas?: false;
};

export interface Client {
  send<Type extends CommandType>(command: CommandOf<Type>, options?: SendOptions): Promise<CommandAnswer<Type>>;
  ask<Type extends QueryType>(query: QueryOf<Type>, options?: CallOptions): Promise<QueryAnswer<Type>>;
  /**
   * Stored facts after the number first, then live events, without gap or repetition, until the signal aborts. After
   * the newest: only what happens from now on, which in the same process is from the first `next()` on.
   */
  events(
    sessionId: string,
    afterSeq: number | "newest",
    signal: AbortSignal,
    options?: EventsOptions,
  ): AsyncIterable<Event>;
  /** What happens in all sessions of the place of work. Facts come without gap or repetition, in the stored order. */
  follow(options: FollowOptions): AsyncIterable<EventFrame>;
  sessions(filter: SessionFilter, options?: CallOptions): Promise<readonly SessionSummary[]>;
  messages(
    sessionId: string,
    page: { readonly before?: string; readonly limit: number },
    options?: CallOptions,
  ): Promise<MessagePage>;
  search(query: SearchQuery, options?: CallOptions): Promise<readonly SearchHit[]>;
  facts(sessionId: string): AsyncIterable<FactRecord>;
  verify(sessionId: string, options?: CallOptions): Promise<VerifyReport>;
}

/** What the engine opens to others: the commands of sessions, and its bus. */
export interface CommandDoor {
  send<Type extends SessionCommandType>(command: CommandOf<Type>): Promise<CommandAnswer<Type>>;
  /** Live events only; returns the way to stop. */
  subscribe(sessionId: string, listener: (event: Event) => void): () => void;
  /** Of every session. Facts come with their position in the store. */
  subscribeAll(listener: (sessionId: string, event: Event, position?: number) => void): () => void;
}

/** What stands behind an in-process client: all commands and queries, and the events of the engine. */
export interface Door extends Pick<CommandDoor, "subscribe"> {
  send<Type extends CommandType>(command: CommandOf<Type>): Promise<CommandAnswer<Type>>;
  ask<Type extends QueryType>(query: QueryOf<Type>): Promise<QueryAnswer<Type>>;
  follow(options: FollowOptions): AsyncIterable<EventFrame>;
}
