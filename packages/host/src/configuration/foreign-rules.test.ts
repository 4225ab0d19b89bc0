/** Proves that rules written for other agents count, below kedge's own, and never allow more than a stranger may. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configDirs } from "./config-sources.ts";
import { gatherSettings } from "./gather-settings.ts";

let user = "";
let project = "";
beforeEach(() => {
  user = mkdtempSync(join(tmpdir(), "kedge-foreign-"));
  project = join(user, "project");
  mkdirSync(project);
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

function write(path: string, settings: unknown): void {
  mkdirSync(dirname(join(user, path)), { recursive: true });
  writeFileSync(join(user, path), typeof settings === "string" ? settings : JSON.stringify(settings));
}

async function gather({ isTrusted } = { isTrusted: true }) {
  const places = { home: join(user, ".kedge"), userDirectory: user, cwd: project, projectRoot: project };
  const outcome = await gatherSettings({ ...places, environment: {}, files: [], isTrusted });
  if (!outcome.ok) throw new Error(outcome.sentence);
  const { rules, warnings, foreign } = outcome.gathered;
  return { rules, warnings, foreign };
}

const rule = (permission: string, pattern: string, action: string) => ({ permission, pattern, action });

test("rules of others stand before kedge's own of the same scope, the weaker source first", async () => {
  write("project/kedge.json", { permission: { bash: { "npm *": "ask" } } });
  write("project/.claude/settings.json", {
    permissions: { deny: ["Read(./secrets/**)"], allow: ["Bash(npm test:*)"], defaultMode: "acceptEdits" },
    hooks: { PreToolUse: [] },
  });
  write("project/opencode.json", { permission: { edit: "ask" }, mcp: {} });
  write(".claude/settings.json", { permissions: { ask: ["WebFetch"] } });
  expect(await gather()).toEqual({
    rules: [
      {
        source: "project",
        rules: [
          rule("edit", "*", "ask"),
          rule("bash", "npm test *", "allow"),
          rule("read", "secrets/**", "deny"),
          rule("bash", "npm *", "ask"),
        ],
      },
      { source: "user", rules: [rule("webfetch", "*", "ask")] },
    ],
    warnings: [],
    foreign: [
      { sourceId: "claude", file: "~/.claude/settings.json", ruleSource: "user", rules: 1 },
      { sourceId: "claude", file: ".claude/settings.json", ruleSource: "project", rules: 2 },
      { sourceId: "opencode", file: "opencode.json", ruleSource: "project", rules: 1 },
    ],
  });
});

test("before trust they only ask and deny, and nearly everything is never allowed", async () => {
  write("project/.claude/settings.local.json", { permissions: { allow: ["Bash(ls)"], deny: ["Edit"] } });
  write(".claude/settings.json", { permissions: { allow: ["Bash(*)"] } });
  expect(await gather({ isTrusted: false })).toMatchObject({
    rules: [{ source: "local", rules: [rule("edit", "*", "deny")] }],
    warnings: [
      "~/.claude/settings.json: ignored a rule that allows nearly everything; only kedge's own files may do that",
    ],
  });
});

test("what cannot be read is skipped with a sentence and never stops kedge", async () => {
  write("project/.claude/settings.json", { permissions: { deny: ["Read(a)", 5, "(("] } });
  write("project/opencode.json", "{ broken");
  write("outside.json", { permission: "deny" });
  mkdirSync(join(project, ".opencode"));
  symlinkSync(join(user, "outside.json"), join(project, ".opencode", "opencode.json"));
  expect(await gather()).toMatchObject({
    // At every depth, as the other program reads it.
    rules: [
      { source: "project", rules: ["a", "*/a", "a/**", "*/a/**"].map((pattern) => rule("read", pattern, "deny")) },
    ],
    warnings: [
      ".claude/settings.json: permissions.deny[1] is ignored: not a valid rule",
      ".claude/settings.json: permissions.deny[2] is ignored: not a valid rule",
      "opencode.json is not valid JSON at line 1, column 3. The file is skipped and no allow rule applies until you fix it or run kedge config set-aside opencode.json",
      ".opencode/opencode.json is a link to a file outside the project. The file is skipped and no allow rule applies until you fix it or run kedge config set-aside .opencode/opencode.json",
    ],
  });
});

test("what allows counts only where kedge says exactly the same", async () => {
  const inexact = ["Bash(ls ?.ts)", "Read(src/*.ts)", "Write", "WebFetch(domain:a*.example.com)"];
  write("project/.claude/settings.json", {
    permissions: { allow: ["Bash(npm test:*)", "TodoStore", ...inexact] },
  });
  expect(await gather()).toMatchObject({
    rules: [{ source: "project", rules: [rule("bash", "npm test *", "allow")] }],
    warnings: [
      ".claude/settings.json: 4 allow rules are ignored: kedge has no exact equivalent: Bash(ls ?.ts), Read(src/*.ts), Write and 1 more",
    ],
  });
});

test("a limit that cannot be expressed exactly counts as far as it can, and holds back what it would limit", async () => {
  write("project/.claude/settings.json", {
    permissions: { allow: ["Bash(git log:*)", "Bash(ls:*)"], deny: ["Bash(git log --output?)"] },
  });
  expect(await gather()).toMatchObject({
    rules: [{ rules: [rule("bash", "ls *", "allow"), rule("bash", "git log --output?", "deny")] }],
    warnings: [".claude/settings.json: 1 allow rule is not applied: a stricter rule has no exact equivalent"],
  });
});

test("a source can be switched off; a project cannot switch off what its user denies", async () => {
  write("project/.claude/settings.json", { permissions: { deny: ["Edit"] } });
  write(".claude/settings.json", { permissions: { deny: ["Bash"] } });
  write("project/kedge.json", { disabledProviders: ["claude"] });
  expect(await gather()).toMatchObject({ rules: [{ source: "user", rules: [rule("bash", "*", "deny")] }] });
  write(".kedge/config.json", { disabledProviders: ["claude"] });
  expect(await gather()).toEqual({
    rules: [],
    warnings: [],
    foreign: [
      {
        ...{ sourceId: "claude", file: "~/.claude/settings.json", ruleSource: "user", rules: 0 },
        problem: "disabled by disabledProviders",
      },
      {
        ...{ sourceId: "claude", file: ".claude/settings.json", ruleSource: "project", rules: 0 },
        problem: "disabled by disabledProviders",
      },
    ],
  });
});

test("folders of all sources, the user's first, each by falling priority, none through a link out of the project", () => {
  for (const path of [
    ".kedge/skills",
    ".gemini/skills",
    "project/.claude/skills",
    "project/.kedge/skills",
    "elsewhere",
  ]) {
    mkdirSync(join(user, path), { recursive: true });
  }
  mkdirSync(join(project, ".codex"));
  symlinkSync(join(user, "elsewhere"), join(project, ".codex", "skills"));
  const found = configDirs("skills", { home: join(user, ".kedge"), userDirectory: user, projectRoot: project });
  expect(found.map(({ source, scope, path }) => [source.id, scope, path.slice(user.length + 1)])).toEqual([
    ["native", "user", ".kedge/skills"],
    ["gemini", "user", ".gemini/skills"],
    ["native", "project", "project/.kedge/skills"],
    ["claude", "project", "project/.claude/skills"],
  ]);
});
