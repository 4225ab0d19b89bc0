/** The connections to one database: a bounded pool, transactions, time limits, and a new connection for a lost one. */
import { hash } from "node:crypto";
import { type Failure, FailureError } from "@kedge/protocol";
import pg from "pg";
import type { DatabaseAddress } from "./database-address.ts";
import { isConnectionLost, isLockedElsewhere, postgresError } from "./postgres-failure.ts";

export type Row = { readonly [column: string]: unknown };

export type Queries = {
  rows(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The same as the bare values of the columns. */
  values(text: string, values?: readonly unknown[]): Promise<readonly (readonly unknown[])[]>;
  /** Several statements without values. */
  script(text: string): Promise<void>;
};

/**
 * What a transaction keeps others from: `chain` from appending to a session, leasing it or removing its content; `views`
 * from deriving messages and search of it. Whoever takes both takes them in this order.
 */
export type Lock = { readonly of: "chain" | "views"; readonly sessionId: string };

export type WriteOptions = { readonly durable: boolean; readonly locks: readonly Lock[] };

export type Connection = Queries & {
  readonly name: string;
  /** Runs the work in one transaction; any error rolls everything back and is thrown. */
  write<Result>(options: WriteOptions, work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Runs the work on one unchanging view of the database. */
  read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Statements that no transaction may hold and that take their time. Left for another time where others keep a table. */
  maintain(texts: readonly string[]): Promise<void>;
  /** Every write ends in this failure from now on. */
  forbidWriting(failure: Failure): void;
  close(): Promise<void>;
};

const connectionsMax = 4;
const connectMs = 10_000;
const statementMs = 60_000;
/** Somewhat later than the server's own limit: for a server that no longer answers at all. */
const answerMs = statementMs + 5_000;
/** A machine that sleeps in the middle of a transaction keeps others waiting no longer than this. */
const idleInTransactionMs = 30_000;
const maintenanceMs = 3_600_000;
const maintenanceLockMs = 5_000;
const idleMs = 30_000;

const int8 = 20;

/** Positions and times stay far below what a number holds exactly. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: "text" | "binary") =>
    type === int8 ? Number : pg.types.getTypeParser(type, format as "text"),
};

const classOf = { chain: 0x6b65_6467, views: 0x6b65_6468 } as const;

export function createConnection({ url, name }: DatabaseAddress): Connection {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: idleMs,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    // A process ends when its work is done, and not when the pool is closed.
    allowExitOnIdle: true,
    application_name: "kedge",
    types,
  });
  // A lost connection is told by the call that needs it; without listeners it would end the process.
  pool.on("error", ignore);
  pool.on("connect", (client) => void client.on("error", ignore));
  let readOnly: Failure | undefined;

  async function using<Result>(
    work: (client: pg.PoolClient) => Promise<Result>,
    { isLeftChanged } = { isLeftChanged: false },
  ): Promise<Result> {
    let client: pg.PoolClient | undefined;
    let isOver = isLeftChanged;
    try {
      client = await pool.connect();
      return await work(client);
    } catch (error) {
      isOver ||= isConnectionLost(error);
      throw postgresError(error, name);
    } finally {
      client?.release(isOver);
    }
  }

  async function transact<Result>(
    client: pg.PoolClient,
    begin: string,
    work: (queries: Queries) => Promise<Result>,
  ): Promise<Result> {
    try {
      await client.query(begin);
      const result = await work(queriesOf(client));
      await client.query("COMMIT");
      return result;
    } catch (error) {
      if (!isConnectionLost(error)) await client.query("ROLLBACK");
      throw error;
    }
  }

  return {
    name,
    rows: (text, values) => using((client) => queriesOf(client).rows(text, values)),
    values: (text, values) => using((client) => queriesOf(client).values(text, values)),
    script: (text) => using((client) => queriesOf(client).script(text)),
    write({ durable, locks }, work) {
      if (readOnly !== undefined) throw new FailureError(readOnly);
      const begin = [
        "BEGIN",
        `SET LOCAL synchronous_commit TO ${durable ? "on" : "off"}`,
        ...locks.map(({ of, sessionId }) => `SELECT pg_advisory_xact_lock(${classOf[of]}, ${lockNumber(sessionId)})`),
      ];
      return using((client) => transact(client, begin.join("; "), work));
    },
    read: (work) => using((client) => transact(client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work)),
    maintain(texts) {
      if (readOnly !== undefined) throw new FailureError(readOnly);
      const run = async (client: pg.PoolClient) => {
        await client.query(`SET statement_timeout TO 0; SET lock_timeout TO ${maintenanceLockMs}`);
        // The type does not know that a query can have a limit of its own.
        const query = (text: string) => client.query({ text, query_timeout: maintenanceMs } as pg.QueryConfig);
        for (const text of texts) {
          try {
            await query(text);
          } catch (error) {
            if (!isLockedElsewhere(error)) throw error;
          }
        }
      };
      return using(run, { isLeftChanged: true });
    },
    forbidWriting(failure) {
      readOnly = failure;
    },
    close: () => pool.end(),
  };
}

function queriesOf(client: pg.PoolClient): Queries {
  return {
    rows: async (text, values = []) => (await client.query<Row>(text, values.map(storable))).rows,
    values: async (text, values = []) => {
      return (await client.query({ text, values: values.map(storable), rowMode: "array" })).rows;
    },
    async script(text) {
      await client.query(text);
    },
  };
}

/** The one character that no text of PostgreSQL can hold. What must come back unchanged is stored as JSON instead. */
function storable(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
  return Array.isArray(value) ? value.map(storable) : value;
}

/** Two sessions that share a number only wait for each other now and then. */
function lockNumber(sessionId: string): number {
  return Buffer.from(hash("sha256", sessionId, "buffer")).readInt32BE();
}

function ignore(): void {}
