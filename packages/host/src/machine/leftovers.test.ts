/** Proves that what a killed process left of files it was writing is cleared, and nothing that is alive or somebody else's. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome } from "./home.ts";
import { thisMachine } from "./identity.ts";
import { clearLeftovers, createChangeNotes } from "./leftovers.ts";
import { temporaryFor } from "./replace-file.ts";

let directory = "";
let home: Home;
let work = "";
let dead = 0;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-leftovers-")));
  const opened = openHome(join(directory, "home"));
  if (!opened.ok) throw new Error(opened.failure.message);
  home = opened.home;
  work = join(directory, "work");
  for (const folder of [work, home.blobs, join(home.data, "changing"), join(home.directory, "cache")])
    mkdirSync(folder);
  dead = spawnSync("true").pid;
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const digits = "0123456789abcdef";
const write = (...path: readonly string[]) => writeFileSync(join(...path), "half");

test("temporary files of dead processes go, those of living ones and other files stay", () => {
  const stay = [
    join(home.directory, `config.json.${process.ppid}_${digits}.tmp`),
    temporaryFor(join(home.directory, "trust.json")),
    join(home.directory, "notes.tmp"),
    join(work, `.kedge-${process.ppid}-${digits}.tmp`),
    join(work, `.kedge-${dead}-${digits}.tmp.txt`),
    join(work, `mine.${dead}_${digits}.tmp`),
  ];
  const go = [
    join(home.directory, `config.json.${dead}_0123456789ab.tmp`),
    join(home.data, `kedge.db.version-3.backup.${dead}_${digits}.tmp`),
    join(home.blobs, `${"a".repeat(64)}.payload.${dead}_${digits}.tmp`),
    join(home.directory, "cache", `code-${dead}.tmp`),
    join(work, `.kedge-${dead}-${digits}.tmp`),
  ];
  for (const path of [...stay, ...go]) write(path);
  const note = JSON.stringify({ machine: thisMachine(), directory: work });
  writeFileSync(join(home.data, "changing", `${dead}-1`), note);
  clearLeftovers(home, work);
  expect([...stay, ...go].filter((path) => existsSync(path))).toEqual(stay);
  expect(readdirSync(join(home.data, "changing"))).toEqual([]);
});

test.each([
  ["of another machine", JSON.stringify({ machine: "other", directory: "WORK" })],
  ["that was cut off", '{"machine":'],
  ["that names no directory", JSON.stringify({ machine: "MACHINE", directory: "." })],
])("a note %s clears nothing", (_, text) => {
  write(work, `.kedge-${dead}-${digits}.tmp`);
  const note = text.replace("WORK", work).replace("MACHINE", thisMachine());
  writeFileSync(join(home.data, "changing", `${dead}-1`), note);
  clearLeftovers(home, work);
  expect(readdirSync(work)).toHaveLength(1);
});

test("a note stands while the change lasts, and one that cannot be written is done without", () => {
  const noteChange = createChangeNotes(home);
  const [endOne, endTwo] = [noteChange(join(work, "a")), noteChange(join(work, "b"))];
  expect(readdirSync(join(home.data, "changing"))).toEqual([`${process.pid}-1`, `${process.pid}-2`]);
  clearLeftovers(home, work);
  expect(readdirSync(join(home.data, "changing"))).toHaveLength(2);
  endOne();
  endTwo();
  expect(readdirSync(join(home.data, "changing"))).toEqual([]);
  rmSync(join(home.data, "changing"), { recursive: true });
  writeFileSync(join(home.data, "changing"), "in the way");
  createChangeNotes(home)(join(work, "a"))();
});
