/** The model makes a worktree, works in it, and leaves it: nothing is lost, whatever it asks for. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAgentSite } from "./agent-site.ts";

test("enter, change, a removal that would lose something is refused, a clean one is done", async () => {
  const where = (name: string, file = "") => join(".kedge/worktrees", name, file);
  const calls: readonly { readonly name: string; readonly input: object }[] = [
    { name: "worktree_enter", input: { name: "try" } },
    { name: "worktree_enter", input: { name: "try" } },
    { name: "worktree_enter", input: { name: "../out" } },
    { name: "worktree_enter", input: { name: "clean" } },
    { name: "bash", input: { command: `echo new > ${where("try", "new.txt")}`, description: "write" } },
    { name: "worktree_exit", input: { name: "try", action: "remove" } },
    { name: "worktree_exit", input: { name: "try", action: "keep" } },
    { name: "worktree_exit", input: { name: "clean", action: "remove" } },
    { name: "worktree_exit", input: { name: "nothing", action: "remove" } },
    { name: "worktree_exit", input: { name: "try", action: "burn" } },
  ];
  const site = await openAgentSite(
    ({ results }) => {
      const call = calls[results.length];
      return call === undefined ? { text: "Done." } : { toolCalls: [{ id: `call_${results.length}`, ...call }] };
    },
    { permission: "allow" },
    { files: { "kept.txt": "kept\n" } },
  );
  const git = (...argv: readonly string[]) => execFileSync("git", argv, { cwd: site.project }).toString();
  try {
    git("add", "kept.txt");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first");
    const sessionId = await site.open("bypass");
    await site.prompt(sessionId, "parent");
    const ended = (await site.facts(sessionId)).flatMap(({ fact }) => (fact.type === "tool.ended" ? [fact] : []));
    expect(ended.map(({ outcome }) => outcome)).toEqual([
      ...["completed", "failed", "failed", "completed", "completed"],
      ...["failed", "completed", "completed", "failed", "failed"],
    ]);
    expect(ended[0]?.output).toContain(join(site.project, where("try")));
    expect(ended[0]?.output).toMatch(/branch kedge-wt-\d+-try\./);
    expect(ended[2]?.output).toContain('"../out" is not a valid worktree name.');
    expect(ended[5]?.output).toMatch(/^Worktree try was not removed: .*untracked/);
    expect(readFileSync(join(site.project, where("try", "new.txt")), "utf8")).toBe("new\n");
    expect(existsSync(join(site.project, where("clean")))).toBe(false);
    expect(git("branch", "--list", "kedge-wt-*")).toMatch(/^\+? *kedge-wt-\d+-try\n$/);
    expect(git("status", "--porcelain")).toBe("");
  } finally {
    await site.close();
  }
});

test("in default mode a worktree is asked about, and denied where nobody answers", async () => {
  const site = await openAgentSite(({ results }) =>
    results.length === 0
      ? { toolCalls: [{ id: "call_1", name: "worktree_enter", input: { name: "try" } }] }
      : { text: "Done." },
  );
  try {
    const sessionId = await site.open();
    await site.prompt(sessionId, "parent");
    const [ended] = await site.allFacts(sessionId, "tool.ended");
    expect(ended?.outcome).toBe("refused");
    expect(existsSync(join(site.project, ".kedge/worktrees"))).toBe(false);
  } finally {
    await site.close();
  }
});
