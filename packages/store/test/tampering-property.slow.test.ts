/** Tampering with a SQLite database. */
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rounds } from "@kedge/testing";
import { afterAll, beforeAll } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { behindSqlite } from "./forged-chain.ts";
import { type ForgedPlace, tamperingContract } from "./tampering-contract.ts";

let folder: string;
let places = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-tampering-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function newPlace(): ForgedPlace {
  places += 1;
  const path = join(folder, `place-${places}.db`);
  return {
    async open(journalKey) {
      const world = { now: () => 1_700_000_000_000, randomBytes, isAlive: () => true };
      const found = openSqliteStore({ ...world, path, blobsDirectory: join(folder, "blobs"), journalKey });
      if (!found.ok) throw new Error(found.failure.message);
      return found.store;
    },
    behind: behindSqlite(path),
    async copy() {
      const copied = newPlace();
      copyFileSync(path, join(folder, `place-${places}.db`));
      return copied;
    },
  };
}

tamperingContract("sqlite", rounds({ usual: 15, long: 200 }), async () => newPlace());
