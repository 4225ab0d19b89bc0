/** The Client over HTTP: the same object as the one in process, from the same table of routes that the server has. */
import {
  type CallOptions,
  type Client,
  type CommandAnswer,
  type CommandOf,
  type CommandType,
  commandRoutes,
  type FactRecord,
  FailureError,
  type MessagePage,
  type QueryAnswer,
  type QueryOf,
  type QueryType,
  queryRoutes,
  type Route,
  readRoutes,
  type SearchHit,
  type SessionFilter,
  type SessionSummary,
  type VerifyReport,
} from "@kedge/protocol";
import { followFrames, sessionEvents } from "./event-streams.ts";
import { type Connection, call } from "./http-call.ts";

export type ClientOptions = Omit<Connection, "fetch"> & {
  /** The one of the platform without this. */
  readonly fetch?: typeof fetch;
};

const pageMax = 500;
const factsPageMax = 2_000;

export function createClient(options: ClientOptions): Client {
  const connection: Connection = {
    ...options,
    url: options.url.replace(/\/+$/, ""),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  };

  /** For reads, which have no failure in their answer. */
  async function read<Value>(route: Route, fields: { readonly [name: string]: unknown }, options: CallOptions = {}) {
    const answer = await call<Value>(connection, route, fields, options);
    if (answer.ok) return answer.value;
    throw new FailureError(answer.failure);
  }

  async function listSessions(filter: SessionFilter, options?: CallOptions): Promise<readonly SessionSummary[]> {
    const sessions: SessionSummary[] = [];
    let after = filter.after === undefined ? undefined : `${filter.after.updatedAt}-${filter.after.sessionId}`;
    // A server lists what belongs to its project; whoever names none means all, as in process.
    const all = filter.projectId === undefined ? { all: true } : {};
    do {
      const fields = { ...filter, ...all, after, limit: Math.min(pageMax, filter.limit - sessions.length) };
      const page = await read<SessionPage>(readRoutes.sessions, fields, options);
      sessions.push(...page.sessions);
      after = page.next;
    } while (after !== undefined && sessions.length < filter.limit);
    return sessions;
  }

  async function* readFacts(sessionId: string): AsyncGenerator<FactRecord, void> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: FactPage = await read(readRoutes.facts, { sessionId, after, limit: factsPageMax });
      yield* page.facts;
      after = page.next;
    }
  }

  return {
    send<Type extends CommandType>(command: CommandOf<Type>, wish = {}): Promise<CommandAnswer<Type>> {
      // Every command has its type, and the server answers with what belongs to it.
      const { type, ...fields } = command as { readonly type: Type };
      return call(connection, commandRoutes[type], fields, wish) as Promise<CommandAnswer<Type>>;
    },
    ask<Type extends QueryType>(query: QueryOf<Type>, wish = {}): Promise<QueryAnswer<Type>> {
      // As above.
      const { type, ...fields } = query as { readonly type: Type };
      return call(connection, queryRoutes[type], fields, wish) as Promise<QueryAnswer<Type>>;
    },
    events: (sessionId, afterSeq, signal, options = {}) =>
      sessionEvents(connection, { sessionId, afterSeq, signal, ...options }),
    follow: (options) => followFrames(connection, options),
    sessions: listSessions,
    messages: (sessionId, page, options) =>
      read<MessagePage>(readRoutes.messages, { sessionId, ...page, limit: Math.min(page.limit, pageMax) }, options),
    search: async (query, options) => {
      const fields = { ...query, limit: Math.min(query.limit, pageMax) };
      return (await read<{ readonly hits: readonly SearchHit[] }>(readRoutes.search, fields, options)).hits;
    },
    facts: readFacts,
    verify: (sessionId, options) => read<VerifyReport>(readRoutes.verify, { sessionId }, options),
  };
}

type SessionPage = { readonly sessions: readonly SessionSummary[]; readonly next?: string };

type FactPage = { readonly facts: readonly FactRecord[]; readonly next?: number };
