/** Worktrees whose contents were arranged to reach the main checkout when kedge, outside of any sandbox, looks at or removes them. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
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
  knownWorktree,
  listWorktrees,
  type Repository,
  removeWorktree,
} from "../../src/worktrees/index.ts";
import { digestOf } from "../../src/worktrees/set-up-worktree.ts";

let folder: string;
let root: string;
let repository: Repository;
let directory: string;

const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];

function git(at: string, ...words: readonly string[]): string {
  return execFileSync("git", [...who, ...words], { cwd: at, encoding: "utf8", stdio: "pipe" });
}

function write(at: string, path: string, text: string): void {
  mkdirSync(join(at, path, ".."), { recursive: true });
  writeFileSync(join(at, path), text);
}

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "kedge-hostile-worktrees-")));
  root = join(folder, "main");
  mkdirSync(root);
  git(root, "init", "--quiet", "--initial-branch=main");
  write(root, "app.ts", "one\n");
  write(root, ".gitignore", "keys\n");
  write(root, ".worktreeinclude", "keys/local.txt\n");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "Begin");
  git(root, "branch", "feature");
  write(root, "keys/local.txt", "a key\n");
  const environment = { PATH: process.env["PATH"], HOME: folder };
  const turns = createTurns();
  repository = { root, gitPath: "git", environment, alone: (work) => turns.take(root, work) };
  const parts = { repository, dependencyFolders: [], temporaryDirectory: folder, now: () => 1_700_000_000_000 };
  const made = await createWorktree("one", parts);
  if (!made.ok) throw new Error(made.failure.message);
  ({ directory } = made.value);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function known() {
  const found = knownWorktree(directory);
  if (found === undefined) throw new Error("no record of it");
  return found;
}

test("a directory that became a link to the main checkout takes no copied file of it along", async () => {
  expect(Object.keys(known().record.copied)).toEqual(["keys/local.txt"]);
  rmSync(join(directory, "keys"), { recursive: true });
  symlinkSync(join(root, "keys"), join(directory, "keys"));
  expect(await removeWorktree(repository, known())).toEqual({ ok: true });
  expect(readFileSync(join(root, "keys/local.txt"), "utf8")).toBe("a key\n");
});

test.each([
  ["the branch of the main checkout", () => ({ branch: "main" })],
  ["another branch", () => ({ branch: "feature" })],
  [
    "a file of the main checkout as its copy",
    () => ({ copied: { "../../../app.ts": digestOf(join(root, "app.ts")) ?? "" } }),
  ],
  [
    "an absolute path as its copy",
    () => ({ copied: { [join(root, "app.ts")]: digestOf(join(root, "app.ts")) ?? "" } }),
  ],
  ["an option of git as its base", () => ({ base: "--all" })],
])("a record that names %s is no record, and nothing is removed", async (_, change) => {
  const { gitDirectory, record } = known();
  const refs = git(root, "for-each-ref");
  writeFileSync(join(gitDirectory, "kedge-worktree.json"), JSON.stringify({ ...record, ...change() }));
  expect(knownWorktree(directory)).toBeUndefined();
  expect(await listWorktrees(repository)).toMatchObject({
    worktrees: [{ kind: "left", directory, why: "kedge's record of it is missing" }],
  });
  expect(git(root, "for-each-ref")).toBe(refs);
  expect(git(root, "status", "--porcelain")).toBe("");
});

test("a repository inside of it keeps it, and no program of its settings runs", async () => {
  const inner = join(directory, "sub");
  const trace = join(root, "ran.txt");
  mkdirSync(inner);
  git(inner, "init", "--quiet");
  write(inner, "f", "one\n");
  git(inner, "add", "-A");
  git(inner, "commit", "-qm", "Inner");
  git(directory, "-c", "advice.addEmbeddedRepo=false", "add", "sub");
  git(directory, "commit", "-qm", "With a repository inside");
  git(root, "merge", "-q", known().record.branch);
  const program = `sh -c 'touch ${trace}; cat'`;
  git(inner, "config", "filter.x.clean", program);
  git(inner, "config", "filter.x.process", program);
  git(inner, "config", "core.fsmonitor", program);
  write(inner, ".gitattributes", "f filter=x\n");
  write(inner, "f", "two\n");
  const kept = await removeWorktree(repository, known());
  expect(kept).toEqual({ ok: false, reasons: ["1 repository inside of it"] });
  expect(await listWorktrees(repository)).toMatchObject({ worktrees: [{ kind: "made", state: { kind: "dirty" } }] });
  expect(existsSync(trace)).toBe(false);
  expect(existsSync(join(inner, "f"))).toBe(true);
});
