/** Three hundred files with the slips of real collections: each loads or is named with file, line and remedy. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ValidatedFile, validateFolder } from "../../src/plugins/index.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-validate-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, content: string | Buffer | object): void {
  const whole = join(root, path);
  mkdirSync(dirname(whole), { recursive: true });
  const isText = typeof content === "string" || Buffer.isBuffer(content);
  writeFileSync(whole, isText ? content : JSON.stringify(content, null, 2));
}

type Slip = {
  readonly path: (name: string) => string;
  readonly content: (name: string) => string | Buffer | object;
  readonly expected: Partial<ValidatedFile> | { readonly why: unknown };
};

const loaded = { status: "loaded" } as const;
const noted = (line: number, why: RegExp) => ({ status: "noted", line, why: expect.stringMatching(why) }) as const;
const refused = (line: number, why: RegExp) => ({ status: "refused", line, why: expect.stringMatching(why) }) as const;
const inSkills = (name: string) => `a/skills/${name}/SKILL.md`;
const inAgents = (name: string) => `a/agents/team/${name}.md`;
const inCommands = (name: string) => `.claude/commands/${name}.md`;
const inPlugin = (name: string) => `plugins/${name}/.claude-plugin/plugin.json`;
const inMarket = (name: string) => `markets/${name}/.claude-plugin/marketplace.json`;
const inHooks = (name: string) => `plugins-with-hooks/${name}/hooks/hooks.json`;
const inCopilot = (name: string) => `copilot/${name}/.github/plugin/plugin.json`;
const inMcp = (name: string) => `servers/${name}/.mcp.json`;
const inLsp = (name: string) => `servers/${name}/.lsp.json`;
const fine = (name: string) => `---\nname: ${name}\ndescription: Does it.\n---\nDo it.\n`;
const run = (command: string) => ({ type: "command", command });

const slips: readonly Slip[] = [
  { path: inSkills, content: (name) => `<!-- MIT -->\n${fine(name)}`, expected: loaded },
  {
    path: inSkills,
    content: (name) => `---\nname: ${name}\ndescription: [WIP] x\n---\nx`,
    expected: noted(3, /begins with \[/),
  },
  { path: (name) => `.github/prompts/${name}.prompt.md`, content: () => "Explain it.", expected: { kind: "command" } },
  { path: inSkills, content: fine, expected: loaded },
  { path: inSkills, content: () => "Do it.", expected: noted(1, /add frontmatter/) },
  {
    path: inSkills,
    content: (name) => `---\nname: ${name}\ndescription: Use when: it fails\n---\nx`,
    expected: noted(3, /colon/),
  },
  { path: inSkills, content: (name) => `\ufeff---\r\nname: ${name}\r\ndescription: x\r\n---\r\nx`, expected: loaded },
  {
    path: inSkills,
    content: (name) => Buffer.from(`---\nname: ${name}\ndescription: caf\xe9\n---\nx`, "latin1"),
    expected: noted(1, /UTF-8/),
  },
  { path: inSkills, content: () => "", expected: refused(1, /empty\. Write/) },
  { path: inSkills, content: () => "a\0b", expected: refused(1, /not a text file\. Save/) },
  { path: inAgents, content: fine, expected: { kind: "agent", ...loaded } },
  { path: inAgents, content: () => "You are an expert.", expected: noted(1, /add frontmatter/) },
  {
    path: inAgents,
    content: (name) =>
      `---\nname: ${name}\ndescription: x\ntools: Read, Grep\nmodel: opus\ncolor: red\npermissionMode: plan\n---\nx`,
    expected: loaded,
  },
  {
    path: inAgents,
    content: (name) => `---\nname: ${name}\ndescription: x\nmood: 1\n---\nx`,
    expected: noted(2, /mood is ignored/),
  },
  {
    path: inAgents,
    content: (name) => `---\nname: ${name}\ndescription: x\n---\n`,
    expected: refused(1, /nothing follows the frontmatter/),
  },
  {
    path: inCommands,
    content: () => "---\ndescription: x\n---\nRun $ARGUMENTS",
    expected: { kind: "command", ...loaded },
  },
  { path: inCommands, content: () => "Run it", expected: noted(1, /no description/) },
  { path: inPlugin, content: (name) => ({ name, version: "1.0.0" }), expected: { kind: "plugin", ...loaded } },
  {
    path: inCopilot,
    content: (name) => ({ name, agents: `../${name}` }),
    expected: refused(3, /outside the plugin\. Use/),
  },
  { path: inCopilot, content: (name) => ({ name, skills: [".github"] }), expected: { kind: "plugin", ...loaded } },
  {
    path: inPlugin,
    content: (name) => `// mine\n{"name": "${name}",}`,
    expected: noted(1, /comments or trailing commas/),
  },
  {
    path: inPlugin,
    content: (name) => `{\n  "name": "${name}",\n  "name": "${name}"\n}`,
    expected: noted(3, /duplicated/),
  },
  { path: inPlugin, content: () => `{\n  "name": "My Plugin"\n}`, expected: noted(2, /is read as my-plugin/) },
  {
    path: inPlugin,
    content: (name) => `{\n  "name": "${name}",\n  "comands": "./x"\n}`,
    expected: noted(3, /did you mean commands/),
  },
  {
    path: inPlugin,
    content: (name) => `{\n  "name": "${name}",\n  "skills": ["./missing"]\n}`,
    expected: noted(1, /missing, which does not exist/),
  },
  {
    path: inPlugin,
    content: (name) => `{\n  "name": "${name}",\n  "hooks": "../../x.json"\n}`,
    expected: refused(3, /outside the plugin\. Use/),
  },
  { path: inPlugin, content: () => "{}", expected: refused(1, /has no name\. Add/) },
  {
    path: inPlugin,
    content: () => '{\n  "version": 1\n  "name": "x"\n}',
    expected: refused(3, /not valid JSON: comma expected\. Fix/),
  },
  { path: inPlugin, content: () => "[".repeat(50_000), expected: refused(1, /nested too deeply/) },
  {
    path: inMarket,
    content: (name) => ({ name, owner: { name: "x" }, plugins: [] }),
    expected: { kind: "marketplace", ...loaded },
  },
  {
    path: inMarket,
    content: (name) =>
      `{"name": "${name}", "plugins": [\n  {"name": "a", "source": {"source": "github", "repo": "o/r"}},\n  {"name": "b", "source": "../b"}\n]}`,
    expected: noted(3, /b cannot be installed/),
  },
  {
    path: inMarket,
    content: (name) => `{"name": "${name}",\n "plugins": {}}`,
    expected: refused(2, /lists no plugins/),
  },
  {
    path: (name) => `markets/${name}/.agents/plugins/marketplace.json`,
    content: (name) => ({ name, plugins: [{ name: "a", source: { source: "local", path: "./gone" } }] }),
    expected: noted(6, /a refers to gone, which does not exist/),
  },
  {
    path: inHooks,
    content: () => ({ hooks: { Stop: [{ hooks: [run("true")] }] } }),
    expected: { kind: "hooks", ...loaded },
  },
  { path: inHooks, content: () => ({ Stop: [{ hooks: [run("true")] }] }), expected: loaded },
  {
    path: inHooks,
    content: () =>
      '{"hooks": {\n "Stop": [{"hooks": [{"type": "command", "command": "true"}]}],\n "Later": [{"hooks": [{"type": "command", "command": "true"}]}]\n}}',
    expected: noted(3, /Later is not a known event; its hooks never run\./),
  },
  {
    path: inHooks,
    content: () => '{"hooks": {\n "Stop": [\n  {"hooks": [{"type": "magic"}]}\n ]}}',
    expected: refused(3, /Stop\[0\]\.hooks\[0\] is not used: "magic" is not a known hook ty/),
  },
  { path: inHooks, content: () => '{"hooks": []}', expected: refused(1, /it has no hooks/) },
  {
    path: inMcp,
    content: () => ({ mcpServers: { a: { command: "node" }, b: { type: "http", url: "https://x.example" } } }),
    expected: { kind: "mcp", name: "a, b", ...loaded },
  },
  { path: inMcp, content: () => ({ a: { command: "node", args: ["x"] } }), expected: { name: "a", ...loaded } },
  {
    path: inMcp,
    content: () => ({ mcpServers: { a: { command: "node" }, b: {} } }),
    expected: noted(6, /"b" has no command/),
  },
  {
    path: inMcp,
    content: () => '{"mcpServers": {\n "a": {"type": "pigeon", "command": "x"}}}',
    expected: refused(2, /unknown type "pigeon"\. Use/),
  },
  {
    path: inLsp,
    content: () => ({ py: { command: "pyright", extensionToLanguage: { ".py": "python" } } }),
    expected: { kind: "lsp", name: "py", ...loaded },
  },
  {
    path: inLsp,
    content: () => ({ py: { command: "pyright" } }),
    expected: refused(2, /the server "py" does not list file extensions\. Add extension/),
  },
];

test("every file loads or is named with its line and a remedy, and none stops the others", async () => {
  const expected = new Map<string, Slip["expected"]>();
  for (let index = 0; index < 312; index += 1) {
    const slip = slips[index % slips.length] ?? expect.fail();
    const path = slip.path(`n${index}`);
    put(path, slip.content(`n${index}`));
    expected.set(path, slip.expected);
  }
  mkdirSync(join(root, "a/skills/pipe"));
  execFileSync("mkfifo", [join(root, "a/skills/pipe/SKILL.md")]);
  symlinkSync("/etc/hosts", join(root, "a/agents/out.md"));
  symlinkSync("nowhere.json", join(root, "a/.mcp.json"));
  mkdirSync(join(root, "a/hooks"));
  symlinkSync("/etc/hosts", join(root, "a/hooks/hooks.json"));
  expected.set("a/skills/pipe/SKILL.md", refused(1, /not a regular file/));
  expected.set("a/agents/out.md", refused(1, /outside the project/));
  expected.set("a/.mcp.json", refused(1, /broken link/));
  expected.set("a/hooks/hooks.json", refused(1, /outside the project/));
  // None of these is a definition.
  put("a/agents/README.md", "About.");
  put("node_modules/x/skills/y/SKILL.md", "x");
  put("a/skills/n0/agents/inner.md", "A text of the skill.");
  put("docs/notes.md", "x");
  put("package.json", "{");

  const { files, isCut } = await validateFolder(root);
  expect(isCut).toBe(false);
  expect(files.map(({ file }) => file).toSorted()).toEqual([...expected.keys()].toSorted());
  for (const file of files) expect(file, file.file).toMatchObject(expected.get(file.file) ?? expect.fail());
});

test("nothing is loaded twice where a skill is the root of a plugin", async () => {
  put("one/SKILL.md", fine("one"));
  put("one/.claude-plugin/plugin.json", { name: "one" });
  put("one/commands/go.md", "---\ndescription: x\n---\nGo.");
  const { files } = await validateFolder(root);
  expect(files.map(({ kind, name, status }) => [kind, name, status])).toEqual([
    ["skill", "one", "loaded"],
    ["plugin", "one", "loaded"],
    ["command", "go", "loaded"],
  ]);
});
