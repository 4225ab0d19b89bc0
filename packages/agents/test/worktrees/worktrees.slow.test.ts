/** Worktrees with real git: made, set up, judged, listed and removed without ever losing work. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTurns } from "../../src/runs/turns.ts";
import {
  createWorktree,
  discardWorktree,
  knownWorktree,
  listWorktrees,
  type Repository,
  removeWorktree,
} from "../../src/worktrees/index.ts";

let folder: string;
let root: string;
let repository: Repository;
let time = 1_700_000_000_000;

function git(directory: string, ...words: readonly string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...words], { cwd: directory, encoding: "utf8", stdio: "pipe" });
}

function write(path: string, text: string): void {
  const target = join(root, path);
  mkdirSync(join(target, ".."), { recursive: true });
  writeFileSync(target, text);
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "kedge-worktrees-")));
  root = join(folder, "main");
  mkdirSync(root);
  git(root, "init", "--quiet", "--initial-branch=main");
  write("app.ts", "one\n");
  write(".gitignore", "node_modules/\n.env*\nsecrets/\n*.log\n");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "Begin");
  const environment = { PATH: process.env["PATH"], HOME: folder };
  const turns = createTurns();
  repository = { root, gitPath: "git", environment, alone: (work) => turns.take(root, work) };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function create(name: string, dependencyFolders: readonly string[] = ["node_modules", ".next"]) {
  time += 1;
  return createWorktree(name, { repository, dependencyFolders, temporaryDirectory: folder, now: () => time });
}

async function made(name: string, dependencyFolders?: readonly string[]) {
  const outcome = await create(name, dependencyFolders);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const known = knownWorktree(outcome.value.directory);
  if (known === undefined) throw new Error("no note of it");
  return { ...outcome.value, known };
}

/** What a person sees of the main checkout. */
const stateOfMain = () => git(root, "status", "--porcelain", "--untracked-files=all");

test("a worktree has a branch of its own, begins with the commit and does not show in the main checkout", async () => {
  write("app.ts", "not committed\n");
  const { directory, branch, base, notices } = await made("fix/login");
  expect(directory).toBe(join(root, ".kedge", "worktrees", "fix+login"));
  expect(branch).toBe(`kedge-wt-${time}-fix/login`);
  expect(base).toBe(git(root, "rev-parse", "HEAD").trim());
  expect(readFileSync(join(directory, "app.ts"), "utf8")).toBe("one\n");
  expect(git(directory, "branch", "--show-current").trim()).toBe(branch);
  expect(stateOfMain()).toBe(" M app.ts\n");
  expect(notices).toEqual([]);
});

test.each(["", ".", "..", "a/../b", "a//b", "/a", "a/", "a b", "$(id)", "ä", "-\n", "x".repeat(65), "a\0b"])(
  "the name %j is refused before anything is made",
  async (name) => {
    expect(await create(name)).toMatchObject({ ok: false });
    expect(existsSync(join(root, ".kedge"))).toBe(false);
  },
);

test.each(["a..b", ".hidden", "x.lock", "dot.", "-dash", "a/.b/c.lock"])(
  "the name %j becomes a branch that git allows",
  async (name) => {
    const { branch, directory } = await made(name);
    expect(git(directory, "branch", "--show-current").trim()).toBe(branch);
  },
);

test("a second worktree of the same name is refused, and the first is as it was", async () => {
  const { directory } = await made("one");
  writeFileSync(join(directory, "work.txt"), "work");
  const again = await create("one");
  expect(again).toMatchObject({ ok: false, failure: { message: "A worktree named one already exists." } });
  expect(readFileSync(join(directory, "work.txt"), "utf8")).toBe("work");
});

test("a repository without a commit is refused in a sentence", async () => {
  const empty = join(folder, "empty");
  mkdirSync(empty);
  git(empty, "init", "--quiet");
  repository = { ...repository, root: empty };
  expect(await create("one")).toMatchObject({ ok: false, failure: { message: "This repository has no commits yet." } });
});

test("a place that is a link is refused", async () => {
  mkdirSync(join(root, ".kedge"));
  mkdirSync(join(folder, "elsewhere"));
  symlinkSync(join(folder, "elsewhere"), join(root, ".kedge", "worktrees"));
  expect(await create("one")).toMatchObject({ ok: false });
  expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
});

test("hooks of the repository do not run", async () => {
  const canary = join(folder, "canary");
  writeFileSync(join(root, ".git", "hooks", "post-checkout"), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  await made("one");
  expect(existsSync(canary)).toBe(false);
});

test("only files that the include file names and git ignores are copied", async () => {
  write(".worktreeinclude", "# local\n.env*\n!.env.production\nsecrets/dev.json\napp.ts\nnotes.txt\n*.pem\n");
  git(root, "add", ".worktreeinclude");
  git(root, "commit", "-qm", "Include");
  for (const name of [".env", ".env.production", "secrets/dev.json", "secrets/prod.json", "notes.txt", "debug.log"])
    write(name, name);
  write("node_modules/pkg/ca.pem", "deep");
  const { directory } = await made("one", []);
  const there = (name: string) => existsSync(join(directory, name));
  expect([".env", "secrets/dev.json"].filter(there)).toHaveLength(2);
  const absent = [".env.production", "secrets/prod.json", "notes.txt", "debug.log", "node_modules"];
  expect(absent.filter(there)).toEqual([]);
});

test("local settings come along, and a link that leads out of the repository does not", async () => {
  write(".kedge/config.local.json", "{}");
  write(".claude/settings.local.json", "{}");
  writeFileSync(join(folder, "outside"), "outside");
  symlinkSync(join(folder, "outside"), join(root, "CLAUDE.local.md"));
  const { directory, notices } = await made("one");
  expect(readFileSync(join(directory, ".kedge", "config.local.json"), "utf8")).toBe("{}");
  expect(existsSync(join(directory, ".claude", "settings.local.json"))).toBe(true);
  expect(notices).toEqual(["CLAUDE.local.md was not copied to the worktree: it points outside the repository."]);
  // They are untracked there and no obstacle: nobody changed them.
  const known = knownWorktree(directory);
  expect(known && (await removeWorktree(repository, known))).toEqual({ ok: true });
});

test("dependencies are a copy: deleting and changing them there leaves the main checkout byte for byte", async () => {
  write("node_modules/pkg/index.js", "original");
  write("packages/own/index.js", "own");
  symlinkSync(join("..", "packages", "own"), join(root, "node_modules", "own"));
  symlinkSync(join(root, "packages", "own"), join(root, "node_modules", "absolute"));
  git(root, "add", "packages");
  git(root, "commit", "-qm", "Add a package");
  const { directory } = await made("one");
  expect(lstatSync(join(directory, "node_modules")).isSymbolicLink()).toBe(false);
  for (const name of ["own", "absolute"])
    expect(realpathSync(join(directory, "node_modules", name))).toBe(join(directory, "packages", "own"));
  writeFileSync(join(directory, "node_modules", "pkg", "index.js"), "changed");
  writeFileSync(join(directory, "node_modules", "absolute", "index.js"), "changed");
  expect(readFileSync(join(root, "node_modules", "pkg", "index.js"), "utf8")).toBe("original");
  expect(readFileSync(join(root, "packages", "own", "index.js"), "utf8")).toBe("own");
  rmSync(join(directory, "node_modules"), { recursive: true });
  expect(readFileSync(join(root, "node_modules", "pkg", "index.js"), "utf8")).toBe("original");
});

test("an untouched worktree is removed with its branch", async () => {
  const { directory, branch, known } = await made("one");
  expect(await removeWorktree(repository, known)).toEqual({ ok: true });
  expect(existsSync(directory)).toBe(false);
  expect(git(root, "branch", "--list", branch)).toBe("");
});

type Work = readonly [what: string, doWork: (directory: string) => void, reason: RegExp];
const works: readonly Work[] = [
  ["an uncommitted change", (at) => writeFileSync(join(at, "app.ts"), "two\n"), /^1 uncommitted change$/],
  ["an untracked file", (at) => writeFileSync(join(at, "new.ts"), ""), /^1 untracked file$/],
  ["a staged deletion", (at) => git(at, "rm", "-q", "app.ts"), /^1 uncommitted change$/],
  ["a commit", (at) => git(at, "commit", "-q", "--allow-empty", "-m", "Work"), /^1 commit on no other branch$/],
  [
    "a commit on a detached head",
    (at) => {
      git(at, "checkout", "-q", "--detach");
      git(at, "commit", "-q", "--allow-empty", "-m", "Work");
    },
    /^1 commit/,
  ],
  ["a changed copy", (at) => writeFileSync(join(at, ".env"), "changed"), /^1 modified copied file$/],
  ["a broken index", (at) => writeFileSync(join(known(at).gitDirectory, "index"), "broken"), /index/],
  ["a merge under way", (at) => writeFileSync(join(known(at).gitDirectory, "MERGE_HEAD"), ""), /./],
];

function known(directory: string) {
  const found = knownWorktree(directory);
  if (found === undefined) throw new Error("no note of it");
  return found;
}

test.each(works)("%s keeps the worktree and its branch", async (_what, doWork, reason) => {
  write(".env", "original");
  write(".worktreeinclude", ".env\n");
  git(root, "add", ".worktreeinclude");
  git(root, "commit", "-qm", "Include");
  const tree = await made("one");
  doWork(tree.directory);
  const removal = await removeWorktree(repository, tree.known);
  expect(removal).toEqual({ ok: false, reasons: [expect.stringMatching(reason)] });
  expect(existsSync(join(tree.directory, ".git"))).toBe(true);
  expect(git(root, "branch", "--list", tree.branch)).toContain(tree.branch);
});

test("work that was merged into another branch is not lost with its worktree", async () => {
  const tree = await made("one");
  writeFileSync(join(tree.directory, "app.ts"), "two\n");
  git(tree.directory, "commit", "-qam", "Work");
  git(root, "merge", "-q", tree.branch);
  expect(await removeWorktree(repository, tree.known)).toEqual({ ok: true });
});

test("a locked worktree stays even when a person gave it up", async () => {
  const tree = await made("one");
  git(root, "worktree", "lock", tree.directory);
  expect(await discardWorktree(repository, tree.known)).toMatchObject({ ok: false });
  git(root, "worktree", "unlock", tree.directory);
  writeFileSync(join(tree.directory, "new.ts"), "");
  expect(await discardWorktree(repository, tree.known)).toEqual({ ok: true });
});

test("the list has what kedge made, oldest first, with its state", async () => {
  await made("one");
  const second = await made("two");
  writeFileSync(join(second.directory, "new.ts"), "");
  git(root, "worktree", "add", "-q", join(folder, "own"));
  git(root, "worktree", "add", "-q", "-b", "by-hand", join(root, ".kedge", "worktrees", "by-hand"));
  const listing = await listWorktrees(repository);
  expect(listing).toMatchObject({
    ok: true,
    worktrees: [
      { kind: "left", directory: join(root, ".kedge", "worktrees", "by-hand") },
      { kind: "made", record: { name: "one" }, state: { kind: "clean" } },
      { kind: "made", record: { name: "two" }, state: { kind: "dirty", reasons: ["1 untracked file"] } },
    ],
  });
});

test("many are made at the same moment, and a branch that two of them share is not lost", async () => {
  const names = Array.from({ length: 8 }, (_, index) => `same-${index}`);
  const all = await Promise.all(names.map((name) => create(name)));
  expect(all.flatMap((answer) => (answer.ok ? [] : [answer.failure.message]))).toEqual([]);
  expect(await listWorktrees(repository)).toMatchObject({ worktrees: names.map((name) => ({ record: { name } })) });

  const [one, other] = ["same-0", "same-1"].map((name) => known(join(root, ".kedge", "worktrees", name)));
  if (one === undefined || other === undefined) throw new Error("no note of them");
  git(one.directory, "commit", "-q", "--allow-empty", "-m", "Work");
  git(other.directory, "merge", "-q", one.record.branch);
  const removals = await Promise.all([removeWorktree(repository, one), removeWorktree(repository, other)]);
  // Each has what the other has, so only the first may go.
  expect(removals.filter(({ ok }) => ok)).toHaveLength(1);
  expect(git(root, "log", "--branches", "--format=%s")).toContain("Work");
});

test("what the git of somebody else has half made is waited for", async () => {
  const notes = join(root, ".git", "worktrees", "theirs");
  mkdirSync(notes, { recursive: true });
  writeFileSync(join(notes, "gitdir"), join(folder, "theirs", ".git\n"));
  writeFileSync(join(notes, "HEAD"), "ref: refs/heads/theirs\n");
  writeFileSync(join(notes, "locked"), "initializing\n");
  writeFileSync(join(notes, "commondir"), "");
  // Git itself, whose first failure is when the other one continues.
  const program = join(folder, "git-beside-another");
  writeFileSync(
    program,
    ["#!/bin/sh", 'git "$@" && exit 0', "code=$?", `echo ../.. > '${notes}/commondir'`, "exit $code\n"].join("\n"),
    { mode: 0o700 },
  );
  repository = { ...repository, gitPath: program };
  expect(await create("one")).toMatchObject({ ok: true });
  writeFileSync(join(notes, "commondir"), "");
  expect(await listWorktrees(repository)).toMatchObject({ ok: true });
});
