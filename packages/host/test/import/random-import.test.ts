/** Proves that no folder of another agent, however odd, stops an import, is changed by it, or makes kedge's own settings unusable. */
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { importedAgents } from "../../src/import/plan/import-plan.ts";
import { openImportSite } from "./import-site.ts";

const rounds = 15;

const files = {
  claude: [".claude/settings.json", "project/.claude/settings.local.json", "project/.mcp.json"],
  opencode: [".config/opencode/opencode.json", "project/opencode.json"],
  codex: [".codex/config.toml", ".codex/rules/a.rules"],
  gemini: [".gemini/settings.json", ".gemini/policies/a.toml", ".gemini/commands/a.toml"],
  omp: [".omp/agent/config.yml", "project/.omp/settings.json"],
};

const keys = [
  ...[
    "permissions",
    "permission",
    "allow",
    "deny",
    "ask",
    "bash",
    "edit",
    "tools",
    "allowed",
    "exclude",
    "model",
    "name",
  ],
  ...[
    "mcpServers",
    "mcp",
    "docs",
    "command",
    "args",
    "env",
    "url",
    "headers",
    "provider",
    "options",
    "models",
    "limit",
  ],
  ...["agent", "prompt", "template", "compaction", "enabled", "__proto__", "constructor", "a.b", "", "0", "hooks", "*"],
];

const words = [
  ...["Bash(git:*)", "Bash(rm *)", "Edit(src/**)", "Read(", "allow", "deny", "claude-x", "a/b", "../x", "\u001b[2J"],
  ...["{env:X}", "$" + "{Y}", "git *", "run_shell_command(git)", "", "\n", "https://a.dev", "anthropic", "*"],
];

test("whatever the files hold, the import ends, and kedge's settings load afterwards", async () => {
  const random = createSeededRandom();
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[random.below(items.length)];
  const value = (depth: number): unknown => {
    const kind = random.below(depth > 3 ? 4 : 7);
    if (kind <= 1) return pick(words);
    if (kind === 2) return pick([true, false, null, 0, -1, 1e9]);
    if (kind === 3) return pick(["allow", "ask", "deny"]);
    if (kind === 4) return Array.from({ length: random.below(4) }, () => value(depth + 1));
    const names = Array.from({ length: random.below(5) }, () => pick(keys));
    return Object.fromEntries(names.map((name) => [name, value(depth + 1)]));
  };
  const asToml = (table: unknown): string =>
    Object.entries(table as object)
      .map(
        ([name, member]) =>
          `${JSON.stringify(name)} = ${JSON.stringify(member).replaceAll(/("(?:[^"\\]|\\.)*"):/g, "$1=")}`,
      )
      .join("\n");
  for (let round = 0; round < rounds; round += 1) {
    const site = openImportSite();
    const texts = new Map<string, string>();
    try {
      for (const agent of importedAgents) {
        for (const path of files[agent]) {
          const content = Object.fromEntries(keys.filter(() => random.below(3) === 0).map((name) => [name, value(0)]));
          const text = path.endsWith(".json") || path.endsWith(".yml") ? JSON.stringify(content) : asToml(content);
          // Now and then the file is cut off.
          const written = random.below(4) === 0 ? text.slice(0, random.below(text.length)) : text;
          site.write(path, written);
          texts.set(path, written);
        }
        await site.run(agent);
        const { configuration } = await site.load();
        expect(
          configuration.rules.flatMap(({ rules }) => rules).every(({ pattern }) => typeof pattern === "string"),
        ).toBe(true);
      }
      for (const [path, text] of texts) expect(site.read(path)).toBe(text);
    } finally {
      site.close();
    }
  }
});
