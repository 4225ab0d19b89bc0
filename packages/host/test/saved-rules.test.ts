/** Proves how rules for a project are saved: in the user's own file, whole or not at all, and so that they count. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PermissionRule } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfiguration } from "../src/configuration/load-configuration.ts";
import { openHome } from "../src/machine/home.ts";
import { removeRuleOfProject } from "../src/sessions/removed-rules.ts";
import { saveRulesForProject } from "../src/sessions/saved-rules.ts";
import { answerTrust, judgeWorkspace, type TrustParts } from "../src/trust/workspace-trust.ts";

let user = "";
let root = "";
let parts: TrustParts;
beforeEach(() => {
  user = realpathSync(mkdtempSync(join(tmpdir(), "kedge-saved-")));
  root = join(user, "code", "project");
  mkdirSync(root, { recursive: true });
  const opened = openHome(join(user, ".kedge"));
  if (!opened.ok) throw new Error(opened.failure.message);
  parts = { home: opened.home, root, userDirectory: user, now: () => 0 };
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

const local = ".kedge/config.local.json";
const allow = (permission: string, pattern: string): PermissionRule => ({ permission, pattern, action: "allow" });
const lint = allow("bash", "npm run lint *");

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

const read = (name: string) => readFileSync(join(root, name), "utf8");
const git = (...words: readonly string[]) => execFileSync("git", [...words], { cwd: root, encoding: "utf8" });

/** The rules that a later start takes from the project. */
async function laterRules() {
  const { state } = judgeWorkspace(parts);
  const places = { home: parts.home.directory, userDirectory: user, cwd: root, projectRoot: root };
  const managed = { directory: join(user, "no-policy"), owner: 0 };
  const isTrusted = state === "trusted";
  const loaded = await loadConfiguration({ ...places, environment: {}, files: [], isTrusted, managed });
  return loaded.ok ? loaded.configuration.rules : loaded.failure.message;
}

test("a new file, hidden from git, counts in the next session", async () => {
  git("init", "--quiet");
  const saved = await saveRulesForProject([lint, allow("external_directory", "/srv/data/*")], parts);
  expect(saved).toEqual({
    ok: true,
    notice: `Saved to ${local}: allow bash "npm run lint *", allow external_directory "/srv/data/*".`,
  });
  expect(JSON.parse(read(local))).toEqual({
    permission: { bash: { "npm run lint *": "allow" }, external_directory: { "/srv/data/*": "allow" } },
  });
  expect(git("status", "--porcelain", "--untracked-files=all")).toBe("");
  expect(await laterRules()).toEqual([{ source: "local", rules: [lint, allow("external_directory", "/srv/data/*")] }]);
  expect(readdirSync(join(root, ".kedge")).sort()).toEqual([".gitignore", "config.local.json"]);
});

test("comments and everything else stay, and the rule comes last", async () => {
  const before = `{
  // mine
  "limits": { "maxTurns": 5 },
  "permission": {
    "Bash": {
      "npm run lint *": "ask", // too often
      "*": "ask",
    },
  },
}
`;
  write(`${local}c`, before);
  expect(answerTrust(parts, "trusted")).toBe(undefined);
  expect((await saveRulesForProject([lint], parts)).ok).toBe(true);
  const after = read(`${local}c`);
  expect(after).toContain("// mine");
  expect(after).toContain('"limits": { "maxTurns": 5 }');
  expect(existsSync(join(root, local))).toBe(false);
  expect(await laterRules()).toEqual([
    { source: "local", rules: [{ permission: "bash", pattern: "*", action: "ask" }, lint] },
  ]);
});

const forms: readonly (readonly [name: string, before: string, rules: readonly unknown[]])[] = [
  ["one action for the permission", '{"permission":{"bash":"ask"}}', [{ ...lint, pattern: "*", action: "ask" }, lint]],
  ["a list", '{"permission":[{"permission":"bash","action":"ask"}]}', [{ ...lint, pattern: "*", action: "ask" }, lint]],
  ["lists by action", '{"permissions":{"allow":["Edit(docs/**)"]}}', [allow("edit", "docs/**"), lint]],
  ["a preset", '{"permission_presets":["read-only"]}', [{ permission: "edit", pattern: "*", action: "deny" }, lint]],
  ["the rule itself", '{"permission":{"bash":{"npm run lint *":"allow"}}}', [lint]],
];

test.each(forms)("a file with %s", async (_, before, rules) => {
  write(local, before);
  answerTrust(parts, "trusted");
  expect((await saveRulesForProject([lint], parts)).ok).toBe(true);
  expect(await laterRules()).toEqual([{ source: "local", rules }]);
});

const refusals: readonly (readonly [name: string, before: string, why: string])[] = [
  ["that is not valid", '{"permission": ', "the file is invalid. Fix it first"],
  ["that is no object", "[]", "the file is invalid. Fix it first"],
  ["with one action for everything", '{"permission":"ask"}', "its rules use a form that kedge cannot extend"],
  ["with groups", '{"permission":{"bash":{"ask":["rm *"]}}}', "its rules use a form that kedge cannot extend"],
  [
    "with a later rule",
    '{"permissions":{"ask":["Bash(npm:*)"]}}',
    "later rules in the file would override it. Add it by hand",
  ],
  [
    "with a later rule for everything",
    '{"permission":{"bash":{"a":"allow"},"*":"ask"}}',
    "later rules in the file would override it. Add it by hand",
  ],
];

test.each(refusals)("nothing is written to a file %s", async (_, before, why) => {
  write(local, before);
  answerTrust(parts, "trusted");
  const message = `Could not save the rule for the project: ${why}.`;
  expect(await saveRulesForProject([lint], parts)).toEqual({
    ok: false,
    failure: { code: "configuration", message, retryable: false },
  });
  expect(read(local)).toBe(before);
  expect(readdirSync(join(root, ".kedge"))).toEqual(["config.local.json"]);
});

test("of several rules none is saved if one cannot be", async () => {
  expect((await saveRulesForProject([lint, allow("bash", "1")], parts)).ok).toBe(false);
  expect(existsSync(join(root, ".kedge"))).toBe(false);
});

test("what git tracks and what leads elsewhere is left alone", async () => {
  git("init", "--quiet");
  write(local, "{}");
  git("add", "--force", local);
  expect(await saveRulesForProject([lint], parts)).toMatchObject({ ok: false });
  git("rm", "--quiet", "--cached", local);
  rmSync(join(root, ".kedge"), { recursive: true });
  mkdirSync(join(user, "elsewhere"));
  symlinkSync(join(user, "elsewhere"), join(root, ".kedge"));
  expect(await saveRulesForProject([lint], parts)).toMatchObject({ ok: false });
  rmSync(join(root, ".kedge"));
  writeFileSync(join(user, "elsewhere", "a.json"), "{}");
  mkdirSync(join(root, ".kedge"));
  symlinkSync(join(user, "elsewhere", "a.json"), join(root, local));
  expect(await saveRulesForProject([lint], parts)).toMatchObject({ ok: false });
  expect(readFileSync(join(user, "elsewhere", "a.json"), "utf8")).toBe("{}");
  expect(await saveRulesForProject([lint], { ...parts, root: user })).toMatchObject({ ok: false });
});

test("trust is kept for the saved file alone, and not given where there was none", async () => {
  write("AGENTS.md", "Be kind.");
  expect(await saveRulesForProject([lint], parts)).toEqual({
    ok: true,
    notice: `Saved to ${local}: allow bash "npm run lint *". It applies to later sessions once this project is trusted: kedge trust add.`,
  });
  expect(judgeWorkspace(parts).state).toBe("unknown");
  expect(await laterRules()).toEqual([]);
  answerTrust(parts, "trusted");
  expect((await saveRulesForProject([allow("bash", "make")], parts)).ok).toBe(true);
  expect(judgeWorkspace(parts).state).toBe("trusted");
  write(".mcp.json", "{}");
  expect((await saveRulesForProject([allow("bash", "make b")], parts)).ok).toBe(true);
  expect(judgeWorkspace(parts).state).toBe("unknown");
  answerTrust(parts, "refused");
  expect(await saveRulesForProject([allow("bash", "make c")], parts)).toMatchObject({ ok: false });
});

const removals: readonly (readonly [name: string, before: string, after: unknown])[] = [
  ["by pattern", '{"permission":{"Bash":{"npm run lint *":"allow","rm *":"deny"}}}', { Bash: { "rm *": "deny" } }],
  ["alone", '{"permission":{"bash":{"npm run lint *":"allow"},"edit":"ask"}}', { edit: "ask" }],
  [
    "in a list, twice",
    `{"permission":[${JSON.stringify(lint)},{"permission":"edit","action":"ask"},${JSON.stringify(lint)}]}`,
    [{ permission: "edit", action: "ask" }],
  ],
];

test.each(removals)("a saved rule is removed from its file: %s", async (_, before, after) => {
  write(local, before);
  answerTrust(parts, "trusted");
  expect(await removeRuleOfProject(lint, parts)).toEqual({
    ok: true,
    notice: `Removed from ${local}: allow bash "npm run lint *".`,
  });
  expect(JSON.parse(read(local)).permission).toEqual(after);
  expect(judgeWorkspace(parts).state).toBe("trusted");
});

const kept: readonly (readonly [name: string, before: string, why: string])[] = [
  [
    "that is not in the file",
    '{"permission":{"bash":{"*":"ask"}}}',
    "the rule is not in the file. Remove it where it is set",
  ],
  [
    "in a list by action",
    '{"permissions":{"allow":["Bash(npm run lint *)"]}}',
    "its rules use a form that kedge cannot change",
  ],
  ["in a broken file", '{"permission": ', "the file is invalid. Fix it first"],
];

test.each(kept)("a rule %s is not removed, and nothing is written", async (_, before, why) => {
  write(local, before);
  answerTrust(parts, "trusted");
  expect(await removeRuleOfProject(lint, parts)).toMatchObject({
    ok: false,
    failure: { message: `Could not remove the rule for the project: ${why}.` },
  });
  expect(read(local)).toBe(before);
});
