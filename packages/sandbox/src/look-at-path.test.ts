import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHardLinkNames } from "./hard-link-names.ts";
import { createLookAtPath } from "./look-at-path.ts";

let top = "";
let root = "";

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "kedge-judge-")));
  root = join(top, "root");
  mkdirSync(join(root, "src"), { recursive: true });
  mkdirSync(join(top, "other", "deep"), { recursive: true });
  writeFileSync(join(root, "src", "a.ts"), "");
});

afterEach(() => rmSync(top, { recursive: true, force: true }));

function verdicts(paths: readonly string[], added: readonly string[] = []): Record<string, string> {
  const judge = createLookAtPath({ root, added });
  return Object.fromEntries(paths.map((path) => [path, judge(path).place]));
}

test("files, missing tails and the root itself are inside", () => {
  expect(verdicts([".", "src/a.ts", "new/dir/file", "src/../src/a.ts", root, join(root, "x")])).toEqual({
    ".": "inside",
    "src/a.ts": "inside",
    "new/dir/file": "inside",
    "src/../src/a.ts": "inside",
    [root]: "inside",
    [join(root, "x")]: "inside",
  });
});

test("parents, neighbours with the same beginning and other spellings are outside", () => {
  const upper = join(top, "ROOT", "a");
  expect(verdicts(["..", "../other", "src/../../other", `${root}-2/a`, "/etc/passwd", upper, "", "a\0b"])).toEqual({
    "..": "outside",
    "../other": "outside",
    "src/../../other": "outside",
    [`${root}-2/a`]: "outside",
    "/etc/passwd": "outside",
    [upper]: "outside",
    "": "outside",
    "a\0b": "outside",
  });
});

test("links are followed, also to places that do not exist yet, also through their parent", () => {
  symlinkSync(join(top, "other"), join(root, "out"));
  symlinkSync(join(root, "src"), join(root, "in"));
  symlinkSync(join(top, "other", "new-file"), join(root, "dangling"));
  symlinkSync("loop", join(root, "loop"));
  symlinkSync("/etc/passwd", join(root, "file"));
  symlinkSync(join(top, "other", "deep"), join(root, "far"));
  symlinkSync("../new-file", join(top, "other", "deep", "relative"));
  expect(
    verdicts(["out/x", "in/x", "dangling", "dangling/x", "loop", "far/../x", "far/relative", "src/a.ts/x", "file/x"]),
  ).toEqual({
    "out/x": "outside",
    "in/x": "inside",
    dangling: "outside",
    "dangling/x": "outside",
    loop: "outside",
    "far/../x": "outside",
    "far/relative": "outside",
    "src/a.ts/x": "inside",
    "file/x": "outside",
  });
});

test("a link made after a first answer changes the next one", () => {
  const judge = createLookAtPath({ root, added: [] });
  expect(judge("later/x").place).toBe("inside");
  symlinkSync(join(top, "other"), join(root, "later"));
  expect(judge("later/x").place).toBe("outside");
});

test("added directories and a root that is itself a link count as what they are", () => {
  symlinkSync(root, join(top, "alias"));
  const judge = createLookAtPath({ root: join(top, "alias"), added: [join(top, "other")] });
  expect(["src/a.ts", join(root, "src"), join(top, "other", "y"), top].map((path) => judge(path).place)).toEqual([
    "inside",
    "inside",
    "inside",
    "outside",
  ]);
});

test("every other name of a path is told: targets of links, steps upwards behind them, hard links", () => {
  const home = join(top, "home");
  mkdirSync(join(home, ".ssh"), { recursive: true });
  writeFileSync(join(home, ".ssh", "id_rsa"), "key");
  writeFileSync(join(root, ".env"), "secret");
  symlinkSync(".env", join(root, "soft"));
  symlinkSync("soft", join(root, "softer"));
  linkSync(join(root, ".env"), join(root, "hard"));
  linkSync(join(home, ".ssh", "id_rsa"), join(root, "src", "key"));
  symlinkSync(join(top, "other", "deep"), join(root, "far"));
  const look = createLookAtPath({ root, added: [], home });
  const names = (path: string) => look(path).otherNames;
  expect(names("src/a.ts")).toEqual([]);
  expect(names("src/missing")).toEqual([]);
  expect(names("soft")).toEqual([[join(root, ".env")], [join(root, "hard")]]);
  expect(names("softer")).toEqual([[join(root, ".env")], [join(root, "hard")]]);
  expect(names("hard")).toEqual([[join(root, ".env")]]);
  expect(names("src/key")).toEqual([[join(home, ".ssh", "id_rsa")]]);
  expect(names("far/new")).toEqual([[join(top, "other", "deep", "new")]]);
  expect(names("far/../x")).toEqual([[join(top, "other", "x")]]);
  expect(names("\ud800")).toEqual([[join(root, "\ufffd")]]);
});

test("a name below a linked root or home is told as the session spells it, and as it really is", () => {
  symlinkSync(root, join(top, "alias"));
  symlinkSync(join(top, "other"), join(top, "home"));
  writeFileSync(join(top, "other", "deep", "x"), "");
  const look = createLookAtPath({ root: join(top, "alias"), added: [], home: join(top, "home") });
  expect(look("src/a.ts").otherNames).toEqual([[join(top, "alias", "src", "a.ts"), join(root, "src", "a.ts")]]);
  expect(look(join(top, "home", "deep", "x")).otherNames).toEqual([
    [join(top, "home", "deep", "x"), join(top, "other", "deep", "x")],
  ]);
});

test("a path of any length and kind is looked at without an error", () => {
  symlinkSync("loop", join(root, "loop"));
  const look = createLookAtPath({ root, added: [] });
  const paths = [
    "x".repeat(300),
    "d/".repeat(100_000),
    "../".repeat(2_000),
    "loop/x",
    "src/a.ts/b/c",
    "\0",
    "\udfff/x",
  ];
  expect(paths.map((path) => look(path).place)).toEqual([
    ...["outside", "outside", "outside", "outside", "inside", "outside", "inside"],
  ]);
  expect(look("/dev/stdout")).toEqual({ place: "outside", otherNames: [] });
});

test("hard links anywhere in the workspace are known by all their names, also those made between two looks", async () => {
  const look = createLookAtPath({ root, added: [join(top, "other")], now: () => Date.now() });
  const random = createSeededRandom();
  const pick = <Item>(items: readonly Item[], otherwise: Item) => items[random.below(items.length)] ?? otherwise;
  const directories = ["src", "a/b/c", "a/.hidden", "d e/f"].map((path) => join(root, path));
  directories.push(join(top, "other", "deep"));
  for (const directory of directories) mkdirSync(directory, { recursive: true });
  for (let file = 0; file < 20; file += 1) {
    const first = join(pick(directories, root), `first-${file}`);
    writeFileSync(first, "");
    expect(look(first).otherNames).toEqual([]);
    const names = [first];
    for (let link = 0; link <= random.below(4); link += 1) {
      const name = join(pick(directories, root), `link-${file}-${link}`);
      linkSync(pick(names, first), name);
      names.push(name);
      // What one turn of the loop asks about is looked at once.
      await setImmediate();
      for (const one of names)
        expect(look(one).otherNames.flat().toSorted(), one).toEqual(names.filter((other) => other !== one).toSorted());
    }
  }
});

test("a name that may be anywhere in a tree that is too large counts as unknown", () => {
  const names = createHardLinkNames({ directories: [], trees: [root], filesMax: 2 });
  const file = join(root, "src", "a.ts");
  linkSync(file, join(top, "elsewhere"));
  expect(names(file)).toEqual({ names: [], mayHaveMore: false });
  for (const name of ["b", "c"]) writeFileSync(join(root, "src", name), "");
  const again = createHardLinkNames({ directories: [], trees: [root], filesMax: 2 });
  expect(again(file).mayHaveMore).toBe(true);
});
