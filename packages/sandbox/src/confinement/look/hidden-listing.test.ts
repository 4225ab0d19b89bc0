/** Which files of a workspace are found to be hidden, as the workspace changes. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHiddenListing, directoriesMax } from "./hidden-listing.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-listing-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const hidden = {
  isHidden: (path: string) => basename(path).startsWith(".env"),
  isClosedByRule: () => false,
  places: [],
};

function put(path: string): string {
  const whole = join(root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, "x");
  return whole;
}

function listing(now = () => Date.now()) {
  return createHiddenListing({ roots: [root], hidden, now });
}

test("hidden files are found at any depth, but not in packages and in what git keeps", () => {
  const found = [put(".env"), put("a/b/c/.env.local")];
  put("a/node_modules/x/.env");
  put(".git/.env");
  put("a/plain");
  expect(listing().find()).toEqual(found);
});

test("a link counts by its name and by where it leads", () => {
  const secret = put("kept/.env");
  const other = put("other");
  symlinkSync(secret, join(root, "notes"));
  symlinkSync(other, join(root, ".env.link"));
  symlinkSync(join(root, "gone"), join(root, ".env.gone"));
  expect(new Set([...((listing().find() as readonly string[]) ?? [])])).toEqual(new Set([secret, other]));
});

test("what comes and goes is noticed at once, also within one tick of the clock", () => {
  const random = createSeededRandom();
  const list = listing();
  const present = new Set<string>();
  for (let round = 0; round < 200; round += 1) {
    const path = join(["a", "b/c", "b/d", "."][random.below(4)] ?? "", `.env${random.below(5)}`);
    if (present.has(path)) {
      rmSync(join(root, path));
      present.delete(path);
    } else {
      put(path);
      present.add(path);
    }
    const expected = [...present].map((one) => join(root, one)).sort();
    expect([random.seed, [...(list.find() as readonly string[])].sort()]).toEqual([random.seed, expected]);
  }
});

test("unchanged directories are not read again", () => {
  put("a/.env");
  let asked = 0;
  const counting = {
    isHidden: (path: string) => {
      asked += 1;
      return hidden.isHidden(path);
    },
    isClosedByRule: () => false,
    places: [],
  };
  const list = createHiddenListing({ roots: [root], hidden: counting, now: () => Date.now() + 60_000 });
  const first = list.find();
  const before = asked;
  expect(list.find()).toEqual(first);
  expect(asked).toBe(before);
});

test("too many directories are a problem that is told", () => {
  const roots = Array.from({ length: directoriesMax }, () => root);
  put("a/b");
  expect(createHiddenListing({ roots, hidden, now: () => 0 }).find()).toEqual({
    problem: "the project has more than 20,000 directories, too many to hide its secret files",
  });
});

test("what cannot be named or reached is a problem that is told, and never left out in silence", () => {
  mkdirSync(join(root, "plain"));
  writeFileSync(Buffer.from(`${root}/plain/odd-\xff`, "latin1"), "x");
  expect(listing().find()).toEqual([]);
  mkdirSync(Buffer.from(`${root}/plain/dir-\xff`, "latin1"));
  const told = { problem: `${join(root, "plain")} has names that are not UTF-8, which cannot be hidden` };
  expect(listing().find()).toEqual(told);
  rmSync(join(root, "plain"), { recursive: true });
  mkdirSync(join(root, "plain"));
  writeFileSync(Buffer.from(`${root}/plain/.env-\xff`, "latin1"), "x");
  expect(listing().find()).toEqual(told);
  rmSync(join(root, "plain"), { recursive: true });

  const long = "x".repeat(250);
  execFileSync("bash", ["-c", `cd "$0"; for i in $(seq 20); do mkdir ${long}; cd ${long}; done`, root]);
  expect(listing().find()).toMatchObject({ problem: expect.stringContaining("ENAMETOOLONG") });
  execFileSync("rm", ["-rf", root]);
  mkdirSync(root);
});
