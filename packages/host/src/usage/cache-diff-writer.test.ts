import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCacheDiffWriter } from "./cache-diff-writer.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-diff-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const time = Date.UTC(2026, 0, 2, 3, 4, 5, 6);

test("a difference is written where only its owner can read it", async () => {
  const directory = join(folder, "debug", "cache");
  const path = await createCacheDiffWriter(directory, () => time)("../cache-break-1.diff", "text\n");
  expect(path).toBe(join(directory, "2026-01-02T03-04-05-006Z-cache-break-1.diff"));
  expect(readFileSync(path ?? "", "utf8")).toBe("text\n");
  expect(statSync(path ?? "").mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("the newest fifty stay, and nothing else in the folder is touched", async () => {
  writeFileSync(join(folder, "0-notes.txt"), "");
  let now = time;
  const write = createCacheDiffWriter(folder, () => now);
  for (let index = 0; index < 52; index += 1) {
    now += 1;
    await write(`${index}.diff`, "");
  }
  const names = readdirSync(folder).sort();
  expect(names).toHaveLength(51);
  expect([names[0], names[1], names.at(-1)]).toEqual([
    "0-notes.txt",
    "2026-01-02T03-04-05-009Z-2.diff",
    "2026-01-02T03-04-05-058Z-51.diff",
  ]);
});

test("a folder that cannot be made gives no path", async () => {
  writeFileSync(join(folder, "file"), "");
  expect(await createCacheDiffWriter(join(folder, "file", "debug"), () => time)("a.diff", "")).toBeUndefined();
});
