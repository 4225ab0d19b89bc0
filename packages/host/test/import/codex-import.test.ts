/** Proves the import from Codex: TOML settings, command rules, prompts and agents. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ImportSite, type JudgedCall, openImportSite } from "./import-site.ts";

let site: ImportSite;
beforeEach(() => {
  site = openImportSite();
});
afterEach(() => site.close());

test("a user's set-up", async () => {
  site.write(
    ".codex/config.toml",
    `model = "o4-mini"
model_provider = "proxy"
model_reasoning_effort = "xhigh"
approval_policy = "on-request"
notify = ["notify-send", "Codex"]

[model_providers.proxy]
name = "Proxy"
base_url = "https://proxy.example.com/v1"
env_key = "PROXY_KEY"
wire_api = "responses"
experimental_bearer_token = "secret-token"

[mcp_servers.docs]
command = "docs-server"
args = ["--port", "1"]

[projects."/home/dev/proj"]
trust_level = "trusted"
`,
  );
  site.write(".codex/auth.json", { OPENAI_API_KEY: "sk-secret" });
  site.write(".codex/prompts/review.md", "Review $1\n");
  site.write(".codex/AGENTS.md", "Write tests.\n");
  site.write(
    ".codex/agents/tester.toml",
    'name = "tester"\ndescription = "Tests"\ndeveloper_instructions = """\nTest it.\n"""\nsandbox_mode = "read-only"\n',
  );
  const { notes } = await site.run("codex");
  expect(site.settings(".kedge/config.json")).toEqual({
    mcp: { docs: { type: "stdio", command: "docs-server", args: ["--port", "1"] } },
    model: "proxy/o4-mini",
    thinking: { effort: "max" },
    provider: {
      proxy: { api: "openai-responses", baseURL: "https://proxy.example.com/v1", apiKey: "{env:PROXY_KEY}" },
    },
  });
  expect(site.read(".kedge/commands/review.md")).toBe("Review $1\n");
  expect(site.read(".kedge/rules/codex.md")).toBe("Write tests.\n");
  expect(site.read(".kedge/agents/tester.md")).toBe('---\nname: "tester"\ndescription: "Tests"\n---\nTest it.\n');
  expect(notes.map(({ kind, file, key }) => `${kind} ${file} ${key ?? ""}`.trimEnd())).toEqual([
    "secret ~/.codex/config.toml model_providers.proxy.experimental_bearer_token",
    "unsupported ~/.codex/config.toml approval_policy",
    "unsupported ~/.codex/config.toml notify",
    "unsupported ~/.codex/config.toml projects",
    "unsupported ~/.codex/agents/tester.toml sandbox_mode",
    "secret ~/.codex/auth.json",
    "unsupported ~/.codex/agents/tester.toml",
  ]);
  expect(JSON.stringify(notes)).not.toContain("secret-token");
});

const rules = `# what may run
prefix_rule(pattern = ["git", ["status", "diff"]], decision = "allow", match = ["git status -s"])
prefix_rule(
    pattern = ["gh", "pr", "view"],  # asks
    decision = "prompt",
    justification = "Look first",
    not_match = [["gh", "pr"]],
)
prefix_rule(pattern = ["rm"], decision = "forbidden")
prefix_rule(pattern = ["ls"])
`;

test("rules judge commands as they do in Codex", async () => {
  site.write(".codex/rules/default.rules", rules);
  await site.run("codex");
  const calls: readonly JudgedCall[] = [
    ["bash", "git status", "allow"],
    ["bash", "git status -s", "allow"],
    ["bash", "git diff HEAD", "allow"],
    ["bash", "git statusx", "ask"],
    ["bash", "git push", "ask"],
    ["bash", "gh pr view 7", "ask"],
    ["bash", "rm -rf x", "deny"],
    ["bash", "git status && rm x", "deny"],
  ];
  expect(await site.judge(calls)).toEqual(calls);
});

test("what is no plain rule is named with its line, and nothing is allowed that it may have forbidden", async () => {
  site.write(
    ".codex/rules/a.rules",
    'prefix_rule(pattern = ["git", "log"])\nhost_executable(name = "git", paths = ["/usr/bin/git"])\nfor name in ["a"]:\n  pass\n',
  );
  expect(await site.summary("codex")).toEqual({
    files: [],
    notes: [
      "unsupported ~/.codex/rules/a.rules: line 2: calls host_executable, which has no equivalent in kedge",
      "broken ~/.codex/rules/a.rules: line 3: is not a plain call with literal values",
      "unsupported ~/.codex/rules/a.rules: line 1: is not imported: a stricter rule that limits it cannot be converted",
    ],
  });
});

test("a broken file is named with its line, and the rest is imported", async () => {
  site.write(".codex/config.toml", 'model = "a"\nbroken = \n');
  site.write(".codex/prompts/a.md", "A\n");
  expect(await site.summary("codex")).toEqual({
    files: ["~/.kedge/commands/a.md"],
    notes: ["broken ~/.codex/config.toml: is not valid TOML at line 2: expected a value"],
  });
});

test.each([
  ["", ["PreToolUse"], []],
  ["[features]\nhooks = false\n", [], ["stays ~/.codex/config.toml hooks"]],
])("hooks in its TOML are taken unless they are off there: %j", async (features, events, staying) => {
  const hook =
    '[[hooks.PreToolUse]]\nmatcher = "^Bash$"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "true"\n';
  site.write(".codex/config.toml", `${hook}[hooks.state."x"]\nenabled = true\n${features}`);
  const { notes } = await site.run("codex");
  const settings = JSON.parse(site.read(".kedge/config.json") ?? "{}");
  expect(Object.keys(settings.hooks ?? {})).toEqual(events);
  expect(notes.filter(({ kind }) => kind === "stays").map(({ kind, file, key }) => `${kind} ${file} ${key}`)).toEqual(
    staying,
  );
});
