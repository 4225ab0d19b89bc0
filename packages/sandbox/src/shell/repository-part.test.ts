import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isProtectedPath } from "./protected-targets.ts";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kedge-bare-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("what belongs to a bare repository, or would complete one, is protected", () => {
  const isProtected = (name: string) => isProtectedPath(join(root, name), { home: "/home/dev", root });
  for (const name of ["src/hooks/use-thing.ts", "config", "src/refs/a.ts", "objects/x.ts", "HEAD"])
    expect([name, isProtected(name)]).toEqual([name, false]);
  mkdirSync(join(root, "sub/objects"), { recursive: true });
  mkdirSync(join(root, "sub/refs"));
  expect(isProtected("sub/config")).toBe(false);
  expect(isProtected("sub/HEAD")).toBe(true);
  writeFileSync(join(root, "sub/HEAD"), "ref: refs/heads/main\n");
  for (const name of ["sub/config", "sub/hooks/post-checkout", "sub/info/attributes", "sub/objects/x", "sub/commondir"])
    expect([name, isProtected(name)]).toEqual([name, true]);
  expect(isProtected("sub/readme.md")).toBe(false);
});
