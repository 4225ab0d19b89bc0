/** Stores on a PostgreSQL server of the tests, each with a database of its own. */
import { randomBytes } from "node:crypto";
import type { Store } from "@kedge/protocol";
import { sharedPostgres, type TestDatabase } from "@kedge/testing/postgres";
import { openPostgresStore, type PostgresStoreOptions } from "../src/postgres/index.ts";

export type PostgresBench = {
  readonly database: TestDatabase;
  open(given?: Partial<PostgresStoreOptions>): Promise<Store>;
  /** Closes every store and drops the database. */
  dispose(): Promise<void>;
};

/** `from` is a database to copy; nobody may be connected to it. */
export async function createPostgresBench(
  given: Partial<PostgresStoreOptions> = {},
  from?: TestDatabase,
): Promise<PostgresBench> {
  const database = await (await sharedPostgres()).newDatabase(from);
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
      await database.drop();
    },
  };
}
