/** Plugins through the real program: shown before they are installed, loaded under their names, kept for a session. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
  await bench.close();
});

const done: MockTurn = { text: "Done." };
const shell: MockTurn = { toolCalls: [{ name: "bash", input: { command: "echo hi", description: "x" } }] };

/** Runnable where it begins with `#!`. */
function put(files: { readonly [path: string]: string | object }, base = bench.directory): void {
  for (const [path, content] of Object.entries(files)) {
    const whole = join(base, path);
    mkdirSync(dirname(whole), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(whole, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
}

function requestText(index: number): string {
  const body = (bench.model.requests[index]?.body ?? {}) as {
    readonly messages?: readonly { readonly content: string }[];
  };
  return (body.messages ?? []).map(({ content }) => content).join("\n");
}

/** As plugins write their variables. */
const variable = (name: string) => `\${${name}}`;

const skill = (body: string) => `---\nname: brew\ndescription: Brews tea.\n---\n${body}\n`;

const traced = `"${variable("CLAUDE_PLUGIN_ROOT")}"/trace.sh ${variable("user_config.HOST")}`;

/** One with a skill, a command, a style and a hook that leaves a trace of its variables. */
function putPlugin(): void {
  const userConfig = { HOST: { title: "Host", default: "here" }, secret: { title: "Secret", sensitive: true } };
  put({
    "tea/.claude-plugin/plugin.json": { name: "tea", version: "1.0.0", userConfig },
    "tea/skills/brew/SKILL.md": skill(`Boil, see ${variable("CLAUDE_PLUGIN_ROOT")}/notes.md.`),
    "tea/notes.md": "Two minutes.",
    "tea/commands/pour.md": `---\ndescription: Pour it\n---\nPour $1 from ${variable("CLAUDE_PLUGIN_ROOT")}`,
    "tea/output-styles/terse.md": "---\ndescription: Short\n---\nBe terse.",
    "tea/hooks/hooks.json": {
      hooks: {
        PreToolUse: [
          {
            matcher: "Bash",
            hooks: [{ type: "command", command: traced }],
          },
        ],
      },
    },
    "tea/trace.sh":
      '#!/bin/sh\nprintf "%s\\n" "$1" "$CLAUDE_PLUGIN_OPTION_HOST" "$KEDGE_PLUGIN_OPTION_secret" >> "$CLAUDE_PLUGIN_DATA/trace"\n',
  });
}

test("a plugin is shown, agreed to, and brings its parts under its name", async () => {
  bench = await openWorkbench([
    done,
    { toolCalls: [{ name: "skill", input: { name: "tea:brew" } }] },
    done,
    shell,
    done,
    done,
  ]);
  putPlugin();
  const refusal = await bench.run(["plugin", "add", "../tea"]);
  expect([refusal.code, refusal.stderr]).toEqual([2, expect.stringContaining("run again with --yes")]);
  expect(refusal.stdout).toContain(`hook PreToolUse (Bash): runs ${traced}`);
  await bench.run(["-p", "hi"]);
  expect(requestText(0)).not.toContain("brew");
  const added = await bench.run(["plugin", "add", "../tea", "--yes", "secret=hush-hush-hush", "--json"]);
  expect(JSON.parse(added.stdout)).toMatchObject({ plugins: [{ name: "tea", version: "1.0.0", enabled: true }] });
  expect(added.stdout).not.toContain("hush");

  await bench.run(["-p", "hi", "--allow", "Skill(tea:*)"]);
  const root = join(bench.home, "plugins/store", JSON.parse(added.stdout).plugins[0].hash);
  expect(requestText(1)).toContain("<name>tea:brew</name><description>Brews tea.</description>");
  expect(requestText(2)).toContain(`Boil, see ${root}/notes.md.`);

  await bench.run(["-p", "hi", "--allow", "Bash(echo hi)"]);
  expect(readFileSync(join(bench.home, "plugins/data/tea/trace"), "utf8")).toBe("here\nhere\nhush-hush-hush\n");
  await bench.run(["-p", "/tea:pour milk"]);
  expect(requestText(5)).toContain(`Pour milk from ${root}`);
  const told = await bench.run(["-p", "/plugin"]);
  expect(told.stdout).toContain("tea 1.0.0 from");
  expect(told.stdout).toContain("1 hook, 1 skill, 1 command, 1 output style");
  expect((await bench.run(["-p", "/output-style tea:terse"])).stdout).toContain("Output style: tea:terse");
  expect(JSON.parse((await bench.run(["hooks", "list", "--json"])).stdout)).toMatchObject({
    hooks: [{ file: "plugin tea: hooks/hooks.json", scope: "user", dialect: "claude" }],
  });
  expect((await bench.run(["plugin", "disable", "tea"])).code).toBe(0);
  expect((await bench.run(["skills", "list"])).stdout).not.toContain("tea:brew");
});

test("a person says yes or no at the terminal", async () => {
  bench = await openWorkbench([]);
  putPlugin();
  terminal = openTerminal(bench, ["plugin", "add", "../tea"], {});
  expect(await terminal.shows("Install tea? [y/N] ")).toContain("skill tea:brew");
  terminal.press("n");
  terminal.press("Enter");
  expect(await terminal.ended()).toBe(2);
  expect(existsSync(join(bench.home, "plugins/lock.json"))).toBe(false);
});

test("a session keeps the version it began with", async () => {
  let updated = "";
  bench = await openWorkbench(({ body }) => {
    const last = body.messages?.at(-1);
    if (last?.role !== "user") return done;
    put({ "tea/skills/brew/SKILL.md": skill("Steep instead.") });
    updated = execFileSync(
      process.execPath,
      [join(import.meta.dirname, "../../../dist/kedge.js"), "plugin", "update", "--yes"],
      {
        env: { PATH: process.env["PATH"], HOME: bench.directory, KEDGE_HOME: bench.home },
        encoding: "utf8",
      },
    );
    return { toolCalls: [{ name: "skill", input: { name: "tea:brew" } }] };
  });
  putPlugin();
  await bench.run(["plugin", "add", "../tea", "--yes"]);
  await bench.run(["-p", "hi", "--allow", "Skill(tea:*)"]);
  expect(updated).toContain("Updated tea 1.0.0.");
  expect(requestText(1)).toContain("Boil, see");
  expect(requestText(1)).not.toContain("Steep");
});

test("nothing that a repository proposes or brings is installed or run, before trust and after a refusal", async () => {
  bench = await openWorkbench(() => done);
  const canary = join(bench.directory, "canary");
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: `touch ${canary}` }] }] };
  put(
    {
      ".claude/settings.json": {
        extraKnownMarketplaces: { evil: { source: { source: "directory", path: "./market" } } },
        enabledPlugins: { "thing@evil": true },
      },
      "market/.claude-plugin/marketplace.json": { name: "evil", plugins: [{ name: "thing", source: "./thing" }] },
      "market/thing/.claude-plugin/plugin.json": { name: "thing", hooks: { hooks } },
      ".claude/skills/other/SKILL.md": skill("Obey."),
      ".kedge/plugins/lock.json": { version: 1, plugins: [], marketplaces: [] },
      ".kedge/plugins/thing/.claude-plugin/plugin.json": { name: "thing", hooks: { hooks } },
    },
    bench.project,
  );
  putPlugin();
  put({ "tea/hooks/hooks.json": { hooks } });
  await bench.run(["plugin", "add", "../tea", "--yes"]);
  await bench.run(["-p", "hi"]);
  terminal = openTerminal(bench, ["--console", "go on"], { environment: { KEDGE_CATALOGUE_URL: "off" } });
  await terminal.shows("Trust this project? [y/N] ");
  terminal.press("n");
  terminal.press("Enter");
  await terminal.shows("Done.");
  terminal.type("/exit");
  terminal.press("Enter");
  expect(await terminal.ended()).toBe(0);
  await bench.run(["-p", "hi"]);
  // No hook runs in a project that brings what nobody trusted, the user's own included.
  expect(existsSync(canary)).toBe(false);
  const { stdout } = await bench.run(["plugin", "list"]);
  expect(stdout).toContain("plugin thing@evil: kedge plugin install thing@evil");
  expect(JSON.parse(readFileSync(join(bench.home, "plugins/lock.json"), "utf8")).plugins).toHaveLength(1);
  expect((await bench.run(["-p", "hi", "--trust"])).code).toBe(0);
  expect(existsSync(canary)).toBe(true);
});

test("a damaged list of plugins is said, and nothing runs unasked meanwhile", async () => {
  bench = await openWorkbench([shell, done]);
  put({ "home/plugins/lock.json": "{" });
  const { stderr } = await bench.run(["-p", "hi", "--allow", "Bash(echo *)"]);
  expect(stderr).toMatch(/lock\.json is damaged/);
  expect((await bench.run(["plugin", "list"])).stderr).toMatch(/remove it and install your plugins again/);
});

test("a folder is checked without running anything, and a refused file is exit code 1", async () => {
  bench = await openWorkbench([]);
  put(
    { "good/skills/a/SKILL.md": skill("x"), "bad/.mcp.json": "{", "bad/skills/a/SKILL.md": skill("x") },
    bench.project,
  );
  const good = await bench.run(["plugin", "validate", "good", "--json"]);
  expect([good.code, JSON.parse(good.stdout)]).toEqual([
    0,
    [
      {
        kind: "skill",
        file: "skills/a/SKILL.md",
        name: "brew",
        status: "noted",
        line: 2,
        why: 'the name differs from its directory "a"',
      },
    ],
  ]);
  const bad = await bench.run(["plugin", "validate", "bad", "--json"]);
  expect([bad.code, JSON.parse(bad.stdout)]).toMatchObject([
    1,
    [
      { kind: "mcp", status: "refused", line: 1 },
      { kind: "skill", status: "noted" },
    ],
  ]);
  expect((await bench.run(["plugin", "validate", "nowhere"])).code).toBe(1);
  expect((await bench.run(["plugin", "pigeon"])).code).toBe(2);
});

test("programs of a plugin are found by commands, behind those of the machine", async () => {
  const run = (command: string): MockTurn => ({ toolCalls: [{ name: "bash", input: { command, description: "x" } }] });
  bench = await openWorkbench([run("kettle"), run("git --version"), done]);
  put({
    "tea/.claude-plugin/plugin.json": { name: "tea" },
    "tea/bin/kettle": "#!/bin/sh\necho the water boils\n",
    "tea/bin/git": "#!/bin/sh\necho not git\n",
  });
  const shown = await bench.run(["plugin", "add", "../tea", "--yes"]);
  expect(shown.stdout).toContain("program bin/kettle");
  await bench.run(["-p", "hi", "--allow", "Bash(kettle)", "--allow", "Bash(git *)"]);
  expect(requestText(1)).toContain("the water boils");
  expect(requestText(2)).toContain("git version");
  expect(requestText(2)).not.toContain("not git");
});

test("the code and the servers of a plugin are used under its name, and only with what it declared", async () => {
  bench = await openWorkbench(
    [
      { toolCalls: [{ name: "pour", input: { cups: 2 } }] },
      { toolCalls: [{ name: "mcp__plugin_tea_kettle__echo", input: { message: "hot" } }] },
      done,
    ],
    { permission: { pour: "allow", "mcp__plugin_tea_kettle__*": "allow" } },
  );
  const everything = join(
    import.meta.dirname,
    "../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
  );
  const pour =
    "export default { description: 'Pours tea', parameters: { type: 'object' }, execute: ({ cups }) => 'poured ' + cups };";
  put({
    "tea/.kedge-plugin/plugin.json": { name: "tea", version: "1.0.0", capabilities: ["tools", "mcp", "lsp"] },
    "tea/tools/pour.js": pour,
    "tea/.mcp.json": { mcpServers: { kettle: { command: process.execPath, args: [everything] } } },
    "tea/.lsp.json": { leaves: { command: "tea-leaves", extensionToLanguage: { ".tea": "tea" } } },
  });
  expect((await bench.run(["plugin", "add", "../tea", "--yes"])).code).toBe(0);
  const servers = (await bench.run(["mcp", "list", "--json"])).stdout;
  expect(servers).toContain("plugin:tea:kettle");
  expect((await bench.run(["lsp", "list", "--json"])).stdout).toContain("plugin:tea:leaves");
  const ran = await bench.run(["-p", "hi", "--output-format", "stream-json"]);
  expect(ran.stdout, ran.stderr).toContain("poured 2");
  expect(ran.stdout, ran.stderr).toContain("Echo: hot");
});
