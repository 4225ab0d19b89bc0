/** Which files instruct later sessions, by name alone. */
import { expect, test } from "vitest";
import { isNamedByRule, isSteeringFile } from "./steering-files.ts";

const places = { root: "/home/dev/w", home: "/home/dev" };

test.each([
  "/home/dev/w/AGENTS.md",
  "/home/dev/w/packages/deep/er/CLAUDE.md",
  "/home/dev/w/KEDGE.md",
  "/home/dev/w/agents.md",
  "/home/dev/w/GEMINI.md",
  "/home/dev/w/CONTEXT.md",
  "/home/dev/w/CLAUDE.local.md",
  "/home/dev/w/.cursorrules",
  "/home/dev/w/.windsurfrules",
  "/home/dev/w/.github/copilot-instructions.md",
  "/home/dev/w/.github/instructions/deep/tests.instructions.md",
  "/home/dev/w/.kedge/rules/style.md",
  "/home/dev/w/.kedge/SYSTEM.md",
  "/home/dev/w/.kedge/RULES.md",
  "/home/dev/w/.kedge/TITLE_SYSTEM.md",
  "/home/dev/w/.omp/RULES.md",
  "/home/dev/w/.omp/rules/a.md",
  "/home/dev/w/.kedge/agents/review.md",
  "/home/dev/w/.kedge/kedge.json",
  "/home/dev/w/.claude/skills/pdf/SKILL.md",
  "/home/dev/w/.claude/output-styles/terse.md",
  "/home/dev/w/.claude/settings.local.json",
  "/home/dev/w/sub/.codex/prompts/x.md",
  "/home/dev/w/.gemini/commands/x.toml",
  "/home/dev/w/.opencode/tools/x.ts",
  "/home/dev/w/.cursor/rules/a.mdc",
  "/home/dev/w/.claude",
  "/home/dev/.claude/CLAUDE.md",
  "/home/dev/.claude/commands/x.md",
  "/home/dev/.config/opencode/AGENTS.md",
  "/home/dev/.config/opencode/agent/x.md",
  "/home/dev/.agents/AGENTS.md",
  "/home/dev/other/AGENTS.md",
  "/srv/other/AGENTS.md",
  "C:\\work\\AGENTS.md",
])("%s steers", (path) => {
  expect(isSteeringFile(path, places)).toBe(true);
});

test.each([
  "/home/dev/w/README.md",
  "/home/dev/w/docs/agents/overview.md",
  "/home/dev/w/docs/context.md",
  "/home/dev/w/docs/system.md",
  "/home/dev/w/docs/RULES.md",
  "/home/dev/w/skill.md",
  "/home/dev/w/src/rules/index.ts",
  "/home/dev/w/.kedge/plans/plan.md",
  "/home/dev/w/.claude/todos/1.json",
  "/home/dev/w/.github/workflows/ci.yml",
  "/home/dev/w/.github",
  "/home/dev/w/AGENTS.md.ts",
  "/home/dev/.config/kedgeling/x.md",
])("%s does not steer", (path) => {
  expect(isSteeringFile(path, places)).toBe(false);
});

test("the folders that lead to a workspace do not count", () => {
  const root = "/home/dev/.claude/rules/w";
  expect(isSteeringFile(`${root}/src/index.ts`, { root, home: "/home/dev" })).toBe(false);
  expect(isSteeringFile(`${root}/AGENTS.md`, { root, home: "/home/dev" })).toBe(true);
});

test.each([
  ["user", "edit", "AGENTS.md", "allow", true],
  ["user", "edit", "/home/dev/w/AGENTS.md", "allow", true],
  ["local", "write", "~/w/AGENTS.md", "allow", true],
  ["user", "edit", "*", "allow", false],
  ["user", "edit", "AGENTS.*", "allow", false],
  ["user", "edit", "AGENTS.md", "ask", false],
  ["user", "read", "AGENTS.md", "allow", false],
  ["project", "edit", "AGENTS.md", "allow", false],
] as const)("the %s rule %s %s %s names AGENTS.md: %s", (source, permission, pattern, action, expected) => {
  const rules = [{ source, rules: [{ permission, pattern, action }] }];
  expect(isNamedByRule("/home/dev/w/AGENTS.md", rules, places)).toBe(expected);
});
