/** Hooks for worktrees through the real program: they can make working copies without git, refuse, and hear of removals. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const group = (command: string) => [{ hooks: [{ type: "command", command }] }];

/** Scripts of the user, which write what they were told beside the project. */
async function open(scripts: { readonly [event: string]: string }): Promise<void> {
  bench = await openWorkbench(() => ({ text: "I looked." }));
  const folder = join(bench.directory, "scripts");
  mkdirSync(folder);
  const hooks = Object.fromEntries(
    Object.entries(scripts).map(([event, text]) => {
      const path = join(folder, `${event}.sh`);
      writeFileSync(path, `#!/bin/sh\ncat > ${join(bench.directory, `${event}.json`)}\n${text}\n`);
      chmodSync(path, 0o755);
      return [event, group(path)];
    }),
  );
  const path = join(bench.home, "config.json");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), hooks }));
}

const told = (event: string) => JSON.parse(readFileSync(join(bench.directory, `${event}.json`), "utf8"));

test("a hook makes the working copy in place of git, it stays at the end, and only a hook removes it", async () => {
  await open({
    WorktreeCreate: 'copy="$PWD/../copy" && mkdir -p "$copy" && echo made by a script && echo "$copy"',
    WorktreeRemove: 'rm -r "$PWD/../copy"',
  });
  const copy = join(bench.directory, "copy");
  // No repository at all: whatever the hook works with is its own business.
  rmSync(join(bench.project, ".git"), { recursive: true });
  const ran = await bench.run(["-p", "--worktree=spike", "look around"]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(told("WorktreeCreate")).toMatchObject({ hook_event_name: "WorktreeCreate", name: "spike" });
  expect(ran.stderr).toContain(`Kept worktree spike, which a hook created: ${copy}`);
  const listed = JSON.parse((await bench.run(["worktree", "list", "--json"])).stdout);
  expect(listed.worktrees).toMatchObject([{ directory: copy, state: "unknown", reasons: ["created by a hook"] }]);
  expect((await bench.run(["worktree", "prune"])).stdout).toContain("created by a hook");
  expect(existsSync(copy)).toBe(true);
  const removed = await bench.run(["worktree", "remove", "spike"]);
  expect(removed.stdout, removed.stderr).toBe("Removed spike.\n");
  expect(told("WorktreeRemove")).toMatchObject({ hook_event_name: "WorktreeRemove", worktree_path: copy });
  expect(existsSync(copy)).toBe(false);
  expect(JSON.parse((await bench.run(["worktree", "list", "--json"])).stdout || '{"worktrees":[]}').worktrees).toEqual(
    [],
  );
});

test.each([
  ["exit 2", "A hook refused the worktree"],
  ["echo no > /dev/null", "did not name a directory"],
  ["echo /nowhere/at/all", "which is not a directory"],
  ['echo "$PWD"', "named the main checkout"],
])("a hook that does %j makes no worktree", async (script, sentence) => {
  await open({ WorktreeCreate: script });
  const added = await bench.run(["worktree", "add", "one"]);
  expect(added).toMatchObject({ code: 1, stdout: "" });
  expect(added.stderr).toContain(sentence);
  expect(existsSync(join(bench.project, ".kedge", "worktrees", "one"))).toBe(false);
});

test("a hook that only hears of removals is told before git removes a worktree", async () => {
  await open({ WorktreeRemove: `ls "$PWD/.kedge/worktrees/one" > "$PWD/../there"` });
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...words], { cwd: bench.project });
  writeFileSync(join(bench.project, "a.txt"), "a\n");
  git("add", "-A");
  git("commit", "-qm", "Begin");
  expect((await bench.run(["worktree", "add", "one"])).code).toBe(0);
  expect((await bench.run(["worktree", "remove", "one"])).stdout).toContain("Removed one");
  expect(readFileSync(join(bench.directory, "there"), "utf8")).toContain("a.txt");
});
