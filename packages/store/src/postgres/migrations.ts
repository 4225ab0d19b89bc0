/** The numbered steps from an empty database to the present schema. Forward only; a step never changes once released. */
import type { Connection, Queries } from "./postgres-connection.ts";

/** Step number N brings the version from N-1 to N. */
export type Migration = string;

/**
 * As in the SQLite store, with these differences. `place` has one row, which every append changes before it inserts: so
 * positions are given out in the order of commits, and whoever reads behind a position never misses a record. What was
 * derived is counted in a table of its own, so that deriving never waits for an append. Texts that may hold a zero
 * character and must come back unchanged are JSON. A path may be longer than the entries of a sorted index. There are no
 * foreign keys: each is a look-up in every append.
 */
const createTables: Migration = `
CREATE TABLE kedge.place (single boolean PRIMARY KEY DEFAULT true CHECK (single), last bigint NOT NULL);
INSERT INTO kedge.place (last) VALUES (0);
CREATE TABLE kedge.session (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  project_id text NOT NULL,
  directory text NOT NULL,
  parent_id text,
  archived boolean NOT NULL,
  deleted boolean NOT NULL DEFAULT false,
  title text NOT NULL,
  plain_title text NOT NULL,
  model text NOT NULL,
  created bigint NOT NULL,
  updated bigint NOT NULL,
  last_seq bigint NOT NULL,
  head text NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX session_by_project ON kedge.session (project_id);
CREATE INDEX session_by_directory ON kedge.session USING hash (directory);
CREATE INDEX session_by_parent ON kedge.session (parent_id) WHERE parent_id IS NOT NULL;
CREATE TABLE kedge.fact (
  pos bigint PRIMARY KEY,
  session bigint NOT NULL,
  seq bigint NOT NULL,
  time bigint NOT NULL,
  type text NOT NULL,
  version integer NOT NULL,
  data text NOT NULL,
  digest text,
  prev text NOT NULL,
  hash text NOT NULL,
  salt text,
  content text,
  UNIQUE (session, seq)
);
CREATE TABLE kedge.blob (
  sha256 text PRIMARY KEY,
  size bigint NOT NULL,
  stored bigint NOT NULL,
  bytes bytea NOT NULL
);
ALTER TABLE kedge.blob ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE kedge.lease (
  session_id text COLLATE "C" PRIMARY KEY,
  machine text NOT NULL,
  boot text NOT NULL,
  pid bigint NOT NULL,
  started_at text NOT NULL,
  expires bigint NOT NULL
);
CREATE TABLE kedge.signed_head (
  session_id text PRIMARY KEY,
  seq bigint NOT NULL,
  hash text NOT NULL,
  key_id text NOT NULL,
  signature text NOT NULL
);
CREATE TABLE kedge.projection (session bigint PRIMARY KEY, seq bigint NOT NULL) WITH (fillfactor = 70);
CREATE TABLE kedge.message (
  session bigint NOT NULL,
  place bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  role text NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (session, place),
  UNIQUE (session, id)
);
CREATE SEQUENCE kedge.part_order;
CREATE TABLE kedge.part (
  session bigint NOT NULL,
  message bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  key bigint NOT NULL,
  time bigint NOT NULL,
  tool text,
  files text,
  data text NOT NULL,
  refs text,
  words tsvector,
  PRIMARY KEY (session, message, id)
);
CREATE INDEX part_by_word ON kedge.part USING gin (words);
CREATE TABLE kedge.session_view (session bigint PRIMARY KEY, data text NOT NULL);
CREATE TABLE kedge.todo (
  session bigint NOT NULL,
  position integer NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (session, position)
);
CREATE TABLE kedge.usage (
  session bigint NOT NULL,
  seq bigint NOT NULL,
  time bigint NOT NULL,
  model text NOT NULL,
  input bigint NOT NULL,
  output bigint NOT NULL,
  reasoning bigint NOT NULL,
  cache_read bigint NOT NULL,
  cache_write bigint NOT NULL,
  web_searches bigint NOT NULL,
  usd double precision NOT NULL,
  estimated boolean NOT NULL,
  PRIMARY KEY (session, seq)
);
`;

export const migrations: readonly Migration[] = [createTables];

const sql = {
  /** Asked of the table itself: a server remembers for a while that it found no name. */
  isThere: "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'kedge' AND tablename = 'schema_version'",
  version: "SELECT version FROM kedge.schema_version",
  /** One number for all programs that open this database, taken before the first look. */
  lock: "SELECT pg_advisory_xact_lock(7234300105518674294)",
  prepare: `CREATE SCHEMA IF NOT EXISTS kedge;
    CREATE TABLE IF NOT EXISTS kedge.schema_version (single boolean PRIMARY KEY DEFAULT true CHECK (single),
      version integer NOT NULL);
    INSERT INTO kedge.schema_version (version) VALUES (0) ON CONFLICT DO NOTHING`,
  save: "UPDATE kedge.schema_version SET version = $1",
} as const;

/** 0 for a database that kedge has never used. */
export async function schemaVersion(queries: Queries): Promise<number> {
  if ((await queries.rows(sql.isThere)).length === 0) return 0;
  return Number((await queries.rows(sql.version))[0]?.["version"] ?? 0);
}

/** Applies the missing steps, all in one transaction; another process may have done so in the meantime. */
export async function migrate(connection: Connection, steps: readonly Migration[]): Promise<void> {
  await connection.write({ durable: true, locks: [] }, async (queries) => {
    await queries.rows(sql.lock);
    const version = await schemaVersion(queries);
    if (version >= steps.length) return;
    await queries.script(sql.prepare);
    for (const step of steps.slice(version)) await queries.script(step);
    await queries.rows(sql.save, [steps.length]);
  });
}
