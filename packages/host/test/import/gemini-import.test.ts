/** Proves the import from Gemini CLI: settings, tool lists and policies, and commands from TOML. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ImportSite, type JudgedCall, openImportSite } from "./import-site.ts";

let site: ImportSite;
beforeEach(() => {
  site = openImportSite();
});
afterEach(() => site.close());

test("a user's set-up", async () => {
  site.write(".gemini/settings.json", {
    general: { defaultApprovalMode: "auto_edit", vimMode: true },
    model: { name: "gemini-2.5-pro" },
    context: { fileName: ["AGENTS.md"] },
    mcpServers: { docs: { httpUrl: "https://docs.example.com/mcp", trust: true } },
    hooks: { BeforeTool: [{ matcher: "run_shell_command", hooks: [{ type: "command", command: "true" }] }] },
  });
  site.write(".gemini/.env", "GEMINI_API_KEY=secret\n");
  site.write(".gemini/GEMINI.md", "Be exact. See @./more/style.md\n");
  site.write(
    ".gemini/commands/git/commit.toml",
    'description = "Commit"\nprompt = """\nStaged: !{git diff --staged}\nFor {{args}}, see @{docs/style.md}\n"""\n',
  );
  site.write(".gemini/commands/grep.toml", 'prompt = "Find !{grep -r {{args}} .}"\n');
  site.write(".gemini/commands/price.toml", 'prompt = "It costs $1 or $ARGUMENTS"\n');
  const { notes } = await site.run("gemini");
  expect(site.settings(".kedge/config.json")).toEqual({
    mcp: { docs: { type: "http", url: "https://docs.example.com/mcp" } },
    model: "google/gemini-2.5-pro",
    permissionMode: "accept-edits",
    hooks: {
      BeforeTool: [{ dialect: "gemini", matcher: "run_shell_command", hooks: [{ type: "command", command: "true" }] }],
    },
  });
  expect(site.read(".kedge/commands/git/commit.md")).toBe(
    '---\ndescription: "Commit"\n---\nStaged: !`git diff --staged`\nFor $ARGUMENTS, see @docs/style.md\n',
  );
  expect(notes.map(({ kind, file, key }) => `${kind} ${file} ${key ?? ""}`.trimEnd())).toEqual([
    "unsupported ~/.gemini/settings.json mcpServers.docs.trust",
    "unsupported ~/.gemini/settings.json general.vimMode",
    "unsupported ~/.gemini/settings.json context",
    "unsupported ~/.gemini/commands/grep.toml",
    "unsupported ~/.gemini/commands/price.toml",
    "stays ~/.gemini/GEMINI.md",
    "secret ~/.gemini/.env",
  ]);
});

test("rules judge calls as they do in Gemini CLI", async () => {
  site.write("project/.gemini/settings.json", {
    tools: {
      allowed: ["run_shell_command(git status)", "write_file", "replace"],
      exclude: ["run_shell_command(git push)", "web_fetch"],
    },
  });
  site.write(
    "project/.gemini/policies/npm.toml",
    `[[rule]]
toolName = "run_shell_command"
commandPrefix = "npm publish"
decision = "deny"
priority = 200
[[rule]]
commandPrefix = ["npm test"]
decision = "allow"
priority = 100
[[rule]]
commandPrefix = "npm"
decision = "ask_user"
priority = 50
`,
  );
  expect((await site.run("gemini")).notes).toEqual([]);
  const calls: readonly JudgedCall[] = [
    ["bash", "git status -s", "allow"],
    ["bash", "git statusx", "ask"],
    ["bash", "git push origin", "deny"],
    ["bash", "git pushx", "deny"],
    ["bash", "npm test", "allow"],
    ["bash", "npm publish", "deny"],
    ["bash", "npm run x", "ask"],
    ["edit", "a.ts", "allow"],
    ["webfetch", "https://a.dev", "deny"],
  ];
  expect(await site.judge(calls)).toEqual(calls);
});

test("a policy that cannot be expressed holds back what it may have limited", async () => {
  site.write(
    ".gemini/policies/a.toml",
    `[[rule]]
commandPrefix = "git"
decision = "allow"
priority = 10
[[rule]]
commandRegex = "git (push|reset)"
toolName = "run_shell_command"
decision = "deny"
priority = 20
`,
  );
  expect(await site.summary("gemini")).toEqual({
    files: [],
    notes: [
      "unsupported ~/.gemini/policies/a.toml: rule 2: has commandRegex, which kedge's rules cannot express",
      "unsupported ~/.gemini/policies/a.toml: rule 1: is not imported: a stricter rule that limits it cannot be converted",
    ],
  });
});
