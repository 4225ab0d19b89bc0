/** Which plugins of Claude Code are read, where their folders are, and what is left alone. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findDefinitions } from "@kedge/extend/definitions";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claudePluginFolders } from "./claude-plugins.ts";

let user = "";
beforeEach(() => {
  user = realpathSync(mkdtempSync(join(tmpdir(), "kedge-claude-")));
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

function put(path: string, content: string | object): void {
  mkdirSync(dirname(join(user, path)), { recursive: true });
  writeFileSync(join(user, path), typeof content === "string" ? content : JSON.stringify(content));
}

const cache = ".claude/plugins/cache/official";
const skill = (name: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\nText.\n`;

function install(ids: { readonly [id: string]: object }, enabled: readonly string[] = Object.keys(ids)): void {
  const entries = Object.entries(ids).map(([id, fields]) => {
    const installPath = join(user, cache, id.split("@")[0] ?? "");
    return [id, [{ scope: "user", version: "1.0.0", installPath, ...fields }]] as const;
  });
  put(".claude/plugins/installed_plugins.json", { version: 2, plugins: Object.fromEntries(entries) });
  put(".claude/settings.json", { enabledPlugins: Object.fromEntries(enabled.map((id) => [id, true])) });
}

function folders(disabled: readonly string[] = [], taken: readonly string[] = []) {
  return claudePluginFolders({ userDirectory: user, root: join(user, "project"), disabled, taken });
}

const names = (kind: "skill" | "command", ...options: Parameters<typeof folders>) =>
  findDefinitions(folders(...options)[kind]).used.map(({ name }) => name);

test("skills and commands of enabled plugins count under the name of their plugin", () => {
  install({ "team@official": {}, "off@official": {}, "gone@official": {} }, ["team@official", "gone@official"]);
  put(`${cache}/team/skills/deploy/SKILL.md`, skill("deploy"));
  put(`${cache}/team/commands/usual.md`, "Not searched.");
  put(`${cache}/team/special/ship.md`, "Ship it.");
  put(`${cache}/team/more/check/SKILL.md`, skill("check"));
  put(`${cache}/team/.claude-plugin/plugin.json`, { name: "team", skills: "./more", commands: ["./special"] });
  put(`${cache}/off/skills/hidden/SKILL.md`, skill("hidden"));
  expect(names("skill")).toEqual(["team:check", "team:deploy"]);
  expect(names("command")).toEqual(["team:ship"]);
  expect(folders().skill.map(({ place }) => place.source)).toEqual(["claude-marketplace", "claude-marketplace"]);
});

test("the source can be disabled, and a plugin of kedge with the same name wins", () => {
  install({ "team@official": {} });
  put(`${cache}/team/skills/deploy/SKILL.md`, skill("deploy"));
  expect(names("skill", ["claude-marketplace"])).toEqual([]);
  expect(names("skill", ["claude"])).toEqual([]);
  expect(names("skill", [], ["team"])).toEqual([]);
  expect(names("skill")).toEqual(["team:deploy"]);
});

test("what was installed for another project, what leads out of the plugin, and broken lists bring nothing", () => {
  put("secrets/SKILL.md", skill("secret"));
  install({ "team@official": {}, "other@official": { projectPath: join(user, "elsewhere") } });
  put(`${cache}/other/skills/there/SKILL.md`, skill("there"));
  put(`${cache}/team/.claude-plugin/plugin.json`, { name: "team", skills: ["../../../../../secrets", "/etc"] });
  mkdirSync(join(user, cache, "team/skills"), { recursive: true });
  symlinkSync(join(user, "secrets"), join(user, cache, "team/skills/linked"));
  expect(names("skill")).toEqual([]);
  for (const broken of ["{", "[]", '{"plugins": 3}', '{"plugins": {"team@official": 3, "../x@y": [{}]}}']) {
    put(".claude/plugins/installed_plugins.json", broken);
    expect(names("skill")).toEqual([]);
  }
});
