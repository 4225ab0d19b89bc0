/** The real program on a damaged database: it starts, says in one sentence what it kept, and goes on with the session. */
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type CrashBench,
  expectAllClosed,
  expectNothingTwice,
  openCrashBench,
  openStore,
  storedSession,
} from "./crash-bench.ts";

let bench: CrashBench;
beforeEach(async () => {
  bench = await openCrashBench();
});
afterEach(() => bench.close());

const damages: { readonly [name: string]: (path: string) => void } = {
  "a header of zeros": (path) => writeFileSync(path, readFileSync(path).fill(0, 0, 100)),
  "a file cut off": (path) => truncateSync(path, Math.floor(statSync(path).size * 0.8)),
  garbage: (path) => writeFileSync(path, "This was a database once.\n".repeat(1_000)),
};

test.each(Object.keys(damages))("%s", async (name) => {
  const directory = bench.workspace("damaged");
  const path = join(bench.home, "data/kedge.db");
  expect(await bench.run(directory, ["-p", "go"])).toMatchObject({ code: 0 });
  const database = new DatabaseSync(path);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  rmSync(`${path}-wal`, { force: true });
  damages[name]?.(path);

  const listed = await bench.run(directory, ["session", "list"]);
  expect(listed.code).toBe(0);
  const [told, ...more] = listed.stderr.split("\n");
  expect(told).toMatch(/^kedge: The database was damaged.* The old file was moved to \S+\.damaged-\d{8}T\d{6}\.$/);
  expect(more.filter((line) => line.startsWith("kedge:"))).toEqual([]);
  expect(readdirSync(join(bench.home, "data")).filter((file) => /\.damaged-\d{8}T\d{6}$/.test(file))).toHaveLength(1);
  const store = openStore(bench.home);
  const isKept = (await storedSession(store, directory)) !== undefined;
  if (name !== "a file cut off") expect(isKept).toBe(name !== "garbage");
  const again = await bench.run(directory, ["-p", ...(isKept ? ["--continue"] : []), "go on"]);
  expect(again).toMatchObject({ code: 0, stdout: "All turns done.\n", stderr: "" });
  const stored = await storedSession(store, directory);
  if (stored === undefined) throw new Error("the session is gone");
  expectAllClosed(stored);
  // Of what was lost the model knows nothing, and may do it again.
  if (name === "a header of zeros") expectNothingTwice(directory);
  await store.close();
});
