/** The screen's end of a port: a Client whose engine works in another thread. */
import {
  type CallOptions,
  type Client,
  type CommandAnswer,
  type CommandOf,
  type CommandType,
  type Event,
  type EventFrame,
  type FactRecord,
  FailureError,
  type MessagePage,
  type QueryAnswer,
  type QueryOf,
  type QueryType,
  type SearchHit,
  type SendOptions,
  type SessionSummary,
  type VerifyReport,
} from "@kedge/protocol";
import { answerUnlessAborted, readUnlessAborted } from "../given-up.ts";
import type { Port } from "./port.ts";
import type { PortCall } from "./port-messages.ts";
import { openScreenLine } from "./screen-line.ts";

/** Over a port with `serveClient` at its other end. Once that is gone, every call fails at once. */
export function connectOverPort(port: Port): Client {
  const line = openScreenLine(port);

  /** For reads, which throw. */
  function read<Value>(call: PortCall, { signal }: CallOptions = {}): Promise<Value> {
    return readUnlessAborted(signal, () => line.call<Value>(call, signal));
  }

  /** For commands and queries, whose answer can be a failure. */
  async function answer<Answer extends CommandAnswer<CommandType> | QueryAnswer<QueryType>>(
    call: PortCall,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    try {
      const answered = await answerUnlessAborted(signal, () => line.call<Answer>(call, signal));
      // What is no failure of ours is the answer to this call.
      return answered as Answer;
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      // Every answer may be a failure.
      return { ok: false, failure: error.failure } as Answer;
    }
  }

  return {
    send<Type extends CommandType>(command: CommandOf<Type>, { signal, ...options }: SendOptions = {}) {
      return answer<CommandAnswer<Type>>({ method: "send", command, options }, signal);
    },
    ask<Type extends QueryType>(query: QueryOf<Type>, { signal }: CallOptions = {}) {
      return answer<QueryAnswer<Type>>({ method: "ask", query }, signal);
    },
    events: (sessionId, afterSeq, signal, options = {}) =>
      line.read<Event>({ method: "events", sessionId, afterSeq, options }, signal),
    follow: ({ signal, ...options }) => line.read<EventFrame>({ method: "follow", options }, signal),
    sessions: (filter, options) => read<readonly SessionSummary[]>({ method: "sessions", filter }, options),
    messages: (sessionId, page, options) => read<MessagePage>({ method: "messages", sessionId, page }, options),
    search: (query, options) => read<readonly SearchHit[]>({ method: "search", query }, options),
    facts: (sessionId) => line.read<FactRecord>({ method: "facts", sessionId }),
    verify: (sessionId, options) => read<VerifyReport>({ method: "verify", sessionId }, options),
  };
}
