/** Plugins in the layouts of other agents: what each brings is found, and what has no place is named. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { capabilityText, loadPlugin } from "../../src/plugins/index.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-foreign-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function load(files: { readonly [path: string]: string | object }) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  const read = await loadPlugin(root, { name: "folder" });
  if (!read.ok) return read.why;
  const { manifest, capabilities, notes, rights } = read;
  const { name, dialect } = manifest;
  return { name, dialect, brings: capabilities.map(capabilityText), notes, rights };
}

/** As manifests write their variables. */
const variable = (name: string) => `\${${name}}`;
const skill = "---\nname: look\ndescription: Looks.\n---\nLook.\n";
const hook = (command: string) => [{ matcher: "Bash", hooks: [{ type: "command", command }] }];

test("an extension of Gemini CLI: servers, hooks in its own names, skills; the rest is named", async () => {
  const mcpServers = { cloud: { command: "node", args: [`${variable("extensionPath")}${variable("/")}server.js`] } };
  const manifest = { name: "cloud-run", version: "1.2.0", mcpServers, contextFileName: "GEMINI.md" };
  const found = await load({
    "gemini-extension.json": manifest,
    "GEMINI.md": "Be careful.",
    "skills/look/SKILL.md": skill,
    "commands/deploy.toml": "prompt = 'Deploy {{args}}'",
    "hooks/hooks.json": { hooks: { BeforeTool: hook(`${variable("extensionPath")}/guard.sh`) } },
  });
  expect(found).toEqual({
    name: "cloud-run",
    dialect: "gemini",
    brings: [
      `hook PreToolUse (Bash): runs ${variable("extensionPath")}/guard.sh`,
      `MCP server cloud: starts node ${variable("extensionPath")}${variable("/")}server.js`,
      "skill cloud-run:look",
    ],
    notes: [
      "gemini-extension.json:1 kedge does not use contextFileName",
      "its commands are TOML and are not loaded; copy them to .gemini/commands",
    ],
    rights: [],
  });
});

test("a plugin of Codex with its hooks beside the folders", async () => {
  const found = await load({
    ".codex-plugin/plugin.json": { name: "guards" },
    "hooks.json": { hooks: { PreToolUse: hook(`${variable("PLUGIN_ROOT")}/guard.sh`) } },
  });
  expect(found).toMatchObject({
    dialect: "codex",
    brings: [`hook PreToolUse (Bash): runs ${variable("PLUGIN_ROOT")}/guard.sh`],
  });
});

test.each([".github/plugin/plugin.json", ".plugin/plugin.json", "plugin.json"])(
  "a plugin of GitHub Copilot with its manifest in %s",
  async (manifest) => {
    const found = await load({
      [manifest]: { name: "guards", agents: ["./agents"], skills: ["./skills/look/"] },
      "agents/reviewer.agent.md": "---\ndescription: Reviews.\n---\nReview.\n",
      "skills/look/SKILL.md": skill,
      "hooks.json": { version: 1, hooks: { preToolUse: [{ type: "command", matcher: "bash", bash: "./guard.sh" }] } },
      ".github/mcp.json": { mcpServers: { files: { type: "local", command: "node", args: [] } } },
      "lsp.json": { lspServers: { tea: { command: "tea-lsp", fileExtensions: { ".tea": "tea" } } } },
    });
    expect(found).toMatchObject({
      brings: [
        "hook PreToolUse (bash): runs ./guard.sh",
        "MCP server files: starts node",
        "language server tea: starts tea-lsp",
        "skill guards:look",
        "agent guards:reviewer",
      ],
      notes: [],
    });
  },
);

test("a portable plugin, whose manifest and servers lie at its root", async () => {
  const found = await load({
    "plugin.json": { name: "portable", version: "1.0.0", skills: "./skills" },
    "mcp.json": { mcpServers: { review: { command: "uv", args: ["run"] } } },
    "skills/look/SKILL.md": skill,
  });
  expect(found).toMatchObject({
    name: "portable",
    brings: ["MCP server review: starts uv run", "skill portable:look"],
    notes: [],
  });
});

test("a plugin.json of another program takes nothing away", async () => {
  const found = await load({ "plugin.json": { type: "panel", id: "x" }, "skills/look/SKILL.md": skill });
  expect(found).toMatchObject({ name: "folder", brings: ["skill folder:look"] });
});

test("a package for OpenCode: its module may do what plugins can do there, and sees no secrets", async () => {
  const found = await load({
    "package.json": {
      name: "@team/opencode-notify",
      version: "0.3.0",
      exports: { ".": { import: "./dist/index.js" } },
      peerDependencies: { "@opencode-ai/plugin": "*" },
    },
    "dist/index.js": "export const Notify = async () => ({ event: async () => {} });",
  });
  expect(found).toMatchObject({
    name: "opencode-notify",
    rights: expect.arrayContaining(["events", "calls", "tools"]),
  });
  expect(found).toMatchObject({
    brings: expect.arrayContaining(["code dist/index.js"]),
    rights: expect.not.arrayContaining(["credentials"]),
  });
});

test.each([
  { name: "left-pad", main: "index.js" },
  { name: "opencode-x" },
  { name: "opencode-x", main: "../outside.js" },
])("a package that is no plugin: %j", async (manifest) => {
  expect(await load({ "package.json": manifest, "index.js": "" })).toBe("it contains nothing kedge can load");
});
