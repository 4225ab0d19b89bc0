/** Proves that a file is replaced whole or stays as it was, and that nothing is left beside it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFile, replaceFileInPieces } from "./replace-file.ts";

let directory = "";
let path = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-replace-"));
  path = join(directory, "file");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("both ways make the file and replace it, for its owner only unless told otherwise", async () => {
  replaceFile(path, "one");
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["one", 0o600]);
  replaceFile(path, "two", { mode: 0o640 });
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["two", 0o640]);
  await replaceFileInPieces(path, ["th", "ree"]);
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["three", 0o600]);
  expect(readdirSync(directory)).toEqual(["file"]);
});

test("a text that breaks off leaves the older one", async () => {
  replaceFile(path, "one");
  async function* breaking() {
    yield "tw";
    throw new Error("no more");
  }
  await expect(replaceFileInPieces(path, breaking())).rejects.toThrow("no more");
  expect(readFileSync(path, "utf8")).toBe("one");
  expect(readdirSync(directory)).toEqual(["file"]);
});

test("where nothing can be put, nothing is left behind", async () => {
  mkdirSync(path);
  mkdirSync(join(path, "inside"));
  expect(() => replaceFile(path, "one")).toThrow();
  await expect(replaceFileInPieces(path, ["one"])).rejects.toThrow();
  expect(readdirSync(directory)).toEqual(["file"]);
});
