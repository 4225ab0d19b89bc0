/** Proves the import from Claude Code: what becomes kedge's own, what is left and why, and that rules mean the same. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ImportSite, type JudgedCall, openImportSite } from "./import-site.ts";

let site: ImportSite;
beforeEach(() => {
  site = openImportSite();
});
afterEach(() => site.close());

test("a whole set-up of a user and a project", async () => {
  site.write(".claude/settings.json", {
    model: "claude-sonnet-4-5",
    effortLevel: "high",
    permissions: { allow: ["Bash(npm run test:*)", "WebSearch"], defaultMode: "acceptEdits" },
    env: { ANTHROPIC_API_KEY: "not-to-be-copied", EDITOR: "vi" },
    apiKeyHelper: "/bin/key.sh",
    statusLine: { type: "command", command: "x" },
  });
  site.write(".claude/commands/git/fix.md", "Fix $ARGUMENTS\n");
  site.write(".claude/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDFs\n---\nRead it.\n");
  site.write(".claude/skills/pdf/scripts/read.sh", "echo hi\n");
  site.write(".claude/CLAUDE.md", "Be kind.\n");
  site.write("project/.claude/settings.json", {
    permissions: { deny: ["Read(./secrets/**)"], ask: ["Bash(git push:*)"] },
    sandbox: { enabled: true },
  });
  site.write("project/.claude/settings.local.json", { permissions: { allow: ["Bash(make lint)"] } });
  site.write("project/.claude/agents/reviewer.md", "---\nname: reviewer\n---\nReview.\n");
  site.write("project/.claude/output-styles/terse.md", "Short.\n");
  site.write("project/.mcp.json", { mcpServers: { docs: { command: "docs-server" } } });
  expect(await site.summary("claude")).toEqual({
    files: [
      "~/.kedge/config.json",
      "~/.kedge/commands/git/fix.md",
      "~/.kedge/skills/pdf/SKILL.md",
      "~/.kedge/skills/pdf/scripts/read.sh",
      "~/.kedge/rules/claude.md",
      ".kedge/config.json",
      ".kedge/config.local.json",
      ".kedge/agents/reviewer.md",
      ".kedge/output-styles/terse.md",
    ],
    notes: [
      "secret ~/.claude/settings.json: apiKeyHelper: is a secret and was not copied",
      "secret ~/.claude/settings.json: env.ANTHROPIC_API_KEY: is a secret and was not copied",
      "unsupported ~/.claude/settings.json: env.EDITOR: has no equivalent in kedge",
      "unsupported ~/.claude/settings.json: statusLine: has no equivalent in kedge",
      "unsupported .claude/settings.json: sandbox: has no equivalent in kedge",
      "unsupported .claude/agents/reviewer.md: is copied to agents/reviewer.md",
    ],
  });
  await site.run("claude");
  expect(site.settings(".kedge/config.json")).toEqual({
    permissionMode: "accept-edits",
    model: "anthropic/claude-sonnet-4-5",
    thinking: { effort: "high" },
    permissions: { allow: ["Bash(npm run test *)", "Websearch"] },
  });
  expect(site.settings("project/.kedge/config.json")).toEqual({
    mcp: { docs: { type: "stdio", command: "docs-server" } },
    permissions: { ask: ["Bash(git push *)"], deny: ["Read(secrets/**)"] },
  });
  expect(site.settings("project/.kedge/config.local.json")).toEqual({ permissions: { allow: ["Bash(make lint)"] } });
  expect(site.read("project/.kedge/.gitignore")).toContain("config.local.json");
  expect(site.read(".kedge/skills/pdf/scripts/read.sh")).toBe("echo hi\n");
  expect((await site.load()).warnings).toEqual([]);
});

test("hooks keep the names of their own agent, and join those that kedge has", async () => {
  const guard = { matcher: "Bash", hooks: [{ type: "command", command: "true", timeout: 5 }] };
  const own = { matcher: "bash", hooks: [{ type: "command", command: "date" }] };
  site.write(".kedge/config.json", { hooks: { PreToolUse: [own] } });
  site.write(".claude/settings.json", {
    hooks: { PreToolUse: [guard, { hooks: [{ type: "dance" }] }], Nonsense: [guard], Stop: [{ hooks: guard.hooks }] },
    disableAllHooks: false,
  });
  const { notes } = await site.run("claude");
  expect(site.settings(".kedge/config.json")).toEqual({
    hooks: { PreToolUse: [own, { dialect: "claude", ...guard }], Stop: [{ dialect: "claude", hooks: guard.hooks }] },
    disableAllHooks: false,
  });
  expect(notes.map(({ key, why }) => `${key}: ${why}`)).toEqual([
    'hooks.PreToolUse: PreToolUse[0].hooks[0] is not used: "dance" is not a known hook type',
    "hooks.Nonsense: Nonsense is not a known event; its hooks never run",
  ]);
  expect((await site.plan("claude")).files).toEqual([]);
});

test("an output style is chosen only if it comes along", async () => {
  site.write(".claude/settings.json", { outputStyle: "terse" });
  expect((await site.plan("claude")).notes).toMatchObject([{ key: "outputStyle", kind: "unsupported" }]);
  site.write(".claude/output-styles/terse.md", "Short.\n");
  await site.run("claude");
  expect(site.settings(".kedge/config.json")).toEqual({ outputStyle: "terse" });
});

test("a second import finds nothing to do", async () => {
  site.write(".claude/settings.json", {
    model: "claude-opus-4-1",
    permissions: { deny: ["Read(//etc/**)", "Edit(.env)"] },
  });
  site.write(".claude/commands/a.md", "A\n");
  await site.run("claude");
  expect((await site.plan("claude")).files).toEqual([]);
});

test("the user's own values, rules and comments stay", async () => {
  site.write(
    ".kedge/config.jsonc",
    '{\n  // mine\n  "model": "openai/gpt-5",\n  "permissions": { "allow": ["Bash(ls)"] }\n}\n',
  );
  site.write(".kedge/commands/a.md", "Mine\n");
  site.write(".claude/settings.json", { model: "claude-opus-4-1", permissions: { allow: ["Bash(ls)", "Bash(pwd)"] } });
  site.write(".claude/commands/a.md", "Theirs\n");
  const { files, notes } = await site.run("claude");
  expect(site.read(".kedge/config.jsonc")).toBe(
    '{\n  // mine\n  "model": "openai/gpt-5",\n  "permissions": { "allow": [\n    "Bash(ls)",\n    "Bash(pwd)"\n  ] }\n}\n',
  );
  expect(site.read(".kedge/commands/a.md")).toBe("Mine\n");
  expect(files.map(({ diff }) => diff)).toEqual([expect.stringContaining('+    "Bash(pwd)"')]);
  expect(notes).toMatchObject([
    { kind: "kept", key: "model", why: "model stays unchanged in ~/.kedge/config.jsonc" },
    { kind: "kept", why: "is skipped: ~/.kedge/commands/a.md exists and differs" },
  ]);
});

describe("rules", () => {
  const fixture = {
    allow: [
      ...[
        "Bash(npm run test:*)",
        "Bash(git commit *)",
        "Bash(echo *)",
        "Bash(make build)",
        "WebFetch(domain:example.com)",
      ],
      ...["Edit(/src/**)", "Edit(docs/*.md)", "Read(~/notes/**)"],
    ],
    ask: ["Bash(git commit --amend:*)"],
    deny: ["Bash(rm:*)", "Read(./.env)", "Read(*.pem)", "Edit(src/generated/**)", "WebFetch(domain:Evil.com)"],
  };

  /** As Claude Code's manual describes the rules above. */
  const calls: readonly JudgedCall[] = [
    ["bash", "npm run test", "allow"],
    ["bash", "npm run test -- --watch", "allow"],
    ["bash", "npm run tester", "ask"],
    ["bash", "npm run test && rm -rf x", "deny"],
    ["bash", "npm run test && node evil.js", "ask"],
    ["bash", "git commit -m x", "allow"],
    ["bash", "git commit --amend", "ask"],
    ["bash", "git commits", "ask"],
    ["bash", "echo hi", "allow"],
    ["bash", "echo hi > /etc/passwd", "ask"],
    ["bash", "make build", "allow"],
    ["bash", "make build all", "ask"],
    ["bash", "rm -rf /", "deny"],
    ["bash", "rmdir x", "ask"],
    ["edit", "src/a.ts", "allow"],
    ["edit", "src/deep/er/a.ts", "allow"],
    ["edit", "src/generated/a.ts", "deny"],
    ["edit", "other/a.ts", "ask"],
    // `docs/*.md` means no deeper files there, which kedge cannot say, so it is left out.
    ["edit", "docs/a.md", "ask"],
    ["read", ".env", "deny"],
    ["read", "keys/deep/server.pem", "deny"],
    ["read", "README.md", "allow"],
    ["webfetch", "https://example.com/a", "allow"],
    ["webfetch", "https://sub.example.com/a", "ask"],
    ["webfetch", "https://evil.com/a", "deny"],
    ["webfetch", "https://evil.com:8443/a", "deny"],
  ];

  test("judge calls as they do in Claude Code", async () => {
    site.write("project/.claude/settings.json", { permissions: fixture });
    await site.run("claude");
    expect(await site.judge(calls)).toEqual(calls);
  });

  test("what cannot be said exactly is listed, and what it limited is held back", async () => {
    site.write(".claude/settings.json", {
      permissions: {
        allow: ["Bash(git:*)", "Bash(npm:*)", "Write", "Bash(ls \\*)", "Task(Explore)", "mcp__github", "PowerShell(x)"],
        deny: ["Bash(git push ?rigin)", "NotebookEdit(src/**)", "WebFetch(domain:*.evil.*)"],
      },
    });
    const { notes } = await site.run("claude");
    expect(notes.map(({ key, why }) => `${key}: ${why}`)).toEqual([
      "allow Write: is about one of several editing tools; kedge has one rule for all of them, Edit",
      "allow Bash(ls \\*): has no exact equivalent in kedge",
      "allow Task(Explore): matches an argument of Task, which kedge rules do not support",
      "allow PowerShell(x): names the tool PowerShell, which does not exist in kedge",
      "deny Bash(git push ?rigin): has no exact equivalent in kedge",
      "deny NotebookEdit(src/**): has no effect in Claude Code, which only checks paths in Edit rules",
      "deny WebFetch(domain:*.evil.*): has no exact equivalent in kedge",
      "allow Bash(git:*): is not imported: a stricter rule that limits it cannot be converted",
    ]);
    expect(site.settings(".kedge/config.json")).toEqual({
      permissions: { allow: ["Bash(npm *)", "mcp__github__*"] },
    });
  });

  test("what the user's settings ask about is not allowed by a developer's own file of a project", async () => {
    site.write(".claude/settings.json", { permissions: { ask: ["Bash(git push:*)"] } });
    site.write("project/.claude/settings.local.json", {
      permissions: { allow: ["Bash(git push origin)", "Bash(ls)"] },
    });
    expect((await site.run("claude", "project")).notes.map(({ key, why }) => [key, why])).toEqual([
      ["allow Bash(git push origin)", "is not imported: your own settings ask about it"],
    ]);
    expect(site.settings("project/.kedge/config.local.json")).toEqual({ permissions: { allow: ["Bash(ls)"] } });
  });

  test("a project never gets a rule that allows nearly everything", async () => {
    site.write("project/.claude/settings.json", {
      permissions: { allow: ["Bash", "Bash(python3:*)", "Bash(make lint)"] },
    });
    expect((await site.run("claude")).notes.map(({ key }) => key)).toEqual(["allow Bash", "allow Bash(python3:*)"]);
    expect(site.settings("project/.kedge/config.json")).toEqual({ permissions: { allow: ["Bash(make lint)"] } });
  });
});
