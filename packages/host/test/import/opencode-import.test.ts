/** Proves the import from OpenCode: settings, providers, commands and agents from its JSON, and rules that mean the same. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ImportSite, type JudgedCall, openImportSite } from "./import-site.ts";

let site: ImportSite;
beforeEach(() => {
  site = openImportSite();
});
afterEach(() => site.close());

test("a user's set-up", async () => {
  site.write(
    ".config/opencode/opencode.jsonc",
    `{
  // comments are fine
  "model": "local/qwen-3",
  "theme": "tokyonight",
  "compaction": { "auto": false, "prune": true },
  "disabled_providers": ["xai"],
  "provider": {
    "local": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "http://127.0.0.1:1234/v1", "apiKey": "{env:LOCAL_KEY}", "headers": { "X-Team": "a", "Authorization": "Bearer abc" } },
      "models": { "qwen-3": { "name": "Qwen", "limit": { "context": 32000, "output": 8000 }, "attachment": true } },
    },
    "openai": { "options": { "apiKey": "sk-plain-in-the-file" } },
    "half": { "options": { "timeout": 5 }, "models": { "m": {} } },
  },
  "command": { "test": { "template": "Run the tests: $ARGUMENTS", "description": "Tests", "agent": "build" } },
  "agent": { "docs": { "description": "Writes docs", "mode": "subagent", "prompt": "Write.", "tools": { "bash": false } } },
  "permission": { "edit": "ask", "bash": { "*": "ask", "git *": "allow", "git push *": "deny" } },
  "mcp": { "weather": { "type": "local", "command": ["npx", "weather"], "environment": { "API_TOKEN": "abc123" } } },
}`,
  );
  site.write(".config/opencode/AGENTS.md", "Be brief.\n");
  site.write(".config/opencode/plugin/notify.js", "export default 1\n");
  const { notes } = await site.run("opencode");
  expect(site.settings(".kedge/config.json")).toEqual({
    mcp: { weather: { type: "stdio", command: "npx", args: ["weather"], env: { API_TOKEN: "{env:API_TOKEN}" } } },
    model: "local/qwen-3",
    disabledProviders: ["xai"],
    compaction: { enabled: false },
    provider: {
      local: {
        api: "openai-chat",
        baseURL: "http://127.0.0.1:1234/v1",
        apiKey: "{env:LOCAL_KEY}",
        headers: { "X-Team": "a" },
        models: { "qwen-3": { name: "Qwen", context: 32000, output: 8000 } },
      },
    },
    permission: { edit: "ask", bash: { "*": "ask", "git *": "allow", "git push *": "deny" } },
  });
  expect(site.read(".kedge/commands/test.md")).toBe(
    '---\ndescription: "Tests"\nagent: "build"\n---\nRun the tests: $ARGUMENTS\n',
  );
  expect(site.read(".kedge/agents/docs.md")).toBe(
    '---\nname: "docs"\ndescription: "Writes docs"\nmode: "subagent"\ntools: {"bash":false}\n---\nWrite.\n',
  );
  expect(site.read(".kedge/rules/opencode.md")).toBe("Be brief.\n");
  expect(notes.map(({ kind, key, why }) => `${kind} ${key ?? ""}: ${why}`)).toEqual([
    "secret mcp.weather.API_TOKEN: is a secret and was not copied",
    "secret provider.local.options.headers.Authorization: is a secret and was not copied",
    "unsupported provider.local.models.qwen-3.attachment: has no equivalent in kedge",
    "secret provider.openai.options.apiKey: is a secret and was not copied",
    "unsupported provider.half.options.timeout: has no equivalent in kedge",
    "unsupported theme: has no equivalent in kedge",
    "unsupported compaction.prune: has no equivalent in kedge",
    "stays : contains programs, which kedge runs in place",
    "unsupported provider.half: is not complete: provider.half.api must be one of openai-chat, openai-responses, anthropic, google, ai-sdk, got nothing",
    "unsupported agent.docs: is copied to agents/docs.md",
  ]);
  expect((await site.load()).warnings).toEqual([
    "~/.kedge/config.json: mcp.weather.env.API_TOKEN is ignored: API_TOKEN is not set",
    "~/.kedge/config.json: provider.local.apiKey is ignored: LOCAL_KEY is not set",
  ]);
});

test("rules judge calls as they do in OpenCode", async () => {
  site.write("project/opencode.json", {
    permission: {
      bash: { "*": "ask", "git *": "allow", "git push *": "deny" },
      edit: { "*": "deny", "docs/*.mdx": "allow" },
      skill: { "internal-*": "deny" },
    },
    tools: { webfetch: false, write: true },
  });
  const { notes } = await site.run("opencode");
  expect(notes.map(({ key }) => key)).toEqual(["tools.write", "permission.skill internal-* deny"]);
  const calls: readonly JudgedCall[] = [
    ["bash", "git status", "allow"],
    ["bash", "git push origin", "deny"],
    ["bash", "git stash && git push", "deny"],
    ["bash", "npm test", "ask"],
    ["edit", "docs/a.mdx", "allow"],
    ["edit", "src/a.ts", "deny"],
    ["webfetch", "https://a.dev", "deny"],
  ];
  expect(await site.judge(calls)).toEqual(calls);
});

test("rules come before those that kedge's file has, which win", async () => {
  site.write(".kedge/config.json", { permission: { bash: { "git push *": "ask" } } });
  site.write(".config/opencode/opencode.json", { permission: { bash: { "git *": "deny" } } });
  await site.run("opencode");
  expect(site.settings(".kedge/config.json")).toEqual({
    permission: [
      { permission: "bash", pattern: "git *", action: "deny" },
      { permission: "bash", pattern: "git push *", action: "ask" },
    ],
  });
  expect((await site.plan("opencode")).files).toEqual([]);
});
