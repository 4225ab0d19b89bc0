/** Which directories may hold memory. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isInDirectory, validateDirectory } from "./validate-directory.ts";

let home = "";
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "kedge-home-")));
  for (const folder of [".ssh", ".kedge/projects/p/memory", "notes", "memory-evil"])
    mkdirSync(join(home, folder), { recursive: true });
  symlinkSync(join(home, ".ssh"), join(home, "looks-harmless"));
  symlinkSync(home, join(home, "notes/home"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const validated = (given: string) => validateDirectory(given, { home, kedgeHome: join(home, ".kedge") });

test.each([
  ["relative/path"],
  ["./memory"],
  [""],
  ["/"],
  ["/a"],
  ["//server/share"],
  ["\\\\server\\share"],
  ["C:\\"],
  ["C:"],
  ["/tmp/a\0b"],
  ["~"],
  ["~/"],
  ["~/."],
  ["$HOME"],
  ["$HOME/."],
  ["$HOME/notes/.."],
  ["~/.ssh"],
  ["~/.ssh/memory"],
  ["~/.aws/x"],
  ["~/.kedge"],
  ["~/.kedge/memory"],
  ["~/.kedge/projects"],
  ["~/looks-harmless/memory"],
  ["~/notes/home"],
])("%j is refused", (given) => {
  expect(validated(given)).toEqual({ ok: false, why: expect.any(String) });
});

test("what contains the home is refused, and what lies beside it is not", () => {
  expect(validated(join(home, ".."))).toMatchObject({ ok: false });
  expect(validated("~/notes/deep/memory")).toEqual({ ok: true, directory: `${home}/notes/deep/memory/` });
  expect(validated("~/notes//deep/../memory/")).toEqual({ ok: true, directory: `${home}/notes/memory/` });
  expect(validated(join(home, ".kedge/projects/p/memory"))).toMatchObject({ ok: true });
});

test("a name that only begins the same is not inside", () => {
  expect(isInDirectory(join(home, "notes/a.md"), join(home, "notes/"))).toBe(true);
  expect(isInDirectory(join(home, "notes-evil/a.md"), join(home, "notes"))).toBe(false);
  expect(isInDirectory(join(home, "notes/../memory-evil/a.md"), join(home, "notes"))).toBe(false);
  expect(isInDirectory(join(home, "notes/home/a.md"), join(home, "notes"))).toBe(false);
});
