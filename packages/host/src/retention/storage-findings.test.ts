/** Proves what is said about stored sessions: room, files that are missing or truncated, and databases put aside. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@kedge/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome } from "../machine/home.ts";
import { storageFindings } from "./storage-findings.ts";

let directory = "";
let home: Home;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-findings-"));
  const opened = openHome(directory);
  if (!opened.ok) throw new Error(opened.failure.message);
  home = opened.home;
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const findings = () => storageFindings({ home, storage: {}, now: () => 0 });

async function storeBlobs(texts: readonly string[]): Promise<readonly string[]> {
  const place = { path: home.database, blobsDirectory: home.blobs };
  const opened = openSqliteStore({ ...place, now: () => 0, randomBytes, isAlive: () => false });
  if (!opened.ok) throw new Error(opened.failure.message);
  const paths: string[] = [];
  for (const text of texts) {
    const sha256 = await opened.store.putBlob(Buffer.from(text));
    paths.push(join(home.blobs, sha256.slice(0, 2), sha256));
  }
  await opened.store.close();
  return paths;
}

test("where nothing was stored, nothing is made", async () => {
  expect(await findings()).toEqual([{ name: "storage", state: "ok", detail: "no sessions stored yet" }]);
});

test("files that are gone and files that were cut short are counted, with what to do", async () => {
  const [whole = "", gone = "", cut = ""] = await storeBlobs(["whole", "gone", "cut short"]);
  const before = await findings();
  expect(before.map(({ name, state, detail }) => [name, state, name === "sessions" ? detail : ""])).toEqual([
    ["storage", "ok", ""],
    ["sessions", "ok", "0 stored"],
  ]);
  rmSync(gone);
  truncateSync(cut, 3);
  const [, sessions] = await findings();
  expect(sessions).toEqual({
    name: "sessions",
    state: "warning",
    detail: `0 stored; 2 of their files in ${home.blobs} are missing or truncated`,
    advice: "Restore that directory from a backup. kedge session verify --all lists the affected sessions.",
  });
  rmSync(whole);
  const [, worse] = await findings();
  expect(worse?.detail).toContain("3 of their files");
});

test("databases that were put aside are named with their size", async () => {
  await storeBlobs([]);
  const first = `${home.database}.damaged-20260102T030405`;
  const second = `${home.database}.damaged-20260102T030405-2`;
  writeFileSync(first, "x".repeat(2_000));
  writeFileSync(`${first}-wal`, "x".repeat(48));
  writeFileSync(second, "");
  writeFileSync(`${home.database}.damaged-notes`, "mine");
  const found = (await findings()).find(({ name }) => name === "damaged");
  expect(found).toEqual({
    name: "damaged",
    state: "warning",
    detail: `set aside as damaged: ${first} (2 KB), ${second} (0 bytes)`,
    advice: "Readable data was recovered. Check it with kedge session verify --all, then delete these files.",
    files: [
      { path: first, bytes: 2_048 },
      { path: second, bytes: 0 },
    ],
  });
});
