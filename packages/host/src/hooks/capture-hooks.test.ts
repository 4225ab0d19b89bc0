/** Proves which hooks are captured: by trust, by policy, by the user's switches, and from every agent's files. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfiguration } from "../configuration/load-configuration.ts";
import { bringsHooks } from "./hook-places.ts";

let user = "";
let project = "";
beforeEach(() => {
  user = realpathSync(mkdtempSync(join(tmpdir(), "kedge-capture-")));
  project = join(user, "project");
  mkdirSync(project);
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(user, path)), { recursive: true });
  writeFileSync(join(user, path), typeof content === "string" ? content : JSON.stringify(content));
}

type Given = { readonly isTrusted?: boolean; readonly isHeldBack?: boolean };

async function capture({ isTrusted = true, ...given }: Given = {}) {
  const places = { home: join(user, ".kedge"), userDirectory: user, cwd: project, projectRoot: project };
  const managed = { directory: join(user, "etc"), owner: process.getuid?.() ?? 0 };
  const sources = { ...places, environment: {}, files: [], isTrusted, managed, ...given };
  const loaded = await loadConfiguration(sources);
  if (!loaded.ok) throw new Error(loaded.failure.message);
  const { hooks } = loaded.configuration;
  return { files: hooks.sources.map(({ file, scope }) => `${scope} ${file}`), hooks, warnings: loaded.warnings };
}

const hooks = { Stop: [{ hooks: [{ type: "command", command: "true" }] }] };

function layOut(): void {
  write(".kedge/config.json", { hooks });
  write(".claude/settings.json", { hooks });
  write(".codex/hooks.json", { hooks });
  write(".copilot/hooks/a.json", { version: 1, hooks });
  write(".kedge/hooks/pre/bash.sh", "true");
  write("project/kedge.json", { hooks });
  write("project/.claude/settings.json", { hooks });
  write("project/.claude/settings.local.json", { hooks });
  write("project/.codex/hooks.json", { hooks });
  write("project/.gemini/settings.json", { hooks });
  write("project/.github/hooks/a.json", { version: 1, hooks });
  write("project/.kedge/hooks/post/*.py", "true");
}

const ofUser = [
  "user ~/.kedge/config.json",
  "user ~/.claude/settings.json",
  "user ~/.codex/hooks.json",
  "user ~/.copilot/hooks/a.json",
  "user ~/.kedge/hooks/pre/bash.sh",
];

test("hooks of every agent are captured in a trusted project", async () => {
  layOut();
  const { files } = await capture();
  expect(files.toSorted()).toEqual(
    [
      ...ofUser,
      "project kedge.json",
      "project .claude/settings.json",
      "project .claude/settings.local.json",
      "project .codex/hooks.json",
      "project .gemini/settings.json",
      "project .github/hooks/a.json",
      "project .kedge/hooks/post/*.py",
    ].toSorted(),
  );
});

test("where nothing was asked about, only the user's own are; where trust was refused, none", async () => {
  layOut();
  expect((await capture({ isTrusted: false })).files.toSorted()).toEqual(ofUser.toSorted());
  const refused = await capture({ isTrusted: false, isHeldBack: true });
  expect(new Set(refused.hooks.left?.map(({ why }) => why))).toEqual(new Set(["the project is not trusted"]));
  expect([refused.files, refused.warnings]).toEqual([
    [],
    [expect.stringContaining("hooks do not run: the project is not trusted")],
  ]);
});

test("the policy may keep hooks to its own, and nobody else turns those off", async () => {
  layOut();
  write("etc/managed.json", { hooks, allowManagedHooksOnly: true });
  expect((await capture()).files).toEqual([expect.stringContaining("managed ")]);
  const { left = [], skillHooksOff } = (await capture()).hooks;
  expect([...new Set([...left.map(({ why }) => why), skillHooksOff])]).toEqual([
    "the managed policy allows its own hooks only",
  ]);
  expect(left.map(({ file }) => file)).toContain("kedge.json");
  write("etc/managed.json", { hooks });
  write(".kedge/config.json", { disableAllHooks: true, hooks });
  expect((await capture()).files).toEqual([expect.stringContaining("managed ")]);
});

test("a source that is turned off brings none, and a link out of the project neither", async () => {
  layOut();
  write(".kedge/config.json", { disabledProviders: ["claude", "github"] });
  const { files } = await capture();
  expect(files.filter((file) => /claude|github|copilot/.test(file))).toEqual([]);
});

const named = {
  BeforeTool: [
    {
      hooks: [
        { type: "command", name: "guard", command: "a" },
        { type: "command", command: "b" },
      ],
    },
  ],
};

test.each([
  [".claude/settings.json", { disableAllHooks: true, hooks }],
  ["project/.claude/settings.local.json", { disableAllHooks: true, hooks }],
  [".codex/config.toml", "[features]\nhooks = false\n"],
  [".gemini/settings.json", { hooksConfig: { enabled: false } }],
  ["project/.github/hooks/a.json", { version: 1, disableAllHooks: true, hooks }],
])("%s turns off the hooks of its agent, a project's no others than its own", async (path, content) => {
  layOut();
  const before = (await capture()).files;
  write(path, content);
  const { files, hooks: captured } = await capture();
  const agent = /\.(?:github|copilot|claude|codex|gemini)/.exec(path)?.[0] ?? "";
  const gone = before.filter(
    (file) => file.includes(agent) && (!path.startsWith("project/") || file.startsWith("project")),
  );
  expect(files).toEqual(before.filter((file) => !gone.includes(file)));
  expect(captured.left?.map(({ file, scope }) => `${scope} ${file}`)).toEqual(gone);
});

test("hooks in the TOML of Codex and in the settings of Copilot are captured, disabled ones of Gemini CLI are not", async () => {
  const toml = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n';
  write("project/.codex/config.toml", toml);
  write("project/.github/copilot/settings.json", { hooks });
  write(".gemini/settings.json", { hooksConfig: { disabled: ["guard"] }, hooks: named });
  const { hooks: captured } = await capture();
  expect(captured.sources.map(({ file, dialect, hooks: each }) => [file, dialect, each])).toEqual([
    ["~/.gemini/settings.json", "gemini", { BeforeTool: [{ hooks: [{ type: "command", command: "b" }] }] }],
    [".codex/config.toml", "codex", hooks],
    [".github/copilot/settings.json", "copilot", hooks],
  ]);
  expect([bringsHooks(project), (await capture({ isTrusted: false, isHeldBack: true })).files]).toEqual([true, []]);
});

test("files in the place of folders bring nothing and stop nobody", async () => {
  write(".copilot/hooks", "x");
  write(".kedge/hooks", "x");
  write("project/.github", "x");
  write("project/.kedge/hooks/pre", "x");
  expect((await capture()).files).toEqual([]);
});

test("what was captured does not change with the file", async () => {
  layOut();
  const { hooks: captured } = await capture();
  const before = JSON.stringify(captured);
  write("project/.claude/settings.json", { hooks: {} });
  expect(JSON.stringify(captured)).toBe(before);
});

test.each([
  [".claude/settings.json", { hooks }, true],
  [".claude/settings.json", { permissions: {} }, false],
  [".codex/hooks.json", { hooks }, true],
  [".github/hooks/a.json", { hooks }, true],
  [".kedge/hooks/pre/bash.sh", "true", true],
  ["README.md", "hooks", false],
])("a project with %s of %j brings hooks: %s", (path, content, expected) => {
  write(`project/${path}`, content);
  expect(bringsHooks(project)).toBe(expected);
});
