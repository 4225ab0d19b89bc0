/** Proves the import from omp: settings by a table, old names translated, and its Markdown files. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ImportSite, openImportSite } from "./import-site.ts";

let site: ImportSite;
beforeEach(() => {
  site = openImportSite();
});
afterEach(() => site.close());

test("a user's set-up", async () => {
  site.write(
    ".omp/agent/config.yml",
    `modelRoles:
  default: anthropic/claude-sonnet-4-5
defaultThinkingLevel: medium
compaction:
  enabled: false
  reserveTokens: 20000
bashInterceptor:
  enabled: true
async:
  enabled: false
task:
  maxConcurrency: 4
startup:
  quiet: true
edit:
  fuzzyThreshold: 7
`,
  );
  site.write(".omp/agent/RULES.md", "Never push.\n");
  site.write(".omp/agent/AGENTS.md", "Be brief.\n");
  site.write(".omp/agent/commands/a.md", "A\n");
  site.write(".omp/agent/tools/t/index.ts", "export default 1\n");
  const { notes } = await site.run("omp");
  expect(site.settings(".kedge/config.json")).toEqual({
    model: "anthropic/claude-sonnet-4-5",
    thinking: { effort: "medium" },
    compaction: { enabled: false, reserveTokens: 20000 },
    bash: { interceptor: { enabled: true } },
    jobs: { enabled: false },
    agents: { maxParallel: 4 },
  });
  expect(site.read(".kedge/RULES.md")).toBe("Never push.\n");
  expect(site.read(".kedge/rules/omp.md")).toBe("Be brief.\n");
  expect(site.read(".kedge/commands/a.md")).toBe("A\n");
  expect(notes.map(({ kind, key, why }) => `${kind} ${key ?? ""}: ${why}`)).toEqual([
    "unsupported startup.quiet: has no equivalent in kedge",
    "stays : contains programs, which kedge runs in place",
    "unsupported edit.fuzzyThreshold: is not valid in kedge: edit.fuzzyThreshold must be a number from 0 to 1, got 7",
  ]);
});

test("a project's folder, also by its older name", async () => {
  site.write("project/.pi/settings.json", { checkpoint: { enabled: true }, bash: { enabled: false } });
  site.write("project/.pi/rules/style.md", "Tabs.\n");
  expect(await site.summary("omp")).toEqual({
    files: [".kedge/config.json", ".kedge/rules/style.md"],
    notes: [
      "unsupported .pi/settings.json: bash.enabled: would be ignored in .kedge/config.json: only you decide how commands run",
    ],
  });
});
