/** Proves that nothing in another agent's folder makes an import read, write, keep or show what it should not. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applyImport } from "../../src/import/apply-import.ts";
import { type ImportSite, openImportSite } from "./import-site.ts";

let site: ImportSite;
beforeEach(() => {
  site = openImportSite();
});
afterEach(() => site.close());

test("links of a project that lead out are not followed", async () => {
  site.write(".ssh/id_rsa", "private\n");
  site.write("elsewhere/SKILL.md", "x\n");
  site.write("elsewhere.json", { permissions: { allow: ["Bash(ls)"] } });
  mkdirSync(join(site.project, ".claude/commands"), { recursive: true });
  mkdirSync(join(site.project, ".claude/skills"));
  symlinkSync(join(site.user, ".ssh/id_rsa"), join(site.project, ".claude/commands/key.md"));
  symlinkSync(join(site.user, "elsewhere"), join(site.project, ".claude/skills/x"));
  symlinkSync(join(site.user, "elsewhere.json"), join(site.project, ".claude/settings.json"));
  expect(await site.summary("claude")).toEqual({
    files: [],
    notes: [
      "broken .claude/settings.json: is a link to a file outside the project",
      "broken .claude/commands/key.md: is a link to a file outside the project",
    ],
  });
});

test("nothing is written through a link out of the project", async () => {
  mkdirSync(join(site.user, "target"));
  symlinkSync(join(site.user, "target"), join(site.project, ".kedge"));
  site.write("project/.claude/settings.json", { permissions: { deny: ["Edit"] } });
  site.write("project/.claude/settings.local.json", { permissions: { deny: ["Read"] } });
  site.write("project/.claude/commands/a.md", "A\n");
  const { files, notes } = await site.plan("claude");
  expect(files.map(({ name }) => name)).toEqual([]);
  expect(notes.map(({ kind }) => kind)).toEqual(["kept", "kept", "kept"]);
});

test("a flood of rules and settings is left as a whole", async () => {
  const many = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => make(index));
  site.write(".claude/settings.json", {
    permissions: {
      allow: many(20_000, (index) => `Bash(a${index})`),
      deny: many(20_000, (index) => `Bash(a${index}?)`),
    },
  });
  site.write(".config/opencode/opencode.json", {
    provider: Object.fromEntries(many(3_000, (index) => `p${index}`).map((id) => [id, { npm: "x" }])),
  });
  expect((await site.plan("claude")).notes.at(-1)).toMatchObject({
    why: "has more than 2,000 rules; the rest is skipped",
  });
  expect((await site.plan("opencode")).notes).toMatchObject([
    { why: "has more than 500 settings; the rest is skipped" },
  ]);
});

test("a link that appears between the diff and the yes is not written through", async () => {
  mkdirSync(join(site.user, "target"));
  site.write("project/.claude/commands/a.md", "A\n");
  const { files } = await site.plan("claude");
  symlinkSync(join(site.user, "target"), join(site.project, ".kedge"));
  expect(applyImport(files, { home: site.home, projectRoot: site.project }).ok).toBe(false);
  expect(site.read("target/commands/a.md")).toBeUndefined();
});

test("names cannot leave kedge's folder", async () => {
  site.write("project/opencode.json", {
    command: { "../../../.bashrc": { template: "x" }, "a/../../b": { template: "x" }, "/etc/x": { template: "x" } },
    agent: { "..": { prompt: "x" }, "a\nb": { prompt: "x" } },
  });
  const { files, notes } = await site.summary("opencode");
  expect(files).toEqual([]);
  expect(new Set(notes.map((note) => note.split(": ").at(-1)))).toEqual(
    new Set(["has a name that is not a valid file name"]),
  );
  expect(notes).toHaveLength(5);
});

test("secrets stay where they are and are not shown", async () => {
  const key = ["sk", "ant", "api03", `${"x7Qb".repeat(23)}A`, "AA"].join("-");
  site.write(".claude/commands/deploy.md", `Use ${key}\n`);
  site.write(".claude/settings.json", {
    env: { ANTHROPIC_AUTH_TOKEN: key, GH_TOKEN: "x" },
    permissions: { allow: [`Bash(curl -H "x-api-key: ${key}" https://a.dev)`, "Bash(ls)"] },
  });
  site.write(".claude.json", { mcpServers: { a: { command: "x", args: ["--key", key], env: { API_KEY: "plain" } } } });
  const plan = await site.run("claude");
  expect(JSON.stringify([plan.notes, plan.files.map(({ diff, after }) => [diff, String(after)])])).not.toContain(key);
  expect(site.settings(".kedge/config.json")).toEqual({ permissions: { allow: ["Bash(ls)"] } });
  expect(
    plan.notes.filter(({ kind }) => kind === "secret").map(({ file, key: at, remedy }) => [file, at, remedy]),
  ).toEqual([
    ["~/.claude/settings.json", "env.ANTHROPIC_AUTH_TOKEN", "Save it with kedge auth login anthropic."],
    ["~/.claude/settings.json", "env.GH_TOKEN", "Set it in your environment."],
    ["~/.claude/commands/deploy.md", "a key or token in the text", "Set it in your environment."],
    ["~/.claude/settings.json", expect.stringContaining("[REDACTED:"), "Set it in your environment."],
  ]);
});

test("pipes, folders, deep and huge files are named, and the rest is imported", async () => {
  mkdirSync(join(site.user, ".claude/commands"), { recursive: true });
  mkdirSync(join(site.user, ".claude/settings.json"));
  execFileSync("mkfifo", [join(site.user, ".claude/commands/pipe.md")]);
  writeFileSync(join(site.user, ".claude/commands/large.md"), Buffer.alloc(5 * 1024 * 1024, 120));
  symlinkSync("loop.md", join(site.user, ".claude/commands/loop.md"));
  writeFileSync(join(site.user, ".claude/commands/bytes.md"), Buffer.from([0xff, 0xfe, 0x00]));
  site.write(".claude.json", "[".repeat(100_000));
  site.write(".claude/commands/good.md", "Good\n");
  const { files, notes } = await site.summary("claude");
  expect(files).toEqual(["~/.kedge/commands/bytes.md", "~/.kedge/commands/good.md"]);
  expect(notes).toEqual([
    "broken ~/.claude/settings.json: cannot be read (it is a directory)",
    "broken ~/.claude/commands/large.md: is larger than 4 MB",
    expect.stringMatching(/^broken ~\/\.claude\/commands\/loop\.md: cannot be read/),
    "broken ~/.claude/commands/pipe.md: is not a file",
    expect.stringMatching(/^broken ~\/\.claude\.json: is/),
  ]);
});

test.each([
  [".claude/settings.json", "{ broken", "claude", "is not valid JSON at line 1, column 3"],
  [".config/opencode/opencode.json", '{\n  "permission": {,\n}', "opencode", "is not valid JSON at line 2, column 18"],
  [".gemini/settings.json", "[]", "gemini", "the file must be an object"],
  [".omp/agent/config.yml", "a: [1\nb: 2\n", "omp", "is not valid YAML at line 2, column 1"],
] as const)("%s with %j is one note with its line", async (path, text, agent, why) => {
  site.write(path, text);
  expect((await site.plan(agent)).notes).toEqual([{ file: `~/${path}`, kind: "broken", why }]);
});

test("allow rules of a file wait for the other file that is broken, since nobody knows what it denies", async () => {
  site.write("project/.claude/settings.json", "{ broken");
  site.write("project/.claude/settings.local.json", { permissions: { allow: ["Bash(git:*)"], deny: ["Bash(rm:*)"] } });
  await site.run("claude");
  expect(site.settings("project/.kedge/config.local.json")).toEqual({ permissions: { deny: ["Bash(rm *)"] } });
});

test("a broken file of kedge's own is left alone", async () => {
  site.write(".kedge/config.json", "{ broken");
  site.write(".claude/settings.json", { permissions: { deny: ["Bash"] } });
  site.write(".claude/commands/a.md", "A\n");
  expect(await site.summary("claude")).toEqual({
    files: ["~/.kedge/commands/a.md"],
    notes: ["kept ~/.kedge/config.json: is invalid. Fix it first; no settings or rules are imported"],
  });
});

test("what changed between the diff and the yes is not overwritten", async () => {
  site.write(".claude/settings.json", { permissions: { deny: ["Bash"] } });
  site.write(".claude/commands/a.md", "A\n");
  const { files } = await site.plan("claude");
  site.write(".kedge/commands/a.md", "Mine\n");
  const applied = applyImport(files, { home: site.home, projectRoot: site.project });
  expect(applied).toMatchObject({
    ok: false,
    failure: { message: "Nothing was imported: ~/.kedge/commands/a.md has changed since. Try again." },
  });
  expect(site.read(".kedge/config.json")).toBeUndefined();
});

test("in the user's own directory a project's folder is the user's", async () => {
  site.write(".claude/settings.json", { permissions: { deny: ["Bash"] } });
  const { planImport } = await import("../../src/import/plan/plan-import.ts");
  const places = { ...site.places, projectRoot: site.user };
  expect((await planImport({ agent: "claude", scopes: ["project"] }, places)).found).toEqual([]);
});
