/** The Client over HTTP: the same object as the one in process, from the same table of routes that the server has. */
import {
  type CallOptions,
  type Client,
  type CommandAnswer,
  type CommandOf,
  type CommandRows,
  type CommandType,
  type FactRecord,
  FailureError,
  type QueryAnswer,
  type QueryOf,
  type QueryType,
  type SessionFilter,
  type SessionSummary,
  type ValueOf,
} from "@kedge/protocol";
import { followFrames, sessionEvents } from "./event-streams.ts";
import { type Called, type CalledRow, type CallWish, type Connection, call, type Fields } from "./http-call.ts";
import { connectionFailure } from "./server-failure.ts";

export type ClientOptions = Omit<Connection, "fetch"> & {
  /** Commands that the server has beside those of this version. */
  readonly commands?: CommandRows;
  /** The one of the platform without this. */
  readonly fetch?: typeof fetch;
};

const pageMax = 500;
const factsPageMax = 2_000;

/** With the first call: whoever has no server does without the rows. */
const loadRows = () => import("@kedge/protocol/rows");

type Rows = Awaited<ReturnType<typeof loadRows>>;
type ReadRows = Rows["readRows"];

export function createClient(options: ClientOptions): Client {
  const { commands = {}, ...given } = options;
  const connection: Connection = {
    ...given,
    url: options.url.replace(/\/+$/, ""),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  };

  /** A page has them from the server as well, which may not be reached. */
  async function called<Value>(
    rowOf: (rows: Rows) => CalledRow,
    fields: Fields,
    wish: CallWish,
  ): Promise<Called<Value>> {
    let row: CalledRow;
    try {
      row = rowOf(await loadRows());
    } catch (error) {
      return { ok: false, failure: connectionFailure(connection.url, error, wish.signal) };
    }
    return call(connection, row, fields, wish);
  }

  /** For reads, which have no failure in their answer. */
  async function read<Name extends keyof ReadRows>(
    name: Name,
    fields: Fields,
    options: CallOptions = {},
  ): Promise<ValueOf<ReadRows[Name]["answer"]>> {
    const answer = await called<ValueOf<ReadRows[Name]["answer"]>>(({ readRows }) => readRows[name], fields, options);
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
      const page = await read("sessions", fields, options);
      sessions.push(...page.sessions);
      after = page.next;
    } while (after !== undefined && sessions.length < filter.limit);
    return sessions;
  }

  async function* readFacts(sessionId: string): AsyncGenerator<FactRecord, void> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: ValueOf<ReadRows["facts"]["answer"]> = await read("facts", { sessionId, after, limit: factsPageMax });
      yield* page.facts;
      after = page.next;
    }
  }

  return {
    async send<Type extends CommandType>(command: CommandOf<Type>, wish = {}): Promise<CommandAnswer<Type>> {
      // Every command has its type, and the server answers with what belongs to it.
      const { type, ...fields } = command as { readonly type: Type };
      const rowOf = ({ commandRows }: Rows) => commands[type] ?? commandRows[type];
      return called(rowOf, fields, wish) as Promise<CommandAnswer<Type>>;
    },
    async ask<Type extends QueryType>(query: QueryOf<Type>, wish = {}): Promise<QueryAnswer<Type>> {
      // As above.
      const { type, ...fields } = query as { readonly type: Type };
      return called(({ queryRows }) => queryRows[type], fields, wish) as Promise<QueryAnswer<Type>>;
    },
    events: (sessionId, afterSeq, signal, options = {}) =>
      sessionEvents(connection, { sessionId, afterSeq, signal, ...options }),
    follow: (options) => followFrames(connection, options),
    sessions: listSessions,
    messages: (sessionId, page, options) =>
      read("messages", { sessionId, ...page, limit: Math.min(page.limit, pageMax) }, options),
    search: async (query, options) => {
      const fields = { ...query, limit: Math.min(query.limit, pageMax) };
      return (await read("search", fields, options)).hits;
    },
    facts: readFacts,
    verify: (sessionId, options) => read("verify", { sessionId }, options),
  };
}
