/** The Client contract: send a command, read events after a number. The same object in process and over HTTP. */
import type { CommandAnswer, CommandOf, CommandType } from "./commands.ts";
import type { FactRecord } from "./fact-record.ts";
import type { Event } from "./signals.ts";
import type { MessagePage, SearchHit, SearchQuery, SessionFilter, SessionSummary, VerifyReport } from "./store.ts";

export interface Client {
  send<Type extends CommandType>(command: CommandOf<Type>): Promise<CommandAnswer<Type>>;
  /** Stored facts after the number first, then live events, without gap or repetition, until the signal aborts. */
  events(sessionId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<Event>;
  sessions(filter: SessionFilter): Promise<readonly SessionSummary[]>;
  messages(sessionId: string, page: { readonly before?: string; readonly limit: number }): Promise<MessagePage>;
  search(query: SearchQuery): Promise<readonly SearchHit[]>;
  facts(sessionId: string): AsyncIterable<FactRecord>;
  verify(sessionId: string): Promise<VerifyReport>;
}

/** What stands behind an in-process client: the engine's commands and its bus, and the store's reads. */
export interface CommandDoor {
  send<Type extends CommandType>(command: CommandOf<Type>): Promise<CommandAnswer<Type>>;
  /** Live events only; returns the way to stop. */
  subscribe(sessionId: string, listener: (event: Event) => void): () => void;
}
