/** What the two ends of a port say to each other: calls and streams by their ids, and errors as plain data. */
import {
  type Client,
  type CommandOf,
  type CommandType,
  type Event,
  type EventFrame,
  type EventsOptions,
  type FactRecord,
  type Failure,
  FailureError,
  type FollowOptions,
  type QueryOf,
  type QueryType,
  type SearchQuery,
  type SendOptions,
  type SessionFilter,
} from "@kedge/protocol";

export type PortCall =
  | {
      readonly method: "send";
      readonly command: CommandOf<CommandType>;
      readonly options: Omit<SendOptions, "signal">;
    }
  | { readonly method: "ask"; readonly query: QueryOf<QueryType> }
  | { readonly method: "sessions"; readonly filter: SessionFilter }
  | { readonly method: "messages"; readonly sessionId: string; readonly page: Parameters<Client["messages"]>[1] }
  | { readonly method: "search"; readonly query: SearchQuery }
  | { readonly method: "verify"; readonly sessionId: string };

export type PortStream =
  | {
      readonly method: "events";
      readonly sessionId: string;
      readonly afterSeq: number | "newest";
      readonly options: EventsOptions;
    }
  | { readonly method: "follow"; readonly options: Omit<FollowOptions, "signal"> }
  | { readonly method: "facts"; readonly sessionId: string };

export type StreamItem = Event | EventFrame | FactRecord;

/** What the screen says. An id belongs to one call or stream, and is never used again. */
export type ScreenMessage =
  | { readonly type: "call"; readonly id: number; readonly call: PortCall }
  | { readonly type: "open"; readonly id: number; readonly stream: PortStream }
  /** A batch of this stream was read to its end. */
  | { readonly type: "took"; readonly id: number }
  /** Nobody waits for this call or reads this stream any more. */
  | { readonly type: "cancel"; readonly id: number };

/** What the engine says. */
export type EngineMessage =
  | { readonly type: "answer"; readonly id: number; readonly value: unknown }
  | { readonly type: "items"; readonly id: number; readonly items: readonly StreamItem[] }
  | { readonly type: "ended"; readonly id: number }
  /** The end of a call or of a stream. */
  | { readonly type: "failed"; readonly id: number; readonly thrown: Thrown }
  /** Nothing is answered any more. */
  | { readonly type: "stopped" };

export type Thrown =
  | { readonly kind: "failure"; readonly failure: Failure }
  | { readonly kind: "bug"; readonly message: string };

export function thrownOf(error: unknown): Thrown {
  if (error instanceof FailureError) return { kind: "failure", failure: error.failure };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "bug", message: message.split("\n", 1)[0] ?? "" };
}

export function errorOf(thrown: Thrown): Error {
  return thrown.kind === "failure" ? new FailureError(thrown.failure) : new Error(thrown.message);
}

export const engineStopped: Failure = {
  code: "connection_error",
  message: "The engine stopped.",
  recovery: "Restart kedge; the session so far is saved.",
  retryable: false,
};
