/** Worktrees through the real program: a session works in one, and it stays exactly when something would be lost. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockScript } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

function git(...words: readonly string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...words], { cwd: bench.project, encoding: "utf8" });
}

async function open(script: MockScript): Promise<void> {
  bench = await openWorkbench(script);
  writeFileSync(join(bench.project, "app.ts"), "one\n");
  git("add", "-A");
  git("commit", "-qm", "Begin");
}

const writesAFile: MockScript = ({ body }) =>
  body.messages?.some(({ role }) => role === "tool")
    ? { text: "Done." }
    : { toolCalls: [{ name: "write", input: { filePath: "new.ts", content: "new\n" } }] };

const place = () => join(bench.project, ".kedge", "worktrees");
const branches = () => git("branch", "--list", "kedge-wt-*").trim();

test("a session writes in its worktree, which stays with the work and can be continued", async () => {
  await open(writesAFile);
  const ran = await bench.run(["-p", "--worktree=fix", "--permission-mode", "accept-edits", "Write it"]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain("Kept worktree fix (1 untracked file)");
  expect(readFileSync(join(place(), "fix", "new.ts"), "utf8")).toBe("new\n");
  expect(git("status", "--porcelain")).toBe("");
  expect(existsSync(join(bench.project, "new.ts"))).toBe(false);
  const listed = await bench.run(["worktree", "list", "--json"]);
  expect(JSON.parse(listed.stdout)).toMatchObject({
    worktrees: [{ name: "fix", state: "dirty", reasons: ["1 untracked file"], directory: join(place(), "fix") }],
  });
  const again = await bench.run(["-p", "--worktree=fix", "--continue", "And now?"]);
  expect(again.code, again.stderr).toBe(0);
  expect(JSON.stringify(bench.model.requests.at(-1)?.body)).toContain("Write it");
  const kept = await bench.run(["worktree", "prune"]);
  expect(kept.stdout).toBe("Kept fix: 1 untracked file.\n");
  const refused = await bench.run(["worktree", "remove", "fix"]);
  expect(refused).toMatchObject({ code: 1, stderr: "kedge: Kept fix: 1 untracked file. Discard it with --force.\n" });
  const removed = await bench.run(["worktree", "remove", "fix", "--force"]);
  expect(removed).toMatchObject({ code: 0, stdout: "Removed fix and its branch.\n" });
  expect(branches()).toBe("");
});

test("a session that changes nothing leaves nothing", async () => {
  await open(() => ({ text: "Nothing to do." }));
  const ran = await bench.run(["-p", "--worktree", "--", "Look"]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toBe("");
  expect(readdirSync(place())).toEqual([".gitignore"]);
  expect(branches()).toBe("");
});

test("bad names and places are refused in a sentence, and no model is asked", async () => {
  await open(() => ({ text: "No." }));
  const bad = await bench.run(["-p", "--worktree=../out", "Look"]);
  expect(bad.code).toBe(1);
  expect(bad.stderr).toMatch(/^kedge: "\.\.\/out" is not a valid worktree name\. Use at most 64 letters/);
  const outside = await bench.run(["worktree", "list"], { cwd: bench.home });
  expect(outside.stderr).toContain("This directory is not in a git repository.");
  expect((await bench.run(["worktree", "add"])).code).toBe(2);
  expect((await bench.run(["worktree", "remove", "none"])).stderr).toContain("No worktree named none.");
  expect(bench.model.requests).toHaveLength(0);
});

test("a worktree is made, listed and pruned from inside of another", async () => {
  await open(() => ({ text: "No." }));
  await bench.run(["worktree", "add", "one"]);
  const second = await bench.run(["worktree", "add", "two", "--json"], { cwd: join(place(), "one") });
  expect(JSON.parse(second.stdout)).toMatchObject({ name: "two", directory: join(place(), "two") });
  const pruned = await bench.run(["worktree", "prune", "--json"], { cwd: bench.project });
  expect(JSON.parse(pruned.stdout)).toEqual({ removed: ["one", "two"], kept: [] });
  // Several processes at the same moment, with homes of their own.
  const names = ["three", "four", "five"];
  const added = await Promise.all(
    names.map((name) =>
      bench.run(["worktree", "add", name], { environment: { KEDGE_HOME: join(bench.directory, name) } }),
    ),
  );
  expect(added.map(({ code, stderr }) => ({ code, stderr }))).toEqual(names.map(() => ({ code: 0, stderr: "" })));
});

test("what git would run for a checkout does not run before trust", async () => {
  await open(() => ({ text: "No." }));
  const canary = join(bench.directory, "canary");
  git("config", "filter.spy.smudge", `touch ${canary}; cat`);
  writeFileSync(join(bench.project, ".gitattributes"), "* filter=spy\n");
  git("-c", "filter.spy.smudge=cat", "add", "-A");
  git("-c", "filter.spy.smudge=cat", "commit", "-qm", "Attributes");
  const refused = await bench.run(["worktree", "add", "one"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("git configuration would run programs");
  expect(existsSync(canary)).toBe(false);
});
