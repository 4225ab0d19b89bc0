/** Mailboxes under many writers: nothing is lost, and whoever looks finds a whole file. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Letter } from "@kedge/agents/teams";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openMailboxes } from "../../src/teams/team-parts.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-mail-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mailboxes = openMailboxes({ now: Date.now, newId: () => crypto.randomUUID() });

function writer(path: string, name: string, count: number) {
  const program = join(import.meta.dirname, "mailbox-writer.ts");
  return spawn(process.execPath, [program, path, name, `${count}`], { stdio: "ignore" });
}

test("ten processes write fifty messages each: 500 messages, and valid JSON at every look", async () => {
  const path = join(folder, "inboxes", "reader.json");
  const writers = Array.from({ length: 10 }, (_, index) => writer(path, `writer${index}`, 50));
  const codes: (number | null)[] = [];
  for (const each of writers) each.once("close", (code) => codes.push(code));
  let looks = 0;
  let most = 0;
  while (codes.length < writers.length) {
    if (existsSync(path)) {
      const letters = JSON.parse(readFileSync(path, "utf8")) as Letter[];
      expect(letters.length).toBeGreaterThanOrEqual(most);
      most = letters.length;
      looks += 1;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(codes).toEqual(writers.map(() => 0));
  expect(looks).toBeGreaterThan(10);
  const letters = mailboxes.unread(path);
  expect(letters).toHaveLength(500);
  expect(new Set(letters.map(({ id }) => id)).size).toBe(500);
  // Of each writer in the order in which it wrote.
  for (let index = 0; index < 10; index += 1) {
    const own = letters.filter(({ from }) => from === `writer${index}`).map(({ id }) => id);
    expect(own).toEqual(Array.from({ length: 50 }, (_, number) => `writer${index}-${number}`));
  }
});

test("a writer killed by -9 in mid-write leaves no lock and no half file", async () => {
  const path = join(folder, "reader.json");
  const killed = writer(path, "killed", 100_000);
  while (!existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
  const gone = new Promise((resolve) => killed.once("close", resolve));
  killed.kill("SIGKILL");
  await gone;
  await mailboxes.put(path, { id: "after", from: "b", to: "reader", time: Date.now(), text: "hello" });
  expect(mailboxes.unread(path).at(-1)).toMatchObject({ id: "after" });
});

test("reading marks nothing, old read messages go, unread ones stay, and clearing a missing mailbox makes none", async () => {
  const path = join(folder, "reader.json");
  const day = 24 * 60 * 60 * 1_000;
  const letter = (id: string, time: number) => ({ id, from: "a", to: "reader", time, text: id });
  await mailboxes.clear(path);
  expect(existsSync(path)).toBe(false);
  expect(mailboxes.unread(path)).toEqual([]);
  await mailboxes.put(path, letter("old", Date.now() - 2 * day));
  await mailboxes.put(path, letter("waiting", Date.now() - 2 * day));
  await mailboxes.put(path, letter("new", Date.now()));
  expect(mailboxes.unread(path).map(({ id }) => id)).toEqual(["old", "waiting", "new"]);
  await mailboxes.markRead(path, ["old", "new"]);
  expect(mailboxes.unread(path).map(({ id }) => id)).toEqual(["waiting"]);
  await mailboxes.put(path, letter("last", Date.now()));
  const stored = JSON.parse(readFileSync(path, "utf8")) as Letter[];
  expect(stored.map(({ id }) => id)).toEqual(["waiting", "new", "last"]);
});

test("what is not a message is passed over", async () => {
  const path = join(folder, "reader.json");
  writeFileSync(
    path,
    JSON.stringify([1, { id: "x" }, { id: "y", from: "a", to: "b", time: 1, text: "t", read: false }]),
  );
  expect(mailboxes.unread(path).map(({ id }) => id)).toEqual(["y"]);
  writeFileSync(path, "not json");
  expect(mailboxes.unread(path)).toEqual([]);
});

test("a file that was cut off is kept aside, and the next message arrives", async () => {
  const path = join(folder, "reader.json");
  writeFileSync(path, '[{"id":"a","fr');
  expect(mailboxes.unread(path)).toEqual([]);
  await mailboxes.put(path, { id: "b", from: "x", to: "reader", time: Date.now(), text: "hello" });
  expect(mailboxes.unread(path).map(({ id }) => id)).toEqual(["b"]);
  expect(readFileSync(`${path}.damaged`, "utf8")).toBe('[{"id":"a","fr');
});
