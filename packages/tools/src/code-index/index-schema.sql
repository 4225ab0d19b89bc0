CREATE TABLE roots (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  used INTEGER NOT NULL
);
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  root INTEGER NOT NULL,
  path TEXT NOT NULL,
  modified REAL NOT NULL,
  changed REAL NOT NULL,
  size INTEGER NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (root, path)
);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  root INTEGER NOT NULL,
  file INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  symbol TEXT NOT NULL
);
CREATE INDEX chunks_of_file ON chunks (file);
CREATE VIRTUAL TABLE titles USING fts5(
  names, place,
  content='', contentless_delete=1,
  tokenize="porter ascii tokenchars '_$'"
);
CREATE VIRTUAL TABLE bodies USING fts5(
  body,
  content='', contentless_delete=1,
  tokenize="porter ascii tokenchars '_$'"
);
