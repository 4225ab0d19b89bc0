/** A server that stops, crashes, refuses or does not exist: one sentence with one next step, and no password in it. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { FailureError, type Store } from "@kedge/protocol";
import { type PostgresCluster, startPostgres, type TestDatabase } from "@kedge/testing/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgresStore, readDatabaseAddress } from "../src/postgres/index.ts";
import { created, prompt } from "./sample-facts.ts";
import { appended, readAll, validReport } from "./store-site.ts";

let cluster: PostgresCluster;
let database: TestDatabase;

beforeAll(async () => {
  cluster = await startPostgres();
  database = await cluster.newDatabase();
});
afterAll(() => cluster?.end());

const world = { now: Date.now, randomBytes, isAlive: () => true, machine: "machine-1" };
const name = () => `127.0.0.1:${cluster.port}/${database.name}`;

async function openStore(url = database.url): Promise<Store> {
  const opened = await openPostgresStore({ ...world, url });
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.store;
}

async function failureOf(work: () => Promise<unknown>) {
  const error = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FailureError)) throw new Error(`no failure: ${String(error)}`);
  return error.failure;
}

const refusal = async (url: string) => {
  const opened = await openPostgresStore({ ...world, url });
  if (opened.ok) await opened.store.close();
  return opened.ok ? undefined : opened.failure;
};

describe("a server that stops", () => {
  test("is told in one sentence, and after its start the same store goes on", async () => {
    const store = await openStore();
    await appended(store, "ses_1", [created]);
    await cluster.stop("fast");
    const unreachable = {
      code: "storage",
      message: `The PostgreSQL database ${name()} cannot be reached.`,
      recovery: "Check that the server is running and the URL is correct.",
      retryable: true,
    };
    expect(await failureOf(() => appended(store, "ses_1", [prompt("lost")]))).toEqual(unreachable);
    expect(await failureOf(() => readAll(store, "ses_1"))).toEqual(unreachable);
    await cluster.start();
    await appended(store, "ses_1", [prompt("again")]);
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 2, 0));
    await store.close();
  });

  test("in the middle of a statement loses the connection, and nothing of the transaction is stored", async () => {
    const store = await openStore();
    await appended(store, "ses_2", [created]);
    // Holds what every append needs, so that the append waits.
    const blocker = new pg.Client({ connectionString: database.url });
    blocker.on("error", () => undefined);
    await blocker.connect();
    await blocker.query("BEGIN; UPDATE kedge.place SET last = last");
    const waiting = failureOf(() => appended(store, "ses_2", [prompt("never")]));
    // What the server does to whoever is connected when it stops.
    const ending = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND query LIKE 'WITH listed%'`;
    while ((await database.query(ending)).length === 0);
    expect(await waiting).toMatchObject({
      code: "storage",
      message: `The connection to the PostgreSQL database ${name()} was lost.`,
      retryable: true,
    });
    await blocker.end();
    expect(await readAll(store, "ses_2")).toHaveLength(1);
    await appended(store, "ses_2", [prompt("now")]);
    expect(await store.verify("ses_2")).toEqual(validReport("ses_2", 2, 0));
    await store.close();
  });

  test("answering a statement is a failure worth retrying, and the connection is used again", async () => {
    const store = await openStore();
    await appended(store, "ses_5", [created]);
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query("BEGIN; UPDATE kedge.place SET last = last");
    const waiting = failureOf(() => appended(store, "ses_5", [prompt("never")]));
    // What the server does when the limit of a statement has passed.
    const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND query LIKE 'WITH listed%'`;
    while ((await database.query(cancel)).length === 0);
    expect(await waiting).toEqual({
      code: "storage",
      message: `The PostgreSQL database ${name()} did not respond in time.`,
      recovery: "Try again, or check the server load.",
      retryable: true,
    });
    await blocker.end();
    await appended(store, "ses_5", [prompt("now")]);
    expect(await store.verify("ses_5")).toEqual(validReport("ses_5", 2, 0));
    await store.close();
  });

  test("by a crash keeps what was waited for, and never gives a number twice", async () => {
    const store = await openStore();
    await store.append("ses_3", [created, prompt("durable")], { boot: "boot-1", durable: true });
    await store.append("ses_3", [prompt("soon")], { boot: "boot-1", durable: false });
    await cluster.stop("crash");
    await cluster.start();
    const stored = await readAll(store, "ses_3");
    expect(stored.length).toBeGreaterThanOrEqual(2);
    if (stored.length === 3) await appended(store, "ses_3", [prompt("nothing was lost")]);
    else {
      const message = `The PostgreSQL database ${name()} stopped and lost the last record of this session.`;
      expect(await failureOf(() => appended(store, "ses_3", [prompt("x")]))).toMatchObject({ message });
      await appended(store, "ses_3", [prompt("after the session was opened again")]);
    }
    expect((await store.verify("ses_3")).valid).toBe(true);
    await store.close();
  });

  test("whoever appended records that the server lost is told so once", async () => {
    const store = await openStore();
    await appended(store, "ses_4", [created, prompt("one"), prompt("two")]);
    await database.query(
      `DELETE FROM kedge.fact WHERE seq > 1 AND session = (SELECT key FROM kedge.session WHERE id = 'ses_4')`,
    );
    await database.query("UPDATE kedge.session SET last_seq = 1 WHERE id = 'ses_4'");
    expect(await failureOf(() => appended(store, "ses_4", [prompt("three")]))).toEqual({
      code: "storage",
      message: `The PostgreSQL database ${name()} stopped and lost the last 2 records of this session.`,
      recovery: "Reopen the session to continue from what is stored.",
      retryable: false,
    });
    expect((await appended(store, "ses_4", [prompt("three")]))[0]?.seq).toBe(2);
    await store.close();
  });
});

describe("opening", () => {
  const secret = "tops3cret";
  const withPassword = () => `postgres://kedge:${secret}@127.0.0.1:${cluster.port}/${database.name}`;

  test("says what is wrong, and never the password", async () => {
    const nobody = await unusedPort();
    const url = `postgres://kedge:${secret}@127.0.0.1:${nobody}/sessions`;
    const found = [
      await refusal(withPassword()),
      await refusal(database.url.replace(database.name, "missing")),
      await refusal(url),
      await refusal(`${database.url}?sslmode=require`),
      await refusal(`mysql://kedge:${secret}@127.0.0.1/sessions`),
      await refusal(`not a URL ${secret}`),
      await refusal(`postgres://kedge:${secret}@127.0.0.1:${nobody}`),
    ];
    const place = `127.0.0.1:${cluster.port}`;
    expect(found.map((failure) => `${failure?.message} ${failure?.recovery}`)).toEqual([
      `The PostgreSQL database ${name()} refused the login. Check the user and password in the URL.`,
      `The PostgreSQL database ${place}/missing does not exist. Create it with createdb, or fix the URL.`,
      `The PostgreSQL database 127.0.0.1:${nobody}/sessions cannot be reached. Check that the server is running and the URL is correct.`,
      `The certificate of the PostgreSQL database ${name()} is not trusted. Check sslmode and sslrootcert in the URL.`,
      "The database URL is not a PostgreSQL URL. Write postgres://user@host:5432/database.",
      "The database URL is not a PostgreSQL URL. Write postgres://user@host:5432/database.",
      "The database URL has no database name. Add its name to the URL, such as /kedge.",
    ]);
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  test("refuses a user who may create nothing, and says what to grant", async () => {
    await database.query("CREATE ROLE visitor LOGIN PASSWORD 'guest'");
    const other = await cluster.newDatabase();
    const failure = await refusal(other.url.replace(/\/\/[^@]+@/, "//visitor:guest@"));
    expect(failure?.recovery).toBe("Make the user owner of the database, or grant it CREATE.");
  });
});

test.each([
  ["postgres://ann:pass%40word@db.example:6543/team", "db.example:6543/team"],
  ["postgresql://db.example/team?sslmode=require", "db.example:5432/team"],
  ["postgres:///team?host=/run/postgresql", "/run/postgresql:5432/team"],
  ["postgres://ann@[::1]/team%20one", "[::1]:5432/team one"],
])("%s is called %s", (url, expected) => {
  const read = readDatabaseAddress(url);
  expect(read.ok && read.address.name).toBe(expected);
});

function unusedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
