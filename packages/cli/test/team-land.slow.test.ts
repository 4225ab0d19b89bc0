/** A team through the real program: its teammates commit in worktrees, and their work lands by their names. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

function git(...words: readonly string[]): string {
  return execFileSync("git", words, { cwd: bench.project, encoding: "utf8" });
}

const call = (name: string, input: object) => ({ id: `${name}-1`, name, input });
const commit = (text: string, path: string) =>
  `printf '${text}\\n' > ${path} && git add -A && git commit --quiet -m "Work on ${path}"`;

/** What each teammate writes and commits. */
const work: { readonly [name: string]: string } = {
  ann: commit("ann", "ann.txt"),
  ben: commit("ben", "ben.txt"),
  cat: commit("cat", "ann.txt"),
};

function play({ body }: MockRequest): MockTurn {
  const messages = body.messages ?? [];
  const said = messages.map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
  const hasActed = messages.some(({ role }) => role === "tool");
  if (hasActed) return { text: "Done." };
  const name = /child (\w+)/.exec(said.join("\n"))?.[1];
  if (name !== undefined)
    return { toolCalls: [call("bash", { command: work[name] ?? "true", description: "commit" })] };
  const members = ["ann", "ben", "cat"].map((each) => ({ name: each, prompt: `child ${each}`, isolation: "worktree" }));
  return {
    toolCalls: [call("team_create", { name: "tea", members: [...members, { name: "dan", prompt: "child dan" }] })],
  };
}

test("the work of teammates lands by their names, stops at the conflict, and is undone", async () => {
  bench = await openWorkbench(play, {
    permission: { team: "allow", bash: "allow", edit: "allow" },
    teams: { backend: "in-process" },
    memory: { enabled: false },
  });
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.com");
  writeFileSync(join(bench.project, "read.me"), "x\n");
  git("add", "-A");
  git("commit", "--quiet", "-m", "Begin");
  const ran = await bench.run(["-p", "parent go"]);
  expect(ran.code, ran.stderr).toBe(0);
  const before = { refs: git("for-each-ref"), worktrees: git("worktree", "list", "--porcelain") };
  const shown = JSON.parse((await bench.run(["team", "show", "tea", "--json"])).stdout);
  const made = shown.members.filter(({ branch }: { branch?: string }) => branch !== undefined);
  // What each of them was told says why one came without its worktree, or gave it back.
  const told = bench.model.requests.map(({ body }) => (body.messages ?? []).filter(({ role }) => role === "tool"));
  const names = made.map(({ name }: { name: string }) => name).toSorted();
  expect(names, JSON.stringify({ shown, told })).toEqual(["ann", "ben", "cat"]);

  const stopped = await bench.run(["team", "land", "tea", "--test", "test -e ann.txt -o ! -e ben.txt", "--json"]);
  expect(stopped.stderr).not.toContain("fail before");
  const landing = JSON.parse(stopped.stdout);
  // In the order in which they were asked for.
  expect(landing).toMatchObject({
    landed: ["ann", "ben"],
    stop: { worker: "cat", reason: "conflict", files: ["ann.txt"] },
    left: [],
  });
  expect(existsSync(join(bench.project, "ann.txt"))).toBe(false);
  expect((await bench.run(["team", "land", "tea", "--undo"])).stdout).toBe(`Deleted ${landing.branch}.\n`);
  expect({ refs: git("for-each-ref"), worktrees: git("worktree", "list", "--porcelain") }).toEqual(before);

  const pair = await bench.run(["team", "land", "tea", "ben", "ann", "--test", "true"]);
  expect(pair.stdout).toMatch(/^Landed on kedge-land-\d+: ben, ann\.\n/);
  expect((await bench.run(["team", "land", "tea", "--undo"])).code).toBe(0);
  const stranger = await bench.run(["team", "land", "tea", "dan", "--test", "true"]);
  expect(stranger.stderr).toContain("tea has no teammate dan with its own worktree.");
  expect((await bench.run(["team", "land", "none", "--test", "true"])).stderr).toContain("No team named none");
  const elsewhere = await bench.run(["-p", "/team land"]);
  expect(elsewhere.stdout).toContain("This session leads no team. Land worktrees with /land.");
  expect(readFileSync(join(bench.project, "read.me"), "utf8")).toBe("x\n");
});
