/** The numbered steps from an empty database to the present schema. Forward only; a step never changes once released. */
import type { DatabaseSync } from "node:sqlite";

/** Step number N brings `user_version` from N-1 to N. */
export type Migration = string;

/**
 * `salt` and `content` are the payload of a record and no part of the chain: removing them leaves the record as it was.
 * They lie in its row because a tree of their own costs a third more pages in every commit. A salt without content
 * means that the content lies in a file named after the digest.
 * `session` is a projection of its facts; `last_seq` and `head` also tell when records were cut off.
 */
const createTables: Migration = `
CREATE TABLE session (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL,
  directory TEXT NOT NULL,
  title TEXT NOT NULL,
  model TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  head TEXT NOT NULL
) STRICT;
CREATE INDEX session_by_project ON session (project_id);
CREATE INDEX session_by_directory ON session (directory);
CREATE TABLE fact (
  pos INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session (key),
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  type TEXT NOT NULL,
  version INTEGER NOT NULL,
  data TEXT NOT NULL,
  digest TEXT,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  salt TEXT,
  content TEXT,
  UNIQUE (session, seq)
) STRICT;
CREATE TABLE blob (
  sha256 TEXT PRIMARY KEY,
  size INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE lease (
  session_id TEXT PRIMARY KEY,
  boot TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

export const migrations: readonly Migration[] = [createTables];

export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}

/** Applies the missing steps, all in one transaction; another process may have done so in the meantime. */
export function migrate(database: DatabaseSync, steps: readonly Migration[]): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const step of steps.slice(schemaVersion(database))) database.exec(step);
    database.exec(`PRAGMA user_version = ${Math.max(steps.length, schemaVersion(database))}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
