import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { layOutProtected } from "./protected-layout.ts";
import { workspaceProfile } from "./workspace-profile.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-profile-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const profileOf = (workspace: string) =>
  workspaceProfile({
    roots: [workspace],
    writable: [],
    readable: [],
    home: join(root, "home"),
    secrets: [],
    allowedHosts: [],
  });
const protectedIn = (workspace: string) => profileOf(workspace).protectedPaths.map(({ path }) => path);

test("the places that git's own settings name are protected", () => {
  execFileSync("git", ["init", "-q", root]);
  writeFileSync(
    join(root, ".git", "config"),
    '[core]\n\thooksPath = tools/hooks\n[include]\n\tpath = "../team.config"\n',
    {
      flag: "a",
    },
  );
  expect(protectedIn(root)).toEqual(expect.arrayContaining([join(root, "tools/hooks"), join(root, "team.config")]));
});

test("a file that claims to belong to a repository elsewhere makes nothing writable", () => {
  const elsewhere = join(root, "elsewhere");
  const workspace = join(root, "workspace");
  mkdirSync(join(elsewhere, "objects"), { recursive: true });
  mkdirSync(workspace);
  writeFileSync(join(elsewhere, "HEAD"), "");
  writeFileSync(join(elsewhere, "commondir"), ".");
  writeFileSync(join(workspace, ".git"), `gitdir: ${elsewhere}\n`);
  expect(profileOf(workspace).writable).toEqual([workspace]);
  writeFileSync(join(elsewhere, "gitdir"), join(root, "another", ".git"));
  expect(profileOf(workspace).writable).toEqual([workspace]);
  writeFileSync(join(elsewhere, "gitdir"), join(workspace, ".git"));
  expect(profileOf(workspace).writable).toEqual([workspace, elsewhere]);
});

test("a home inside the workspace has its start-up files protected", () => {
  mkdirSync(join(root, "home"));
  expect(protectedIn(root)).toContain(join(root, "home", ".ssh"));
  expect(protectedIn(join(root, "home"))).toContain(join(root, "home", ".config", "systemd"));
});

test("a layout tells what to pin, what to lock and what stands in", () => {
  const standIn = { kind: "directory" } as const;
  mkdirSync(join(root, "a", "b"), { recursive: true });
  writeFileSync(join(root, "file"), "");
  const paths = ["a/b", "a/b/c", "a/x/y", "file/below", "new"].map((name) => ({ path: join(root, name), standIn }));
  expect(layOutProtected([...paths, { path: "/elsewhere", standIn }], [root])).toEqual({
    pinned: [join(root, "a")],
    readOnly: [join(root, "a/b"), join(root, "file")],
    absent: [
      { path: join(root, "new"), role: "leaf", standIn },
      { path: join(root, "a/x"), role: "pinned", standIn },
      { path: join(root, "a/x/y"), role: "leaf", standIn },
    ],
  });
});

test("nothing stands in for another worktree that is half made, or that is removed while commands run", () => {
  const main = join(root, "main");
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  const git = (...words: readonly string[]) => execFileSync("git", [...who, ...words], { cwd: main, encoding: "utf8" });
  mkdirSync(main);
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "Begin");
  for (const name of ["own", "other"]) git("worktree", "add", "-q", join(root, name));
  const notes = join(main, ".git", "worktrees");
  mkdirSync(join(notes, "half"));
  writeFileSync(join(notes, "half", "commondir"), "");
  const { protectedPaths, writable } = profileOf(join(root, "own"));
  const standsInFor = () => {
    const layout = layOutProtected(protectedPaths, writable);
    return "problem" in layout ? [layout.problem] : layout.absent.map(({ path }) => path);
  };
  expect(standsInFor()).toContain(join(notes, "other", "config.worktree"));
  git("worktree", "remove", "other");
  expect(standsInFor().filter((path) => /\/worktrees\/(?:half|other)\b/.test(path))).toEqual([]);
});

test("kedge's own records of worktrees are protected, which it reads outside of the sandbox", () => {
  const main = join(root, "main");
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  const git = (...words: readonly string[]) => execFileSync("git", [...who, ...words], { cwd: main, encoding: "utf8" });
  mkdirSync(main);
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "Begin");
  for (const name of ["own", "other", "foreign"]) git("worktree", "add", "-q", join(root, name));
  const recordOf = (name: string) => join(main, ".git", "worktrees", name, "kedge-worktree.json");
  for (const name of ["own", "other"]) writeFileSync(recordOf(name), "{}");
  const { protectedPaths, writable } = profileOf(join(root, "own"));
  const layout = layOutProtected(protectedPaths, writable);
  if ("problem" in layout) throw new Error(layout.problem);
  expect(layout.readOnly).toEqual(expect.arrayContaining([recordOf("own"), recordOf("other")]));
  expect(layout.absent.map(({ path }) => path)).not.toContain(recordOf("foreign"));
});
