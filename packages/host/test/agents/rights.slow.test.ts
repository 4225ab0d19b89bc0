/** A read-only agent, a session that plans and all agents of it cannot change anything: some eighty ways, with everything else allowed. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type AgentSite, openAgentSite } from "./agent-site.ts";

const program = fileURLToPath(new URL("../../../cli/src/run.ts", import.meta.url));

/** Each would change the project, or something outside of it, if it ran as it stands. */
const commands: readonly string[] = [
  "echo x > written.txt",
  "echo x >> kept.txt",
  "printf x | tee written.txt",
  "sed -i s/kept/gone/ kept.txt",
  "perl -pi -e s/kept/gone/ kept.txt",
  "awk 'BEGIN { print 1 > \"written.txt\" }'",
  "touch written.txt",
  "mkdir written",
  "rm kept.txt",
  "mv kept.txt gone.txt",
  "cp kept.txt written.txt",
  "ln -s kept.txt written.txt",
  "dd if=/dev/zero of=written.txt count=1",
  "truncate -s 0 kept.txt",
  "chmod 777 kept.txt",
  "find . -name kept.txt -delete",
  "find . -name kept.txt -exec rm {} +",
  "ls | xargs rm -f",
  "git commit --allow-empty -m x",
  "git config user.name evil",
  "git checkout -b evil",
  "git stash",
  "git add -A",
  "git diff --output=written.txt",
  'python3 -c \'open("written.txt","w").write("x")\'',
  'node -e \'require("fs").writeFileSync("written.txt","x")\'',
  "bash -c 'echo x > written.txt'",
  "eval 'echo x > written.txt'",
  "env sh -c 'touch written.txt'",
  "cat <<< x > written.txt",
  "sort kept.txt -o written.txt",
  "tar -cf written.tar kept.txt",
  "(sleep 0; touch written.txt) &",
  "exec 3> written.txt",
  "PAGER='touch written.txt' git --paginate log",
  "git -c core.fsmonitor='touch written.txt' status",
  "GIT_EXTERNAL_DIFF='touch written.txt' git diff",
  "touch ../outside.txt",
  "cd .. && touch outside.txt",
  'echo x > "$HOME/outside.txt"',
  "git branch evil",
  "git tag evil",
  "git update-ref refs/heads/evil HEAD",
  "git worktree add ../outside.txt",
  "git notes add -m x",
  "git gc --prune=now",
  "git commit --amend -m x",
  "git rm --cached kept.txt",
  "git reset --soft HEAD",
  "git apply <<'E'\n--- a/kept.txt\n+++ b/kept.txt\n@@ -1 +1 @@\n-kept\n+gone\nE",
  "python3 - <<'E'\nopen('written.txt', 'w')\nE",
  "printf 'touch written.txt' | sh",
  "source <(echo touch written.txt)",
  "x=touch; $x written.txt",
  "$(echo touch) written.txt",
  "f() { touch written.txt; }; f",
  "trap 'touch written.txt' EXIT",
  "test -e kept.txt && touch written.txt || true",
  "timeout 5 touch written.txt",
  "nohup touch written.txt",
  "find . -name kept.txt -fprint written.txt",
  "less -o written.txt kept.txt",
  "tee written.txt < kept.txt",
  "install kept.txt written.txt",
  "rsync kept.txt written.txt",
  "split -b 1 kept.txt written",
  "curl -s file:///etc/hostname -o written.txt",
  "sqlite3 written.db 'create table x(y)'",
  "npm init -y",
  "ed -s kept.txt <<'E'\ns/kept/gone/\nw\nE",
  `${process.execPath} ${program} config set model evil/model`,
  `${process.execPath} ${program} -p --dangerously-skip-permissions 'parent write'`,
];

const tools: readonly { readonly name: string; readonly input: object }[] = [
  { name: "write", input: { filePath: "written.txt", content: "x" } },
  { name: "edit", input: { filePath: "kept.txt", oldString: "kept", newString: "gone" } },
  { name: "multi_edit", input: { filePath: "kept.txt", edits: [{ oldString: "kept", newString: "gone" }] } },
  { name: "apply_patch", input: { patchText: "*** Begin Patch\n*** Add File: written.txt\n+x\n*** End Patch" } },
  { name: "batch", input: { calls: [{ tool: "write", input: { filePath: "written.txt", content: "x" } }] } },
  { name: "agent", input: { description: "Write it", prompt: "child writer", subagent_type: "general" } },
  { name: "notebook_edit", input: { filePath: "written.ipynb", newSource: "x" } },
  { name: "write", input: { filePath: "../outside.txt", content: "x" } },
  { name: "edit_lines", input: { filePath: "kept.txt", edits: "SWAP 1.=1:\ngone" } },
  { name: "ast_edit", input: { pattern: "kept", rewrite: "gone", path: "." } },
  { name: "bash", input: { command: "touch written.txt", description: "later", background: true } },
  {
    name: "agent",
    input: { description: "Apart", prompt: "child apart", subagent_type: "explore", isolation: "worktree" },
  },
  { name: "worktree_enter", input: { name: "evil" } },
  { name: "plan_exit", input: { plan: "Write it." } },
  { name: "Write", input: { file_path: "written.txt", content: "x" } },
  { name: "str_replace_editor", input: { command: "create", path: "written.txt", file_text: "x" } },
];

const ways = [...commands.map((command) => ({ name: "bash", input: { command, description: "try" } })), ...tools];

const files = { "kept.txt": "kept\n" };
/** The user allows everything, so that nothing but the ceiling of the agent holds. */
const allowsAll = { permission: "allow", agents: { maxDepth: 3 } };

function run(cwd: string, ...argv: readonly string[]): string {
  return execFileSync(argv[0] ?? "", argv.slice(1), { cwd }).toString();
}

/** Of the files, of everything in git but its index, and of the settings. */
function stateOf({ project, home }: AgentSite): readonly string[] {
  return [
    run(project, "sh", "-c", "find . -path ./.git -prune -o -print | sort; cat kept.txt; stat -c %a kept.txt"),
    run(project, "git", "for-each-ref"),
    run(project, "git", "worktree", "list"),
    run(project, "git", "status", "--porcelain"),
    run(project, "cat", ".git/config", ".git/HEAD"),
    run(join(project, ".."), "ls", "-A"),
    readFileSync(join(home, "config.json"), "utf8"),
  ];
}

const allWays = [
  ["a read-only agent of a session that bypasses permissions", "bypass", "reading"],
  ["an agent of a session that plans, with a definition that allows more", "plan", "explore"],
  ["an agent that has all tools, of a session that plans", "plan", "general"],
  ["a session that plans", "plan", undefined],
] as const;

test.each(allWays)(`%s writes in none of ${ways.length} ways`, { timeout: 600_000 }, async (_, mode, agent) => {
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt.startsWith("child writer"))
        return results.length === 0
          ? { toolCalls: [{ id: "call_w", name: "write", input: { filePath: "written.txt", content: "x" } }] }
          : { text: "Wrote." };
      if (prompt !== "tries" && !/^(?:child|parent) tries$/.test(prompt)) return { text: "Done." };
      const way = ways[results.length];
      return way === undefined ? { text: "Tried all." } : { toolCalls: [{ id: `call_${results.length}`, ...way }] };
    },
    {
      ...allowsAll,
      agents: {
        maxDepth: 3,
        definitions: {
          // It asks for everything, and says that it only reads.
          reading: { description: "Reads.", prompt: "Read.", read_only: true, max_turns: 200 },
          explore: { description: "Wider.", prompt: "Write!", max_turns: 200, permission: { edit: "allow" } },
        },
      },
    },
    { files },
  );
  try {
    run(site.project, "git", "add", "-A");
    run(site.project, "git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "Begin");
    const before = stateOf(site);
    const sessionId = await site.open(mode);
    let tried: string = sessionId;
    if (agent === undefined) await site.prompt(sessionId, "parent tries");
    else {
      const order = { prompt: "child tries", description: "Try", agent };
      const started = await site.kedge.door.send<"agent.start">({ type: "agent.start", sessionId, ...order });
      if (!started.ok) throw new Error(started.failure.message);
      tried = started.value.agentId;
      await expect
        .poll(async () => (await site.facts(sessionId)).filter(({ fact }) => fact.type === "agent.ended").length)
        .toBeGreaterThan(0);
    }
    expect(stateOf(site)).toEqual(before);
    for (const path of ["written.txt", "../outside.txt", "written.db", "package.json"])
      expect([path, existsSync(join(site.project, path))]).toEqual([path, false]);
    // Each was really tried: what ran, ran where nothing can be written.
    const ends = (await site.facts(tried)).flatMap(({ fact }) => (fact.type === "tool.ended" ? [fact] : []));
    expect(new Set(ends.map(({ callId }) => callId)).size).toBeGreaterThanOrEqual(ways.length);
    // A worktree that nobody used would be gone by now.
    const apart = ends.find(({ callId }) => callId === `call_${ways.findIndex(({ input }) => "isolation" in input)}`);
    expect(apart).toMatchObject({ tool: "agent", outcome: expect.stringMatching(/^(?:refused|failed)$/) });
  } finally {
    await site.close();
  }
});

test("the same call of an agent that may write does write, so the ways above are real", async () => {
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt === "child writer") {
        const [first] = ways;
        return results.length === 0 && first !== undefined
          ? { toolCalls: [{ id: "call_w", ...first }] }
          : { text: "Wrote." };
      }
      const input = { description: "Write", prompt: "child writer", subagent_type: "general" };
      return results.length === 0 ? { toolCalls: [{ id: "call_a", name: "agent", input }] } : { text: "Done." };
    },
    allowsAll,
    { files },
  );
  try {
    const sessionId = await site.open("bypass");
    await site.prompt(sessionId, "parent");
    expect(existsSync(join(site.project, "written.txt"))).toBe(true);
  } finally {
    await site.close();
  }
});

test("rules of the user, of the session and of the definition hold for an agent, and its own allow lifts none of them", async () => {
  const tried = ["git status", "npm test", "make", "echo hi > a.txt"];
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt === "child worker") {
        const command = tried[results.length];
        if (command === undefined) return { text: "Done." };
        return { toolCalls: [{ id: `call_${results.length}`, name: "bash", input: { command, description: "try" } }] };
      }
      const input = { description: "Work", prompt: "child worker", subagent_type: "worker" };
      return results.length === 0 ? { toolCalls: [{ id: "call_a", name: "agent", input }] } : { text: "Done." };
    },
    {
      permission: { bash: { "npm *": "ask", make: "deny" } },
      agents: {
        definitions: {
          worker: { description: "Works.", prompt: "Work.", permission: { bash: { "*": "allow", "echo *": "deny" } } },
        },
      },
    },
    { files },
  );
  try {
    const sessionId = await site.open();
    await site.prompt(sessionId, "parent");
    const calls = (await site.allFacts(sessionId, "tool.ended")).filter(({ tool }) => tool === "bash");
    expect(calls.map(({ outcome }) => outcome)).toEqual(["completed", "refused", "refused", "refused"]);
  } finally {
    await site.close();
  }
});
