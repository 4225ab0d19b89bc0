/** A database of many sessions, copies of it that a test damages, and what must hold after each start. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Fact, type FactRecord, FailureError, type Store } from "@kedge/protocol";
import type { SeededRandom } from "@kedge/testing";
import { expect } from "vitest";
import { rowHash } from "../src/chain.ts";
import { openSqliteStore, type SqliteStoreOptions } from "../src/index.ts";
import { markDamaged } from "../src/rescue/rescue-database.ts";

export const sessionIds = Array.from({ length: 12 }, (_, index) => `ses_${String(index).padStart(23, "0")}`);
const databaseName = "kedge.db";

export type Started = { readonly store: Store; readonly notice: string | undefined };

export type RescueBench = Awaited<ReturnType<typeof openRescueBench>>;

export async function openRescueBench(random: SeededRandom) {
  const folder = mkdtempSync(join(tmpdir(), "kedge-rescue-"));
  const kept = join(folder, "kept");
  let variants = 0;
  const written = new Map<string, readonly FactRecord[]>();

  function optionsAt(directory: string, isAlive = false): SqliteStoreOptions {
    return {
      path: join(directory, databaseName),
      blobsDirectory: join(directory, "blobs"),
      now: () => 1_700_000_000_000,
      randomBytes: (size) => Uint8Array.from({ length: size }, () => Math.floor(random.next() * 256)),
      isAlive: () => isAlive,
    };
  }

  function variant(damage: (database: string) => void): SqliteStoreOptions {
    variants += 1;
    const directory = join(folder, `variant-${variants}`);
    copyAll(kept, directory);
    damage(join(directory, databaseName));
    return optionsAt(directory);
  }

  /** How many records of each session SQLite itself still reads as they were, from the first one on. */
  function readableWithSqlite(options: SqliteStoreOptions): ReadonlyMap<string, number> {
    const copy = join(folder, "looked-at");
    rmSync(copy, { recursive: true, force: true });
    copyAll(join(options.path, ".."), copy);
    const readable = new Map<string, number>();
    try {
      const database = new DatabaseSync(join(copy, databaseName));
      const statement = database.prepare(
        "SELECT f.seq, f.time, f.type, f.version, f.data, f.prev, f.hash FROM fact f JOIN session s ON s.key = f.session WHERE s.id = ? AND f.seq = ?",
      );
      for (const sessionId of sessionIds) readable.set(sessionId, prefixOf(written.get(sessionId) ?? [], statement));
      database.close();
    } catch (error) {
      if (!(error instanceof Error && "errcode" in error)) throw error;
    }
    return readable;
  }

  /** Every session is whole or a verified beginning of what it was, and says so; it can be written to again. */
  async function expectSound({ store }: Started, readable: ReadonlyMap<string, number>): Promise<number> {
    let kept = 0;
    const listed = new Set((await store.sessions({ limit: 100 })).map(({ sessionId }) => sessionId));
    for (const sessionId of sessionIds) {
      const least = readable.get(sessionId) ?? 0;
      if (!listed.has(sessionId)) {
        expect({ sessionId, least }).toEqual({ sessionId, least: 0 });
        continue;
      }
      expect(await store.verify(sessionId)).toMatchObject({ sessionId, valid: true });
      const before = written.get(sessionId) ?? [];
      const records = await readRecords(store, sessionId);
      const added = records.filter(({ fact }) => fact.type === "journal.recovered" || fact.type === "content.removed");
      const own = records.slice(0, records.length - added.length);
      expect(own.map(({ hash }) => hash)).toEqual(before.slice(0, own.length).map(({ hash }) => hash));
      expect(own.filter(({ removed }) => !removed)).toEqual(
        before.filter(({ seq }) => own[seq - 1] && !own[seq - 1]?.removed),
      );
      expect(own.length).toBeGreaterThanOrEqual(least);
      // What a cut log takes with it leaves no trace; what is known to be missing is said.
      if (own.some(({ removed }) => removed) || added.length > 0)
        expect(added.at(-1)?.fact.type).toBe("journal.recovered");
      kept += own.length;
      const holder = { boot: "boot-2", pid: 2, startedAt: "" };
      expect(await store.acquireLease(sessionId, holder)).toEqual({ ok: true });
      const resumed: Fact = { type: "session.resumed", boot: "boot-2", mode: "default" };
      expect(await store.append(sessionId, [resumed], { boot: "boot-2", durable: false })).toMatchObject({ ok: true });
      expect(await store.verify(sessionId)).toMatchObject({ valid: true });
    }
    return kept;
  }

  const wholeCount = () => [...written.values()].reduce((sum, records) => sum + records.length, 0);

  async function expectSurvives(
    damage: (database: string) => void,
  ): Promise<{ kept: number; notice: string | undefined }> {
    const options = variant(damage);
    const readable = readableWithSqlite(options);
    let used = await startAndUse(options);
    const reports = await Promise.all(sessionIds.map((sessionId) => used.store.verify(sessionId)));
    if (used.notice === undefined && reports.some(({ valid }) => !valid)) {
      // Changed without SQLite noticing: verify names it, and a rescue deals with it as well.
      await used.store.close();
      markDamaged(options.path, options.now);
      used = start(options);
    }
    const kept = await expectSound(used, readable);
    await used.store.close();
    if (used.notice !== undefined) {
      const aside = /The old file was moved to (.*)\.$/.exec(used.notice)?.[1] ?? "";
      expect(statSync(aside).isFile()).toBe(true);
    }
    rmSync(join(options.path, ".."), { recursive: true });
    return { kept, notice: used.notice };
  }

  const original = join(folder, "original");
  mkdirSync(original);
  const opened = openSqliteStore(optionsAt(original));
  if (!opened.ok) throw new Error(opened.failure.message);
  for (const [index, sessionId] of sessionIds.entries()) await fill(opened.store, random, { sessionId, index });
  await opened.store.messages(sessionIds[0] ?? "", { limit: 10 });
  // While it is open, the newest facts lie in the log; so they do after a crash.
  for (const sessionId of sessionIds) written.set(sessionId, await readRecords(opened.store, sessionId));
  copyAll(original, kept);
  await opened.store.close();

  return {
    written,
    optionsAt,
    variant,
    start,
    startAndUse,
    readAll: readRecords,
    expectSound,
    expectSurvives,
    readableWithSqlite,
    wholeCount,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function start(options: SqliteStoreOptions): Started {
  const opened = openSqliteStore(options);
  if (!opened.ok) throw new Error(opened.failure.message);
  const { notice } = opened;
  return { store: opened.store, notice: notice && `${notice.message} ${notice.recovery}` };
}

/** What a person does: goes on with every session; when told to start again, does so, once. */
async function startAndUse(options: SqliteStoreOptions): Promise<Started> {
  const first = start(options);
  try {
    await useAll(first.store);
    return first;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    expect(error.failure.recovery).toBe("Restart kedge to recover everything that can be read.");
    await first.store.close().catch(() => undefined);
    const second = start(options);
    expect(second.notice).toMatch(/^The database was damaged.* The old file was moved to /);
    await useAll(second.store);
    return second;
  }
}

async function useAll(store: Store): Promise<void> {
  for (const { sessionId } of await store.sessions({ limit: 100 })) {
    await readRecords(store, sessionId);
    await store.messages(sessionId, { limit: 5 });
    await store.acquireLease(sessionId, { boot: "boot-used", pid: 3, startedAt: "" });
    await store.releaseLease(sessionId, "boot-used");
  }
  await store.search({ text: "prompt", limit: 5 });
}

async function readRecords(store: Store, sessionId: string): Promise<readonly FactRecord[]> {
  const records: FactRecord[] = [];
  for await (const record of store.read(sessionId, 0)) records.push(record);
  return records;
}

/** The number of the last record of the beginning that is as it was. */
function prefixOf(
  records: readonly FactRecord[],
  statement: { get(...values: (string | number)[]): Record<string, unknown> | undefined },
) {
  let seq = 0;
  for (const record of records) {
    try {
      const row = statement.get(record.sessionId, record.seq);
      // The columns of a table that SQLite has read.
      if (row === undefined || rowHash(row as Parameters<typeof rowHash>[0]) !== record.hash) break;
      if (row["hash"] !== record.hash) break;
    } catch {
      break;
    }
    seq = record.seq;
  }
  return seq;
}

async function fill(
  store: Store,
  random: SeededRandom,
  { sessionId, index }: { sessionId: string; index: number },
): Promise<void> {
  const created: Fact = {
    type: "session.created",
    directory: `/project-${index}`,
    projectId: "project",
    model: "mock/model",
    mode: "default",
    kedgeVersion: "0",
    boot: "boot-1",
  };
  await store.append(sessionId, [created], { boot: "boot-1", durable: false });
  for (let turn = 0; turn < 25; turn += 1) {
    const length = turn === 20 && index === 3 ? 300_000 : Math.floor(random.next() ** 4 * 20_000);
    const text = `prompt ${turn} ${"x".repeat(length)}`;
    const prompt: Fact = {
      type: "prompt.admitted",
      promptId: `p${turn}`,
      runId: `r${turn}`,
      delivery: "steer",
      text,
    };
    await store.append(sessionId, [prompt, { type: "mode.changed", mode: "plan" }], {
      boot: "boot-1",
      durable: true,
    });
  }
}

function copyAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const target = join(to, entry.parentPath.slice(from.length), entry.name);
    if (entry.isDirectory()) mkdirSync(target, { recursive: true });
    else copyFileSync(join(entry.parentPath, entry.name), target);
  }
}
