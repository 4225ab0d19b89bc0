/** Proves where kedge's directory lies, its mode, and the sentence when it cannot be written. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { homeDirectory, openHome, siblingHomes } from "./home.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-home-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("KEDGE_HOME moves the directory; an empty value does not", () => {
  expect(homeDirectory({ KEDGE_HOME: "/elsewhere" }, "/home/ada")).toBe("/elsewhere");
  expect(homeDirectory({ KEDGE_HOME: "" }, "/home/ada")).toBe("/home/ada/.kedge");
  expect(homeDirectory({}, "/home/ada")).toBe("/home/ada/.kedge");
});

test("a profile has a folder of its own below, and its name is checked", () => {
  expect(homeDirectory({ KEDGE_PROFILE: "work" }, "/home/ada")).toBe("/home/ada/.kedge/profiles/work");
  expect(homeDirectory({ KEDGE_PROFILE: "a_1-b", KEDGE_HOME: "/x" }, "/home/ada")).toBe("/x/profiles/a_1-b");
  expect(homeDirectory({ KEDGE_PROFILE: "" }, "/home/ada")).toBe("/home/ada/.kedge");
  for (const name of ["..", "Work", "a/b", "-a", "a".repeat(33), "a b"]) {
    expect(() => homeDirectory({ KEDGE_PROFILE: name }, "/home/ada")).toThrow("KEDGE_PROFILE must be a name");
  }
});

test("from every profile, the secrets of all others are known", () => {
  const [base, work, play] = [directory, join(directory, "profiles/work"), join(directory, "profiles/play")];
  expect(siblingHomes(base)).toEqual([base]);
  for (const each of [work, play]) openHome(each);
  expect(siblingHomes(base).toSorted()).toEqual([base, play, work]);
  expect(siblingHomes(work).toSorted()).toEqual([base, play, work]);
});

test("a new home is private to its owner", () => {
  const root = join(directory, "deep", "home");
  const opened = openHome(root);
  expect(opened).toEqual({
    ok: true,
    home: {
      directory: root,
      data: join(root, "data"),
      database: join(root, "data", "kedge.db"),
      blobs: join(root, "data", "blobs"),
      snapshots: join(root, "data", "snapshots"),
    },
  });
  expect(statSync(root).mode & 0o777).toBe(0o700);
  expect(statSync(join(root, "data")).mode & 0o777).toBe(0o700);
});

test("a home that cannot be made is one sentence and a way out", () => {
  const file = join(directory, "file");
  writeFileSync(file, "");
  expect(openHome(join(file, "home"))).toEqual({
    ok: false,
    failure: {
      code: "storage",
      message: `Cannot write to the kedge directory ${join(file, "home")} (part of the path is not a directory).`,
      recovery: "Make it writable, or set KEDGE_HOME to a directory that is.",
      retryable: false,
    },
  });
});

test("a place where the system makes no directories is refused at once", () => {
  expect(openHome("/proc/kedge/home")).toMatchObject({
    ok: false,
    failure: { code: "storage", message: expect.stringContaining("/proc/kedge/home") },
  });
});
