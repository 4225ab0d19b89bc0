/** Proves where kedge's directory lies, its mode, and the sentence when it cannot be written. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { homeDirectory, openHome } from "./home.ts";

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
      message: `Cannot write to the directory of kedge, ${join(file, "home")} (part of the path is not a directory).`,
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
