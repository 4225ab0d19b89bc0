// Covers SQLite databases as targets of `read`, and that nothing asked of them can change anything.
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { hashContent } from "../../file-content.ts";
import { createReadTool, type ReadInput } from "../read.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
  const database = new DatabaseSync(workshop.at("app.db"));
  database.exec(`
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, photo BLOB);
    CREATE TABLE pairs (a, b, PRIMARY KEY (a, b));
    CREATE TABLE "odd:name" (word TEXT);
    CREATE VIEW names AS SELECT name FROM users;
    INSERT INTO "odd:name" VALUES ('one');
    INSERT INTO pairs VALUES (1, 2);
  `);
  const insert = database.prepare("INSERT INTO users VALUES (?, ?, ?)");
  for (let id = 1; id <= 30; id += 1) insert.run(id, `name ${id}`, null);
  insert.run(9_007_199_254_740_993n, "two\nlines", new Uint8Array(3));
  database.close();
});
afterEach(() => workshop.close());

const tool = createReadTool();
const read = (filePath: string, lines: Omit<ReadInput, "filePath"> = {}) =>
  tool.run({ filePath, ...lines }, workshop.newContext());
const shown = async (filePath: string) => (await read(filePath)).output;
const users = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index} | name ${first + index} | NULL\n`).join("");
const header = "id | name | photo\n";

test("a database lists its tables with their counts", async () => {
  expect(await read("app.db")).toEqual({
    output: "names (view)\nodd:name (1 row)\npairs (1 row)\nusers (31 rows)\n(4 of 4 tables and views)",
    title: "app.db",
  });
  // Rows of it may be changed now, but its content was not seen.
  expect([undefined, hashContent(readFileSync(workshop.at("app.db")))]).not.toContain(
    workshop.files.known(workshop.at("app.db")),
  );
});

test("a table shows its schema and five rows", async () => {
  expect(await shown("app.db:users")).toBe(
    `CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, photo BLOB);\n\n${header}${users(1, 5)}(the first 5 rows; more with users?limit=&offset=)`,
  );
  expect(await shown("app.db:odd:name")).toContain("word\none\n");
});

test("a key shows one row", async () => {
  expect(await shown("app.db:users:7")).toBe("id: 7\nname: name 7\nphoto: NULL");
  expect(await shown("app.db:users:9007199254740993")).toBe(
    "id: 9007199254740993\nname: two\\nlines\nphoto: (3 bytes)",
  );
  expect(await shown("app.db:odd:name:1")).toBe("word: one");
  expect(await read("app.db:users:99")).toEqual({
    output: "users has no row with the key 99.",
    isError: true,
    title: "app.db",
  });
  expect(await shown("app.db:pairs:1")).toBe("pairs has no key of one column; use pairs?where= to choose a row.");
});

test("rows are chosen by limit, offset, order and where", async () => {
  expect(await shown("app.db:users?offset=0")).toBe(`${header}${users(1, 20)}(rows 1-20; continue with offset=20)`);
  expect(await shown("app.db:users?limit=2&offset=3")).toBe(
    `${header}${users(4, 5)}(rows 4-5; continue with offset=5)`,
  );
  expect(await shown("app.db:users?where=name LIKE '%;%' OR id = 30&order=-id")).toBe(
    `${header}${users(30, 30)}(rows 1-1)`,
  );
  expect(await shown("app.db:users?order=name desc&limit=1&where=id < 9")).toBe(
    `${header}${users(8, 8)}(rows 1-1; continue with offset=1)`,
  );
  expect(await shown("app.db:users?where=id < 0")).toBe("(no rows)");
});

test("at most 500 rows of a table and 1,000 of an answer are shown", async () => {
  const database = new DatabaseSync(workshop.at("many.sqlite"));
  database.exec(
    "CREATE TABLE n (i INTEGER); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1200) INSERT INTO n SELECT i FROM c",
  );
  database.close();
  expect((await shown("many.sqlite:n?limit=900")).split("\n").slice(-2)).toEqual([
    "500",
    "(rows 1-500; continue with offset=500)",
  ]);
  expect((await shown("many.sqlite?q=SELECT i FROM n")).split("\n").slice(-2)).toEqual([
    "1000",
    "(the first 1000 rows)",
  ]);
});

test("a query is answered, however long it is", async () => {
  expect(await shown("app.db?q=SELECT count(*) AS c, 1/1 AS c FROM users;")).toBe("c | c\n31 | 1\n(1 row)");
  expect(await shown("app.db?q=WITH x AS (SELECT 1 AS a) SELECT a FROM x")).toBe("a\n1\n(1 row)");
  expect(await shown("app.db?q=PRAGMA table_info(pairs)")).toContain("0 | a |");
  expect(await shown(`app.db?q=SELECT id FROM users WHERE name = 'name 3' ${"AND 1 = 1 ".repeat(200)}`)).toBe(
    "id\n3\n(1 row)",
  );
});

test("nothing can be changed, and no other file be reached", async () => {
  const before = hashContent(workshop.text("app.db"));
  const other = workshop.at("other.db");
  for (const statement of [
    "DELETE FROM users",
    "WITH x AS (SELECT 1) DELETE FROM users",
    "SELECT 1; DELETE FROM users",
    `ATTACH '${other}' AS other`,
    `VACUUM INTO '${other}'`,
    "PRAGMA query_only=OFF",
    "PRAGMA table_info(users); DELETE FROM users",
    "EXPLAIN SELECT 1",
    "-- comment",
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c",
    "SELECT load_extension('x')",
  ])
    expect({ statement, isError: (await read(`app.db?q=${statement}`)).isError }).toEqual({ statement, isError: true });
  for (const where of ["1 -- x", "1 /* x", "1; DELETE FROM users", "1) UNION SELECT 1, 2, (3", "id IN (DELETE)", "'"])
    expect({ where, isError: (await read(`app.db:users?where=${where}`)).isError }).toEqual({ where, isError: true });
  expect(hashContent(workshop.text("app.db"))).toBe(before);
  expect(() => workshop.text("other.db")).toThrow("ENOENT");
});

test("a recursion is refused even where it does not say so, if the runtime can tell", async () => {
  const query = "WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 3) SELECT count(*) FROM c";
  const canTell = "setAuthorizer" in DatabaseSync.prototype;
  expect((await read(`app.db?q=${query}`)).isError).toBe(canTell ? true : undefined);
});

test("a database is read while somebody writes to it", async () => {
  const writer = new DatabaseSync(workshop.at("app.db"));
  try {
    writer.exec("PRAGMA journal_mode=WAL; INSERT INTO pairs VALUES (3, 4); BEGIN IMMEDIATE; DELETE FROM pairs");
    expect(await shown("app.db:pairs?order=a")).toBe("a | b\n1 | 2\n3 | 4\n(rows 1-2)");
  } finally {
    writer.close();
  }
});

test("what is not understood is explained", async () => {
  expect(await shown("app.db:user")).toBe("There is no table user in app.db. Similar names: users");
  expect(await shown("app.db?x=1")).toContain("Behind a database follows ?q=SELECT");
  expect(await shown("app.db:users?size=1")).toContain("?limit=&offset=&order=&where=");
  expect(await shown("app.db:users?limit=x")).toBe("limit=x must be a whole number.");
  expect(await shown("app.db:users?order=age")).toBe("order=age is not a column of users; it has id, name, photo");
  expect(await shown("app.db?q=SELECT unheard_of")).toBe(
    `SQLite rejected the query of ${workshop.at("app.db")}: no such column: unheard_of.`,
  );
  expect((await read("app.db:users", { limit: 3 })).output).toContain("TABLE?limit=&offset=");
});

test("name and first bytes must agree", async () => {
  workshop.put("text.db", "one\ntwo\n");
  expect(await shown("text.db:1-2")).toBe("1|one\n2|two\n(lines 1-2 of 2)");
  expect(await read("text.db:users")).toEqual({
    output: `${workshop.at("text.db")} is not a valid SQLite database, despite its name; read it alone.`,
    isError: true,
    title: "text.db",
  });
  expect(await shown("none.db?q=SELECT 1")).toContain(`${workshop.at("none.db")} does not exist.`);
});

test("a query needs the database, and is allowed for all of it", () => {
  expect(tool.needs({ filePath: "app.db?q=SELECT * FROM users" }, "/w")).toEqual([
    {
      permission: "read",
      patterns: ["app.db?q=SELECT * FROM users", "app.db"],
      always: ["app.db", "app.db*"],
      access: "read",
      paths: ["/w/app.db?q=SELECT * FROM users", "/w/app.db"],
    },
  ]);
});
