// Covers writes to rows of databases; another connection checks what is in them.
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { createWriteTool } from "../write.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
  database(`
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, note DEFAULT 'none');
    INSERT INTO users VALUES (1, 'Ann', 30, 'x'), (2, 'Bo', 40, NULL);
    CREATE TABLE words (word TEXT PRIMARY KEY, meaning TEXT);
    INSERT INTO words VALUES ('a:b', 'colon');
    CREATE TABLE "odd:name" (value);
    INSERT INTO "odd:name" VALUES ('first');
    CREATE TABLE pairs (a, b, c, PRIMARY KEY (a, b));
    CREATE TABLE bare (id TEXT PRIMARY KEY, v) WITHOUT ROWID;
    CREATE TABLE hidden (rowid, value);
    INSERT INTO hidden VALUES (7, 'one'), (7, 'two');
    CREATE VIEW seen AS SELECT * FROM users;
    CREATE TABLE quiet (id INTEGER PRIMARY KEY, v);
    INSERT INTO quiet VALUES (1, 'v');
    CREATE TRIGGER no BEFORE UPDATE ON quiet BEGIN SELECT RAISE(IGNORE); END;
    CREATE TABLE books (id INTEGER PRIMARY KEY, author INTEGER REFERENCES users (id) DEFERRABLE INITIALLY DEFERRED);
  `);
  workshop.files.remember(workshop.at("app.db"), "read");
});
afterEach(() => workshop.close());

function database(sql: string): void {
  const connection = new DatabaseSync(workshop.at("app.db"));
  connection.exec(`PRAGMA synchronous=OFF; ${sql}`);
  connection.close();
}

function rows(sql: string): readonly unknown[] {
  const connection = new DatabaseSync(workshop.at("app.db"), { readOnly: true });
  try {
    return connection
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    connection.close();
  }
}

const tool = createWriteTool();
const write = (filePath: string, content: string) => tool.run({ filePath, content }, workshop.newContext());
const validate = (filePath: string, content: string) => tool.validate?.({ filePath, content }, workshop.newContext());
const preview = (filePath: string, content: string) => tool.preview?.({ filePath, content }, workshop.newContext());

test("a row is inserted, and the result names it", async () => {
  expect(await write("app.db:users", '{"name": "O\'Hara; DROP TABLE users", "age": 5}')).toEqual({
    output: "Inserted app.db:users:3.",
    title: "app.db:users:3",
    metadata: {
      diff: "--- /dev/null\n+++ b/app.db:users:3\n@@ -0,0 +1,4 @@\n+id: 3\n+name: O'Hara; DROP TABLE users\n+age: 5\n+note: none",
      additions: 4,
      deletions: 0,
      op: "create",
    },
  });
  expect(rows("SELECT * FROM users WHERE id = 3")).toEqual([
    { id: 3, name: "O'Hara; DROP TABLE users", age: 5, note: "none" },
  ]);
});

test("values keep their kinds, in relaxed JSON too", async () => {
  const content = `// a row
    { name: 'it\\'s', 'age': 9007199254740993, /* any kind */ Note: [1, {a: null,},], }`;
  await write("app.db:users", content);
  expect(rows("SELECT name, CAST(age AS TEXT) age, typeof(age) kind, note FROM users WHERE id = 3")).toEqual([
    { name: "it's", age: "9007199254740993", kind: "integer", note: '[1,{"a":null}]' },
  ]);
  const kinds: unknown[] = [];
  for (const value of ["1", "1.5", "true", "null", '"1"', "0x10", "-.5"]) {
    await write("app.db:users:1", `{note: ${value}}`);
    kinds.push(...rows("SELECT note, typeof(note) kind FROM users WHERE id = 1"));
  }
  expect(kinds).toEqual([
    { note: 1, kind: "integer" },
    { note: 1.5, kind: "real" },
    { note: 1, kind: "integer" },
    { note: null, kind: "null" },
    { note: "1", kind: "text" },
    { note: 16, kind: "integer" },
    { note: -0.5, kind: "real" },
  ]);
});

test("a row is changed by its key, whatever the key is", async () => {
  expect((await write("app.db:users:2", '{"NAME": "Bob"}')).metadata).toEqual({
    diff: "--- a/app.db:users:2\n+++ b/app.db:users:2\n@@ -1,4 +1,4 @@\n id: 2\n-name: Bo\n+name: Bob\n age: 40\n note: NULL",
    additions: 1,
    deletions: 1,
    op: "update",
  });
  expect((await write("app.db:words:a:b", '{"meaning": "new"}')).output).toBe("Changed app.db:words:a:b.");
  expect((await write("app.db:odd:name:1", '{"value": "second"}')).output).toBe("Changed app.db:odd:name:1.");
  expect((await write("app.db:users:1", '{"id": 10}')).output).toBe("Changed app.db:users:10.");
  // Its column of that name is no row id.
  expect((await write("app.db:hidden:2", '{"value": "2"}')).output).toBe("Changed app.db:hidden:2.");
  expect(rows("SELECT id, name FROM users")).toEqual([
    { id: 2, name: "Bob" },
    { id: 10, name: "Ann" },
  ]);
  expect(rows("SELECT meaning FROM words")).toEqual([{ meaning: "new" }]);
  expect(rows('SELECT value FROM "odd:name"')).toEqual([{ value: "second" }]);
  expect(rows("SELECT value FROM hidden")).toEqual([{ value: "one" }, { value: "2" }]);
});

test("empty content with a key deletes the row, after a person was told", async () => {
  const input = { filePath: "app.db:users:1", content: " \n" };
  expect(tool.needs(input, "/w")).toEqual([
    {
      permission: "edit",
      patterns: ["app.db:users:1", "app.db"],
      always: [],
      access: "write",
      paths: ["/w/app.db:users:1", "/w/app.db"],
    },
  ]);
  expect(await tool.caution?.(input, workshop.newContext())).toBe("It deletes the row app.db:users:1.");
  expect(await preview(input.filePath, input.content)).toBe(
    "Deletes a row of users.\n--- a/app.db:users:1\n+++ b/app.db:users:1\n@@ -1,4 +0,0 @@\n-id: 1\n-name: Ann\n-age: 30\n-note: x",
  );
  expect(rows("SELECT count(*) n FROM users")).toEqual([{ n: 2 }]);
  expect(await write(input.filePath, input.content)).toMatchObject({
    output: "Deleted app.db:users:1.",
    metadata: { op: "delete", destructive: true },
  });
  expect(rows("SELECT id FROM users")).toEqual([{ id: 2 }]);
});

test("a person sees the row before and after, and nothing is changed by that", async () => {
  expect(await preview("app.db:users:1", "{age: 31}")).toBe(
    "--- a/app.db:users:1\n+++ b/app.db:users:1\n@@ -1,4 +1,4 @@\n id: 1\n name: Ann\n-age: 30\n+age: 31\n note: x",
  );
  expect(await preview("app.db:users", "{name: 'Cy'}")).toBe(
    "--- /dev/null\n+++ b/app.db:users\n@@ -0,0 +1,1 @@\n+name: Cy",
  );
  expect(rows("SELECT id, age FROM users")).toEqual([
    { id: 1, age: 30 },
    { id: 2, age: 40 },
  ]);
  const change = { filePath: "app.db:users", content: "{name: 'Cy'}" };
  expect(await tool.caution?.(change, workshop.newContext())).toBeUndefined();
  expect(tool.needs(change, "/w")[0]?.always).toEqual(["app.db:users", "app.db"]);
});

test.each([
  [
    "app.db:pairs:1",
    "{}",
    "pairs has a key of several columns (a, b); change it with bash (sqlite3). Its columns: a, b, c.",
  ],
  ["app.db:pairs", '{"a": 1}', "pairs has a key of several columns (a, b);"],
  ["app.db:bare:1", '{"v": 1}', "bare has no row id; change it with bash (sqlite3). Its columns: id, v."],
  ["app.db:seen:1", '{"name": "x"}', "seen is a view; change it with bash (sqlite3)."],
  ["app.db:users:1", '{"nam": "x"}', "There is no column nam; the table has id, name, age, note."],
  ["app.db:users:1", '{"age": 1, "AGE": 2}', "The column age is named twice; give it one value."],
  ["app.db:users:9", '{"age": 1}', "users has no row with the key 9; write to users alone to insert one."],
  ["app.db:users:9", "", "users has no row with the key 9;"],
  ["app.db:users:", '{"age": 1}', "The key is empty; write to users:KEY, or to users to insert."],
  ["app.db:users", "", "The content is empty;"],
  ["app.db:users", "[1]", "The content is not an object; write the row as"],
  ["app.db:users", "{name: }", "The content is not an object;"],
  ["app.db:users", "{name: Infinity}", "The content is not an object;"],
  ["app.db:users", "{}", "The object contains no columns;"],
  ["app.db:user", "{}", "There is no table user. Similar names: users"],
  ["app.db:sqlite_schema:1", '{"name": "x"}', "There is no table sqlite_schema. Read the database to see its tables."],
  ["app.db", "text", "is not UTF-8 text"],
  ["app.db:", "{}", "Write to app.db:TABLE to insert a row, or to app.db:TABLE:KEY to change one."],
  ["app.db?q=DELETE FROM users", "{}", "Write to app.db:TABLE to insert a row"],
  ["text.db:t", "{}", "text.db is not a valid SQLite database, despite its name."],
])("%s with %j is refused", async (filePath, content, problem) => {
  workshop.put("text.db", "text");
  expect(await validate(filePath, content)).toContain(problem);
  expect(await write(filePath, content)).toMatchObject({ isError: true });
  expect(rows("SELECT id, name, age FROM users")).toEqual([
    { id: 1, name: "Ann", age: 30 },
    { id: 2, name: "Bo", age: 40 },
  ]);
});

test("what a constraint forbids leaves no trace", async () => {
  expect(await write("app.db:users", '{"age": 1}')).toEqual({
    output: "SQLite rejected the change to app.db: NOT NULL constraint failed: users.name. Nothing was changed.",
    isError: true,
    title: "app.db:users",
  });
  expect((await write("app.db:books", '{"author": 99}')).output).toContain("FOREIGN KEY constraint failed");
  expect((await write("app.db:quiet:1", '{"v": "w"}')).output).toBe(
    "The table did not accept the change. Nothing was changed.",
  );
  expect(rows("SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM books) n")).toEqual([{ n: 2 }]);
});

test("a database is never created, and must have been read", async () => {
  expect((await write("none.db:users", '{"a": 1}')).output).toBe(
    "none.db does not exist, and a write does not create databases; make it with bash (sqlite3).",
  );
  expect(existsSync(workshop.at("none.db"))).toBe(false);
  const unread = new DatabaseSync(workshop.at("unread.sqlite"));
  unread.exec("CREATE TABLE t (v)");
  unread.close();
  expect(await validate("unread.sqlite:t", '{"v": 1}')).toBe(
    "unread.sqlite exists but has not been read in this session; read it first.",
  );
});

test("writes at once all arrive, also beside another program", async () => {
  database("PRAGMA journal_mode=WAL");
  const other = new DatabaseSync(workshop.at("app.db"));
  try {
    const names = Array.from({ length: 10 }, (_, index) => `user ${index}`);
    await Promise.all(names.map((name) => write("app.db:users", JSON.stringify({ name }))));
    const found = other.prepare("SELECT name FROM users WHERE id > 2 ORDER BY id").all();
    expect(found.map(({ name }) => name)).toEqual(names);
  } finally {
    other.close();
  }
});
