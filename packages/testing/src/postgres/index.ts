/** PostgreSQL for tests: a server that is started when it is first needed. */
export { type PostgresCluster, sharedPostgres, startPostgres, type TestDatabase } from "./postgres-cluster.ts";
