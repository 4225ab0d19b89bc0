/** Opens the PostgreSQL store behind a URL, or says in one sentence why it cannot. */
import { type Failure, FailureError } from "@kedge/protocol";
import type { OpenedStore } from "../sqlite/open-sqlite-store.ts";
import { failure } from "../storage-failure.ts";
import { readDatabaseAddress } from "./database-address.ts";
import type { SharedClock } from "./leases.ts";
import { type Migration, migrate, migrations, schemaVersion } from "./migrations.ts";
import { type Connection, createConnection } from "./postgres-connection.ts";
import { createPostgresStore, type StoreParts } from "./postgres-store.ts";

export type PostgresStoreOptions = StoreParts & {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
};

export async function openPostgresStore(
  options: PostgresStoreOptions,
  steps: readonly Migration[] = migrations,
): Promise<OpenedStore> {
  const read = readDatabaseAddress(options.url);
  if (!read.ok) return read;
  const connection = createConnection(read.address);
  try {
    const notice = await prepare(connection, steps);
    const store = createPostgresStore(connection, await sharedClock(connection, options.now), options);
    return notice === undefined ? { ok: true, store } : { ok: true, store, notice };
  } catch (error) {
    await connection.close();
    if (error instanceof FailureError) return { ok: false, failure: error.failure };
    throw error;
  }
}

/** Brings the schema up to date; a newer one can only be read, and the failure of every write is given back. */
async function prepare(connection: Connection, steps: readonly Migration[]): Promise<Failure | undefined> {
  const version = await schemaVersion(connection);
  if (version < steps.length) await migrate(connection, steps);
  if (version <= steps.length) return undefined;
  const readOnly = failure(
    `The PostgreSQL database ${connection.name} was written by a newer version of kedge (schema ${version}) and is open read-only.`,
    "Update kedge to continue these sessions.",
  );
  connection.forbidWriting(readOnly);
  return readOnly;
}

/** Measured once: what matters is that all machines mean the same moment, to within a second or so. */
async function sharedClock(connection: Connection, now: () => number): Promise<SharedClock> {
  const before = now();
  const [row] = await connection.rows("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now");
  const ahead = Number(row?.["now"]) - Math.round((before + now()) / 2);
  return { now: () => now() + ahead, here: (time) => time - ahead };
}
