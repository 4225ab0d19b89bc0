/** Which places are searched, in which order, and that nothing of a project is searched without trust. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findBases, foldersOf, hasFolder, skillFoldersAt } from "./extension-places.ts";

let user = "";
beforeEach(() => {
  user = realpathSync(mkdtempSync(join(tmpdir(), "kedge-places-")));
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

const make = (...paths: readonly string[]) => {
  for (const path of paths) mkdirSync(join(user, path), { recursive: true });
};

function open(cwd = "p/app", disabled: readonly string[] = []) {
  const root = join(user, "p");
  const places = {
    ...{ cwd: join(user, cwd), root, userDirectory: user, kedgeHome: join(user, ".kedge") },
    ...{ managed: join(user, "managed"), disabled },
  };
  const bases = findBases(places);
  const folders = (isTrusted: boolean) =>
    foldersOf("skill", bases, places, () => isTrusted).map(({ place }) => place.folder.slice(user.length + 1));
  return { places, bases, folders };
}

test("managed before project before user, kedge's own before others, near before far", () => {
  make("managed/skills", "p/.kedge/skills", "p/.claude/skills", "p/app/.claude/skills", "p/.agents/skills");
  make(".kedge/skills", ".claude/skills", ".config/opencode/skill");
  expect(open().folders(true)).toEqual([
    "managed/skills",
    "p/.kedge/skills",
    "p/app/.claude/skills",
    "p/.claude/skills",
    "p/.agents/skills",
    ".kedge/skills",
    ".claude/skills",
    ".config/opencode/skill",
  ]);
  expect(
    open()
      .folders(false)
      .filter((path) => path.startsWith("p/")),
  ).toEqual([]);
});

test("with a profile of kedge, omp's profile of the same name takes the place of its usual folder", () => {
  make(".omp/agent/skills", ".omp/profiles/work/agent/skills", ".kedge/profiles/work");
  const usual = open().folders(true);
  const { places } = open();
  const other = { ...places, kedgeHome: join(user, ".kedge/profiles/work") };
  const ofProfile = foldersOf("skill", findBases(other), other, () => true).map(({ place }) => place.folder);
  expect(usual).toEqual([".omp/agent/skills"]);
  expect(ofProfile).toEqual([join(user, ".omp/profiles/work/agent/skills")]);
  const absent = { ...places, kedgeHome: join(user, ".kedge/profiles/home") };
  expect(findBases(absent).user.map(({ path }) => path)).toEqual([join(user, ".omp/agent")]);
});

test("a source that is switched off brings nothing, and where nothing is, nothing is found", () => {
  make("p/app", "p/.claude/skills", ".claude/skills");
  expect(open("p/app", ["claude"]).folders(true)).toEqual([]);
  const { bases, places } = open("p/app", ["claude"]);
  expect(hasFolder("skill", bases, places)).toBe(false);
  expect(skillFoldersAt(join(user, "p"), places)).toEqual([]);
});

test("in the home directory folders of agents are the user's and need no trust", () => {
  make("p/.claude/skills");
  const root = join(user, "p");
  const places = {
    cwd: root,
    root,
    userDirectory: root,
    kedgeHome: join(root, ".kedge"),
    managed: "/none",
    disabled: [],
  };
  const [folder] = foldersOf("skill", findBases(places), places, () => expect.fail("nobody asks"));
  expect(folder?.place).toEqual({ source: "claude", tier: "user", folder: join(root, ".claude/skills") });
});

test("directories that the user names come last, and one in the project needs its trust", () => {
  make("p/app", "p/shared", "mine", ".kedge/skills", "elsewhere");
  const { places, bases } = open();
  const named = { ...places, skillDirectories: ["~/mine", "../shared", "/nowhere", join(user, "elsewhere")] };
  const folders = (isTrusted: boolean) =>
    foldersOf("skill", bases, named, () => isTrusted).map(({ place }) => [
      place.tier,
      place.folder.slice(user.length + 1),
    ]);
  const own = [
    ["user", ".kedge/skills"],
    ["user", "mine"],
    ["user", "elsewhere"],
  ];
  expect(folders(true)).toEqual([["project", "p/shared"], ...own]);
  expect(folders(false)).toEqual(own);
  expect(foldersOf("command", bases, named, () => true)).toEqual([]);
});
