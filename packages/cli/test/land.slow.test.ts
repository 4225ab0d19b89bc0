/** Landing through the real program: a clean pair lands, a conflict and red tests stop it, and undo leaves no trace. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

function git(cwd: string, ...words: readonly string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...words], { cwd, encoding: "utf8" });
}

const inProject = (...words: readonly string[]) => git(bench.project, ...words);

async function open(): Promise<void> {
  bench = await openWorkbench(() => ({ text: "No." }));
  writeFileSync(join(bench.project, "numbers.txt"), "one\ntwo\nthree\n");
  mkdirSync(join(bench.project, "parts"));
  writeFileSync(join(bench.project, "parts", "a"), "ok\n");
  inProject("add", "-A");
  inProject("commit", "-qm", "Begin");
}

/** A worker of kedge that commits one file. */
async function worker(name: string, path: string, text: string): Promise<void> {
  const added = await bench.run(["worktree", "add", name, "--json"]);
  const { directory } = JSON.parse(added.stdout);
  writeFileSync(join(directory, path), text);
  git(directory, "add", "-A");
  git(directory, "commit", "-qm", `Work of ${name}`);
}

/** Everything that a landing could have changed. */
function world() {
  return {
    refs: inProject("for-each-ref"),
    head: readFileSync(join(bench.project, ".git", "HEAD"), "utf8"),
    index: inProject("ls-files", "--stage"),
    status: inProject("status", "--porcelain=v1", "--untracked-files=all"),
    worktrees: inProject("worktree", "list", "--porcelain"),
    places: readdirSync(join(bench.project, ".kedge", "worktrees")).sort(),
    git: readdirSync(join(bench.project, ".git")).filter((name) => name.startsWith("kedge")),
    text: readFileSync(join(bench.project, "numbers.txt"), "utf8"),
  };
}

// Red as soon as any part is not ok.
const tests = "! grep -rqv ok parts";

test("four workers: a clean pair lands, the conflict and the red one stop it, and undo restores everything", async () => {
  await open();
  await worker("first", "numbers.txt", "ONE\ntwo\nthree\n");
  await worker("second", "parts/b", "ok\n");
  await worker("clash", "numbers.txt", "uno\ntwo\nthree\n");
  await worker("red", "parts/c", "bad\n");
  writeFileSync(join(bench.project, "mine.txt"), "not committed\n");
  const before = world();

  const stopped = await bench.run(["land", "--test", tests, "--json"]);
  expect(stopped.code, stopped.stderr).toBe(1);
  const landing = JSON.parse(stopped.stdout);
  expect(landing).toMatchObject({
    landed: ["first", "second"],
    left: ["red"],
    stop: { worker: "clash", reason: "conflict", files: ["numbers.txt"] },
  });
  expect(inProject("show", `${landing.branch}:numbers.txt`)).toBe("ONE\ntwo\nthree\n");
  expect(inProject("show", `${landing.branch}:parts/b`)).toBe("ok\n");
  expect(world()).toMatchObject({ head: before.head, index: before.index, status: before.status, text: before.text });
  expect((await bench.run(["land", "--undo"])).stdout).toBe(`Deleted ${landing.branch}.\n`);
  expect(world()).toEqual(before);

  const red = await bench.run(["land", "second", "red", "clash", "--test", tests]);
  expect(red.code).toBe(1);
  expect(red.stdout).toMatch(
    /^Landed on kedge-land-\d+: second\.\nStopped at red\. The tests fail with it, exit code 1\./,
  );
  expect(red.stdout).toContain("Ask red to fix it.\nNot attempted: clash.");
  expect((await bench.run(["land", "--undo"])).code).toBe(0);
  expect(world()).toEqual(before);

  const none = await bench.run(["land", "--undo"]);
  expect(none).toMatchObject({ code: 1, stderr: "kedge: No landing to undo.\n" });
});

test("what cannot land is refused before anything is made", async () => {
  await open();
  const nothing = await bench.run(["land", "--test", "true"]);
  expect(nothing.stderr).toContain("Nothing to land.");
  expect((await bench.run(["land", "no-such", "--test", "true"])).stderr).toContain("Branch not found: no-such.");
  expect((await bench.run(["land"])).stderr).toContain("No test command is set");
  await worker("one", "parts/b", "ok\n");
  const before = world();
  const broken = await bench.run(["land", "one", "--test", "echo red already; exit 3"]);
  expect(broken.stderr).toContain("The tests fail before anything is merged (exit code 3):\nred already");
  expect(world()).toEqual(before);
  writeFileSync(join(bench.project, ".kedge", "worktrees", "one", "parts", "d"), "ok\n");
  const dirty = await bench.run(["land", "one", "--test", "true"]);
  expect(dirty.stderr).toContain("one has 1 untracked file, which would not land. Ask one to commit");
});

test("commits that somebody added to the landing are not lost by undo", async () => {
  await open();
  await worker("one", "parts/b", "ok\n");
  const landed = JSON.parse((await bench.run(["land", "--test", "true", "--json"])).stdout);
  inProject("checkout", "-q", landed.branch);
  inProject("commit", "-q", "--allow-empty", "-m", "More");
  const refused = await bench.run(["land", "--undo"]);
  expect(refused.stderr).toContain("has commits that are not part of the landing");
  expect(inProject("rev-parse", landed.branch).trim()).not.toBe(landed.tip);
});

test("what tests write into the project stands in the way of no worker, and lands with none", async () => {
  await open();
  await worker("first", "parts/b", "ok\n");
  await worker("second", "numbers.txt", "ONE\ntwo\nthree\n");
  await worker("third", "parts/c", "ok\n");
  // Not ignored, and copied to where it lands.
  mkdirSync(join(bench.project, "node_modules"));
  writeFileSync(join(bench.project, "node_modules", "there"), "");
  const before = world();
  const writing = "echo four >> numbers.txt; echo made > parts/c; echo made > other.txt; test -e node_modules/there";
  const landed = JSON.parse((await bench.run(["land", "--test", writing, "--json"])).stdout);
  expect(landed).toMatchObject({ landed: ["first", "second", "third"], left: [] });
  expect(inProject("ls-tree", "-r", "--name-only", landed.branch).split("\n")).not.toContain("other.txt");
  expect(inProject("show", `${landed.branch}:numbers.txt`)).toBe("ONE\ntwo\nthree\n");
  expect(inProject("show", `${landed.branch}:parts/c`)).toBe("ok\n");
  expect((await bench.run(["land", "--undo"])).code).toBe(0);
  expect(world()).toEqual(before);
});

test("/land lands in a session, and undoes it", async () => {
  await open();
  await worker("one", "parts/b", "ok\n");
  const before = world();
  expect((await bench.run(["-p", "/land"])).stdout).toContain("No test command is set. Use /land --test");
  const landed = await bench.run(["-p", `/land one --test ${tests}`]);
  expect(landed.stdout).toMatch(/^Landed on kedge-land-\d+: one\./);
  expect((await bench.run(["-p", "/land undo"])).stdout).toMatch(/^Deleted kedge-land-/);
  expect(world()).toEqual(before);
});

test("a renamed branch lands under its new name, and a worker without a branch is asked", async () => {
  await open();
  await worker("one", "parts/b", "ok\n");
  const tree = join(bench.project, ".kedge", "worktrees", "one");
  git(tree, "branch", "-m", "mine");
  const landed = JSON.parse((await bench.run(["land", "--test", tests, "--json"])).stdout);
  expect(landed).toMatchObject({ landed: ["one"] });
  expect((await bench.run(["land", "--undo"])).code).toBe(0);
  git(tree, "checkout", "--quiet", "--detach");
  git(tree, "commit", "--quiet", "--allow-empty", "-m", "Nowhere");
  const detached = await bench.run(["land", "--test", tests]);
  expect(detached.stderr).toContain("one has no branch checked out, which would not land. Ask one to commit");
  // A folder that somebody deleted is forgotten, its branch stays, and its name is free again.
  rmSync(tree, { recursive: true });
  expect((await bench.run(["worktree", "prune"])).stdout).toContain("Removed");
  expect(inProject("branch", "--list", "mine").trim()).toBe("mine");
  expect((await bench.run(["worktree", "add", "one"])).code).toBe(0);
});
