/** Two processes that start at once where there was no database: the one that comes second waits instead of failing. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

test("a new database that somebody else is setting up is waited for", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kedge-first-start-"));
  const path = join(folder, "kedge.db");
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  const worker = new Worker(new URL("./fixtures/open-database.ts", import.meta.url), {
    workerData: { path, blobsDirectory: join(folder, "blobs") },
  });
  const told: unknown[] = [];
  worker.on("message", (message) => told.push(message));
  await once(worker, "message");
  // Long enough for one that does not wait to fail.
  for (let turn = 0; turn < 2_000 && told.length === 1; turn += 1) await new Promise(setImmediate);
  other.exec("COMMIT");
  other.close();
  await once(worker, "exit");
  expect(told).toEqual(["opening", "open"]);
  rmSync(folder, { recursive: true, force: true });
});
