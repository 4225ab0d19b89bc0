/** The Store contract on PostgreSQL, for several machines: loaded late, and only where a user names a server. */
export { readDatabaseAddress } from "./database-address.ts";
export { openPostgresStore, type PostgresStoreOptions } from "./open-postgres-store.ts";
