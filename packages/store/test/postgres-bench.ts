/** Stores on a PostgreSQL server of the tests, each with a database of its own. */
import { randomBytes } from "node:crypto";
import type { Store } from "@kedge/protocol";
import { sharedPostgres, type TestDatabase } from "@kedge/testing/postgres";
import { openPostgresStore, type PostgresStoreOptions } from "../src/postgres/index.ts";

export type PostgresBench = {
  readonly database: TestDatabase;
  open(given?: Partial<PostgresStoreOptions>): Promise<Store>;
  /** Closes every store and empties the database. */
  dispose(): Promise<void>;
};

/** `from` is a database to copy; nobody may be connected to it. */
export async function createPostgresBench(
  given: Partial<PostgresStoreOptions> = {},
  from?: TestDatabase,
): Promise<PostgresBench> {
  const database = (from === undefined && spare.pop()) || (await (await sharedPostgres()).newDatabase(from));
  const stores = new Set<Store>();
  return {
    database,
    async open(more = {}) {
      const world = { now: () => 1_700_000_000_000, randomBytes, isAlive: () => true, machine: "machine-1" };
      const opened = await openPostgresStore({ url: database.url, ...world, ...given, ...more });
      if (!opened.ok) throw new Error(opened.failure.message);
      const { store } = opened;
      stores.add(store);
      return {
        ...store,
        async close() {
          if (stores.delete(store)) await store.close();
        },
      };
    },
    async dispose() {
      for (const store of stores) await store.close();
      stores.clear();
      await empty(database);
      spare.push(database);
    },
  };
}

/** To empty a database takes a third of the time that a new one takes. */
const spare: TestDatabase[] = [];

async function empty(database: TestDatabase): Promise<void> {
  // A process that was killed may hold its locks for some time.
  await database.query(
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await database.query("DROP SCHEMA IF EXISTS kedge CASCADE");
}
