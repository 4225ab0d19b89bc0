import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDiskChanges } from "../../src/lsp/client/disk-changes.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kedge-disk-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (name: string, text: string) => {
  mkdirSync(join(root, name, ".."), { recursive: true });
  writeFileSync(join(root, name), text);
};

test("what was made, changed and removed is told once, and nothing that no server reads", () => {
  put("a.ts", "1");
  put("sub/b.ts", "1");
  const changes = createDiskChanges(root, { extensions: new Set([".ts"]), names: new Set(["tsconfig.json"]) });
  const told = () =>
    changes
      .take()
      .map(({ path, type }) => [path.slice(root.length + 1), type])
      .sort();
  expect(told()).toEqual([]);
  put("a.ts", "22");
  put("sub/c.ts", "1");
  rmSync(join(root, "sub/b.ts"));
  put("tsconfig.json", "{}");
  put("notes.md", "1");
  put("node_modules/x/d.ts", "1");
  put(".git/e.ts", "1");
  expect(told()).toEqual([
    ["a.ts", 2],
    ["sub/b.ts", 3],
    ["sub/c.ts", 1],
    ["tsconfig.json", 1],
  ]);
  expect(told()).toEqual([]);
});

test("a change of size is seen at an equal time, a change of time at an equal size", () => {
  put("a.ts", "1");
  const time = new Date(1_700_000_000_000);
  utimesSync(join(root, "a.ts"), time, time);
  const changes = createDiskChanges(root, { extensions: new Set([".ts"]), names: new Set() });
  put("a.ts", "22");
  utimesSync(join(root, "a.ts"), time, time);
  expect(changes.take()).toHaveLength(1);
  put("a.ts", "33");
  expect(changes.take()).toHaveLength(1);
});
