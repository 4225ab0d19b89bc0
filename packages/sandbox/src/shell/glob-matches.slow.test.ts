// Compares with what bash itself makes of the same patterns.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findMatches } from "./glob-matches.ts";

let top = "";

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "kedge-matches-")));
  for (const folder of ["one/in", "two/in", ".hidden"]) mkdirSync(join(top, folder), { recursive: true });
  for (const name of ["a.ts", "b.ts", ".env", ".envrc", "one/a.ts", "two/in/c.ts", "plus+.ts", "one/in/$x"])
    writeFileSync(join(top, name), "");
  symlinkSync("two", join(top, "link"));
  symlinkSync("../.env", join(top, "one", "secret"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

test.each([
  "*",
  "*.ts",
  "?.ts",
  "*/a.ts",
  "*/*/*",
  "*/in/*",
  "link/../*.ts",
  ".env*",
  "one/*",
  "none*",
  "*/secret",
  "[ab].ts",
])("%s stands for at least the files that bash finds", (pattern) => {
  const script = `shopt -s nullglob; cd '${top}'; for f in ${pattern}; do realpath -sz -- "$f" | tr -d '\\0'; echo; done`;
  const wanted = execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\n").filter(Boolean).sort();
  const found = (findMatches(`${top}/${pattern}`) ?? []).map(({ directory, name }) => join(directory, name));
  expect(found.sort()).toEqual(expect.arrayContaining(wanted));
});

test("links are told apart, and what does not exist matches nothing", () => {
  expect(findMatches(join(top, "one/s*"))).toEqual([{ directory: join(top, "one"), name: "secret", isLink: true }]);
  expect(findMatches("/nowhere/at/all/*")).toEqual([]);
  expect(findMatches(join(top, "a.ts/*"))).toEqual([]);
});
