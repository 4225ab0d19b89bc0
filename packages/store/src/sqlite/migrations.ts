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

/**
 * `projected` is the number of the last fact that messages, parts, todos, usage and search were made of. An append
 * leaves all of them alone; whoever asks for them brings them up to date. So they and the indexes of `session` have no
 * column that an append changes.
 * The key of a part begins with its time, so that search goes from new to old without sorting. `refs` says which
 * strings of the part stand in which fact instead of here. The search table keeps no text, only where words occur.
 */
const addProjections: Migration = `
ALTER TABLE session ADD COLUMN parent_id TEXT;
ALTER TABLE session ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN projected INTEGER NOT NULL DEFAULT 0;
CREATE INDEX session_by_parent ON session (parent_id) WHERE parent_id IS NOT NULL;
CREATE TABLE message (
  session INTEGER NOT NULL REFERENCES session (key),
  place INTEGER NOT NULL,
  id TEXT NOT NULL,
  role TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (session, place),
  UNIQUE (session, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE part (
  key INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session (key),
  message INTEGER NOT NULL,
  id TEXT NOT NULL,
  time INTEGER NOT NULL,
  tool TEXT,
  files TEXT,
  data TEXT NOT NULL,
  refs TEXT,
  UNIQUE (session, message, id)
) STRICT;
CREATE TABLE todo (
  session INTEGER NOT NULL REFERENCES session (key),
  position INTEGER NOT NULL,
  content TEXT NOT NULL,
  status TEXT NOT NULL,
  priority TEXT NOT NULL,
  PRIMARY KEY (session, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE usage (
  session INTEGER NOT NULL REFERENCES session (key),
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  model TEXT NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  web_searches INTEGER NOT NULL,
  usd REAL NOT NULL,
  estimated INTEGER NOT NULL,
  PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE part_text USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'ascii');
`;

/** Whoever rescues a damaged file tells these rows from those of other tables by the types of their columns. */
const addSignedHeads: Migration = `
CREATE TABLE signed_head (
  session_id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  key_id TEXT NOT NULL,
  signature TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** The row that shows the session, as JSON. What was derived before has no such row, and is rebuilt. */
const addSessionView: Migration = `
CREATE TABLE session_view (
  session INTEGER PRIMARY KEY REFERENCES session (key),
  data TEXT NOT NULL
) STRICT;
INSERT INTO part_text (part_text) VALUES ('delete-all');
DELETE FROM part;
DELETE FROM message;
DELETE FROM todo;
DELETE FROM usage;
UPDATE session SET projected = 0 WHERE deleted = 0;
`;

export const migrations: readonly Migration[] = [createTables, addProjections, addSignedHeads, addSessionView];

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
