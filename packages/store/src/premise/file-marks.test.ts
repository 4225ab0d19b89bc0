/** Marks real files: what a mark notices, what it does not, and where reading stops. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { markFiles, type WantedMark } from "./file-marks.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-marks-")));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const at = (path: string) => join(root, path);
const limits = { hashedBytesMax: 100, hashedBytesTotalMax: 150 };

/** Which kinds of marks differ after the change. */
function noticedBy(path: string, change: () => void): readonly string[] {
  const wanted = (["place", "directory", "content", "script"] as const).map(
    (of): WantedMark => ({ path: at(path), of }),
  );
  const before = markFiles(wanted, limits);
  expect(markFiles(wanted, limits)).toEqual(before);
  change();
  const after = markFiles(wanted, limits);
  return wanted.flatMap(({ of }, index) => (before[index] === after[index] ? [] : [of]));
}

test("another content is noticed, a new time is not", () => {
  writeFileSync(at("a"), "one");
  expect(noticedBy("a", () => utimesSync(at("a"), 1, 1))).toEqual([]);
  expect(noticedBy("a", () => writeFileSync(at("a"), "two"))).toEqual(["content", "script"]);
  expect(noticedBy("a", () => rmSync(at("a")))).toEqual(["content", "script"]);
  expect(noticedBy("a", () => mkdirSync(at("a")))).toEqual(["directory"]);
});

test("a link that leads elsewhere is noticed, although both hold the same, and although both lead nowhere", () => {
  for (const name of ["a", "b"]) writeFileSync(at(name), "same");
  symlinkSync("a", at("link"));
  const retarget = (target: string) => () => {
    rmSync(at("link"));
    symlinkSync(target, at("link"));
  };
  expect(noticedBy("link", retarget("b"))).toEqual(["place", "directory", "content", "script"]);
  expect(noticedBy("link", retarget("none"))).toEqual(["place", "directory", "content", "script"]);
  expect(noticedBy("link", retarget("other"))).toEqual(["place", "content"]);
});

test("a directory under the same name is another one", () => {
  mkdirSync(at("d"));
  const replace = () => {
    renameSync(at("d"), at("old"));
    mkdirSync(at("d"));
  };
  expect(noticedBy("d", replace)).toEqual(["directory"]);
});

test("what is too large is known by its size and times, for each file and for all together", () => {
  writeFileSync(at("large"), "x".repeat(101));
  expect(noticedBy("large", () => utimesSync(at("large"), 1, 1))).toEqual(["content", "script"]);
  for (const name of ["a", "b"]) writeFileSync(at(name), "x".repeat(90));
  const both = (["a", "b"] as const).map((name): WantedMark => ({ path: at(name), of: "content" }));
  const before = markFiles(both, limits);
  for (const name of ["a", "b"]) utimesSync(at(name), 1, 1);
  const after = markFiles(both, limits);
  expect([after[0] === before[0], after[1] === before[1]]).toEqual([true, false]);
});

test("pipes and devices are not waited for", () => {
  execFileSync("mkfifo", [at("pipe")]);
  symlinkSync("/dev/tty", at("tty"));
  const marks = markFiles(
    ["pipe", "tty"].map((name) => ({ path: at(name), of: "script" })),
    limits,
  );
  expect(marks).toEqual(["nothing", "nothing"]);
});

test("of code the files that could be run are noticed, new ones too, and nothing else", () => {
  mkdirSync(at("lib/part/deep"), { recursive: true });
  mkdirSync(at("lib/.git"));
  const noticed = (path: string) => {
    const wanted: readonly WantedMark[] = [{ path: at("lib"), of: "code" }];
    const before = markFiles(wanted, limits)[0];
    expect(markFiles(wanted, limits)[0]).toBe(before);
    writeFileSync(at(path), path);
    return before !== markFiles(wanted, limits)[0];
  };
  for (const path of ["lib/run.py", "lib/thing", "lib/part/index.mjs"]) {
    expect([path, noticed(path)]).toEqual([path, true]);
  }
  for (const path of ["lib/notes.log", "lib/.git/index", "lib/part/deep/far.js", "beside.js"]) {
    expect([path, noticed(path)]).toEqual([path, false]);
  }
});
