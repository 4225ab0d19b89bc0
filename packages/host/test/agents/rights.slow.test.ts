/** A read-only agent, and any agent of a session that plans, cannot change anything: forty ways, with everything else allowed. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type AgentSite, openAgentSite } from "./agent-site.ts";

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
];

const tools: readonly { readonly name: string; readonly input: object }[] = [
  { name: "write", input: { filePath: "written.txt", content: "x" } },
  { name: "edit", input: { filePath: "kept.txt", oldString: "kept", newString: "gone" } },
  { name: "multi_edit", input: { filePath: "kept.txt", edits: [{ oldString: "kept", newString: "gone" }] } },
  { name: "apply_patch", input: { patchText: "*** Begin Patch\n*** Add File: written.txt\n+x\n*** End Patch" } },
  { name: "batch", input: { calls: [{ tool: "write", input: { filePath: "written.txt", content: "x" } }] } },
  { name: "agent", input: { description: "Write it", prompt: "child writer", subagent_type: "general" } },
  { name: "notebook_edit", input: { filePath: "written.ipynb", newSource: "x" } },
];

const ways = [...commands.map((command) => ({ name: "bash", input: { command, description: "try" } })), ...tools];

function stateOf(project: string): string {
  const run = (...argv: readonly string[]) => execFileSync(argv[0] ?? "", argv.slice(1), { cwd: project }).toString();
  return (
    run("sh", "-c", "find . -path ./.git -prune -o -type f -print | sort | xargs sha256sum") +
    run("cat", ".git/config", ".git/HEAD")
  );
}

async function tryAll(site: AgentSite, mode: "bypass" | "plan", prompt: string): Promise<void> {
  const before = stateOf(site.project);
  const sessionId = await site.open(mode);
  const ended = await site.prompt(sessionId, prompt);
  expect(ended).toMatchObject({ reason: "completed" });
  expect(stateOf(site.project)).toBe(before);
  expect(existsSync(join(site.project, "written.txt"))).toBe(false);
}

const files = { "kept.txt": "kept\n" };
/** The user allows everything, so that nothing but the ceiling of the agent holds. */
const allowsAll = { permission: "allow", agents: { maxDepth: 3 } };

test(`a read-only agent of a session that bypasses permissions writes in none of ${ways.length} ways`, async () => {
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt === "child reader") {
        const way = ways[results.length];
        return way === undefined ? { text: "Tried all." } : { toolCalls: [{ id: `call_${results.length}`, ...way }] };
      }
      if (prompt === "child writer") {
        return results.length === 0
          ? { toolCalls: [{ id: "call_w", name: "write", input: { filePath: "written.txt", content: "x" } }] }
          : { text: "Wrote." };
      }
      return results.length === 0
        ? {
            toolCalls: [
              {
                id: "call_agent",
                name: "agent",
                input: { description: "Read", prompt: "child reader", subagent_type: "reading" },
              },
            ],
          }
        : { text: "Done." };
    },
    {
      ...allowsAll,
      // Its definition asks for everything and says that it only reads.
      agents: {
        maxDepth: 3,
        definitions: { reading: { description: "Reads.", prompt: "Read.", read_only: true, max_turns: 100 } },
      },
    },
    { files },
  );
  try {
    await tryAll(site, "bypass", "parent");
    const carried = site.model.requests.flatMap(({ body }) =>
      JSON.stringify(body.messages).includes("child reader") ? [body.tools ?? []] : [],
    );
    expect(carried.length).toBeGreaterThan(ways.length);
  } finally {
    await site.close();
  }
});

test(`an agent of a session that plans writes in none of ${ways.length} ways`, async () => {
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt.startsWith("child")) {
        const way = ways[results.length];
        return way === undefined ? { text: "Tried all." } : { toolCalls: [{ id: `call_${results.length}`, ...way }] };
      }
      return results.length === 0
        ? {
            toolCalls: [
              {
                id: "call_agent",
                name: "agent",
                input: { description: "Read", prompt: "child planned", subagent_type: "explore" },
              },
            ],
          }
        : { text: "Done." };
    },
    {
      ...allowsAll,
      agents: {
        maxDepth: 3,
        definitions: {
          explore: { description: "Wider.", prompt: "Write!", max_turns: 100, permission: { edit: "allow" } },
        },
      },
    },
    { files },
  );
  try {
    await tryAll(site, "plan", "parent");
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
