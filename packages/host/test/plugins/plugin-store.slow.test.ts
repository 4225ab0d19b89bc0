/** Proves that plugins are installed from directories and repositories as one version, known by its content, and stay while used. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claimStored } from "../../src/plugins/plugin-claims.ts";
import { lockPath, readLock, storedDirectory } from "../../src/plugins/plugin-lock.ts";
import { openPluginBed, type PluginBed, pluginAt, skill } from "./plugin-bed.ts";

let bed: PluginBed;
beforeEach(() => {
  bed = openPluginBed();
});
afterEach(() => bed.close());

const stored = () => readdirSync(join(bed.home, "plugins/store")).toSorted();

test("shows what a plugin brings, and installs it after a yes", async () => {
  bed.put({
    ...pluginAt("tea", "tea"),
    "tea/commands/db/migrate.md": "Migrate $1",
    "tea/agents/brewer.md": "---\nname: brewer\ndescription: Brews.\n---\nBrew.",
    "tea/output-styles/short.md": "Be short.",
    "tea/hooks/hooks.json": { hooks: { Stop: [{ hooks: [{ type: "command", command: "./done.sh" }] }] } },
    "tea/.mcp.json": { mcpServers: { db: { command: "node", args: ["server.js"] } } },
    "tea/.lsp.json": { py: { command: "pyright", extensionToLanguage: { ".py": "python" } } },
    "tea/bin/brew": "#!/bin/sh\n",
    "tea/skills/shell/SKILL.md": "---\ndescription: x\n---\nRun !`date`",
  });
  const no = await bed.run("add ./tea", { answer: "no" });
  expect([no.end, existsSync(lockPath(bed.home))]).toEqual(["refused", false]);
  const nobody = await bed.run("add ./tea", { answer: "nobody" });
  expect([nobody.end, nobody.text]).toEqual(["refused", "Nothing changed. To confirm, run again with --yes."]);
  const yes = await bed.run("add ./tea");
  expect(yes.text).toBe("Installed tea 1.0.0. It takes effect in new sessions.");
  expect(yes.shown).toEqual([
    [
      `tea 1.0.0 from ${bed.directory}/tea`,
      "  hook Stop: runs ./done.sh",
      "  MCP server db: starts node server.js",
      "  language server py: starts pyright",
      "  program bin/brew",
      "  skill tea:shell: runs shell commands",
      "  skill tea:tea-skill",
      "  command tea:db:migrate",
      "  agent tea:brewer",
      "  output style tea:short",
    ].join("\n"),
  ]);
  const [plugin] = bed.lock().plugins;
  expect(plugin).toMatchObject({
    name: "tea",
    version: "1.0.0",
    enabled: true,
    source: { kind: "path", path: join(bed.directory, "tea") },
    parts: {
      skills: ["skills"],
      commands: ["commands"],
      agents: ["agents"],
      styles: ["output-styles"],
      programs: ["brew"],
    },
  });
  expect(stored()).toEqual([plugin?.hash]);
  expect((await bed.run("list")).text).toContain("1 hook, 1 MCP server, 1 language server, 1 program, 2 skills");
});

test("the same content is the same version, and files changed in the store are named", async () => {
  bed.put(pluginAt("tea", "tea"));
  await bed.run("add ./tea");
  const [first] = bed.lock().plugins;
  expect((await bed.run("update tea")).text).toBe("tea is up to date.");
  bed.put({ "tea/skills/more/SKILL.md": skill("more") });
  const updated = await bed.run("update tea");
  expect(updated.shown).toEqual([`tea 1.0.0 from ${bed.directory}/tea\n  + skill tea:more`]);
  const [second] = bed.lock().plugins;
  expect(second?.hash).not.toBe(first?.hash);
  expect(stored()).toEqual([second?.hash]);
  const path = join(storedDirectory(bed.home, second?.hash ?? ""), "skills/more/SKILL.md");
  execFileSync("chmod", ["u+w", path]);
  writeFileSync(path, "changed");
  expect((await bed.run("list")).text).toContain("were modified. Install it again.");
  await bed.run("add ./tea");
  expect((await bed.run("list")).text).not.toContain("were modified");
});

test("a version that a running kedge uses stays until it ends", async () => {
  bed.put(pluginAt("tea", "tea"));
  await bed.run("add ./tea");
  const old = bed.lock().plugins[0]?.hash ?? "";
  const claim = claimStored(bed.home, [old]);
  expect(claim.lost).toEqual([]);
  bed.put({ "tea/skills/more/SKILL.md": skill("more") });
  await bed.run("update tea");
  expect(stored()).toContain(old);
  expect(existsSync(join(storedDirectory(bed.home, old), "skills/tea-skill/SKILL.md"))).toBe(true);
  expect(claimStored(bed.home, [old]).lost).toEqual([old]);
  claim.release();
  await bed.run("disable tea");
  // The second claim is still there.
  expect(stored()).toContain(old);
});

test("what a dead process claimed or left half-made is cleared", async () => {
  bed.put(pluginAt("tea", "tea"));
  await bed.run("add ./tea");
  const old = bed.lock().plugins[0]?.hash ?? "";
  const script = `const { claimStored } = await import(${JSON.stringify(join(import.meta.dirname, "../../src/plugins/plugin-claims.ts"))});
    claimStored(${JSON.stringify(bed.home)}, [${JSON.stringify(old)}]); console.log("claimed"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((done) => child.stdout.once("data", done));
  const dead = new Promise((done) => child.once("close", done));
  bed.put({ [`home/plugins/staging/plugin.${child.pid}_0123456789ab.tmp/x`]: "x" });
  bed.put({ "tea/skills/more/SKILL.md": skill("more") });
  await bed.run("update tea");
  expect(stored()).toContain(old);
  child.kill("SIGKILL");
  await dead;
  bed.put({ "tea/skills/again/SKILL.md": skill("again") });
  await bed.run("update tea");
  expect(stored()).toEqual([bed.lock().plugins[0]?.hash]);
  expect(readdirSync(join(bed.home, "plugins/staging"))).toEqual([]);
});

test("processes that install at the same time lose nothing, and one that is killed leaves a whole list", async () => {
  const count = 4;
  for (let index = 0; index < count; index += 1) bed.put(pluginAt(`p${index}`, `p${index}`));
  const words = join(import.meta.dirname, "../../src/plugins/plugin-words.ts");
  const start = (name: string) =>
    spawn(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `const { runPluginWords } = await import(${JSON.stringify(words)});
        const machine = { home: ${JSON.stringify(bed.home)}, environment: process.env, kedgeVersion: "0.1.0", policy: undefined, resolvePath: (path) => ${JSON.stringify(bed.directory)} + "/" + path };
        console.log("starts");
        const answer = await runPluginWords(["add", "./${name}"], { machine, root: "/", confirm: async () => "yes", signal: new AbortController().signal });
        if (answer?.end !== "done") { console.error(answer?.text); process.exit(1); }`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
  const ends = Array.from({ length: count }, (_, index) => start(`p${index}`)).map((child, index) => {
    // The last one is killed in the middle of it; what it did is done or not.
    child.stdout.once("data", () => index === count - 1 && child.kill("SIGKILL"));
    return new Promise<number | null>((done) => child.once("close", done));
  });
  const codes = await Promise.all(ends);
  expect(codes.slice(0, -1)).toEqual(Array.from({ length: count - 1 }, () => 0));
  const names = bed.lock().plugins.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["p0", "p1", "p2"]));
  for (const { hash } of bed.lock().plugins) expect(stored()).toContain(hash);
  expect((await bed.run("list")).text).not.toMatch(/gone|changed/);
});

test("a repository is taken at a branch, a tag, a commit and a directory", async () => {
  bed.put(pluginAt("repository/inner", "tea"));
  const first = bed.commit("repository");
  bed.put({ "repository/inner/skills/more/SKILL.md": skill("more") });
  const second = bed.commit("repository");
  const url = `file://${bed.directory}/repository`;
  await bed.run(`add ${url}#main:inner`);
  expect(bed.lock().plugins[0]).toMatchObject({
    name: "tea",
    commit: second,
    source: { kind: "git", url, ref: "main", path: "inner" },
  });
  await bed.run("remove tea");
  await bed.run(`add ${url}#${first}:inner`);
  expect(bed.lock().plugins[0]).toMatchObject({ commit: first, source: { sha: first } });
  expect(bed.lock().plugins[0]?.capabilities.map(({ name }) => name)).toEqual(["tea:tea-skill"]);
  expect(readdirSync(storedDirectory(bed.home, bed.lock().plugins[0]?.hash ?? ""))).not.toContain(".git");
  expect((await bed.run(`add ${url}#${"0".repeat(40)}:inner`)).end).toBe("failed");
  expect((await bed.run(`add ${url}#nothing:inner`)).text).toMatch(
    /git failed: fatal: couldn't find remote ref nothing/,
  );
});

test("nothing that a repository brings runs when it is installed", async () => {
  const canary = join(bed.directory, "canary");
  const script = `#!/bin/sh\ntouch ${canary}\n`;
  bed.put({
    ...pluginAt("repository", "tea"),
    "repository/.gitattributes": "* filter=evil\n*.md diff=evil\n",
    "repository/.gitmodules": `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% ${canary}\n`,
    "repository/.lfsconfig": "[lfs]\n\turl = https://elsewhere.invalid\n",
    "repository/package.json": { scripts: { prepare: `touch ${canary}`, postinstall: `touch ${canary}` } },
    ".gitconfig": `[filter "evil"]\n\tsmudge = touch ${canary}\n[init]\n\ttemplateDir = ${bed.directory}/template\n[core]\n\thooksPath = ${bed.directory}/template/hooks\n\tfsmonitor = touch ${canary}\n`,
    "template/hooks/post-checkout": script,
    "template/hooks/reference-transaction": script,
  });
  execFileSync("git", ["init", "--quiet"], {
    cwd: join(bed.directory, "repository"),
    env: { PATH: process.env["PATH"] ?? "" },
  });
  execFileSync("bash", ["-c", "git add -A && git -c user.name=a -c user.email=a@b commit -qm x"], {
    cwd: join(bed.directory, "repository"),
    env: { PATH: process.env["PATH"] ?? "", GIT_CONFIG_GLOBAL: "/dev/null" },
  });
  bed.put({ "repository/.git/hooks/post-upload-pack": script });
  expect((await bed.run(`add file://${bed.directory}/repository`)).text).toBe(
    "Installed tea 1.0.0. It takes effect in new sessions.",
  );
  expect(existsSync(canary)).toBe(false);
});

test.each([
  [
    "a link that leads out",
    (path: string) => symlinkSync("/etc/hosts", join(path, "skills/out.md")),
    /is a link that points outside/,
  ],
  [
    "a link to the history",
    (path: string) => symlinkSync("../.git/config", join(path, "skills/config.md")),
    /is a link that points outside/,
  ],
  ["a link to nothing", (path: string) => symlinkSync("nowhere", join(path, "skills/gone.md")), /is a broken link/],
  [
    "a link to a directory",
    (path: string) => symlinkSync("../skills", join(path, "skills/again")),
    /is a link to a directory/,
  ],
  [
    "a pipe",
    (path: string) => void execFileSync("mkfifo", [join(path, "skills/pipe")]),
    /is neither a file nor a directory/,
  ],
])("%s is refused", async (_, spoil, why) => {
  bed.put({ ...pluginAt("tea", "tea"), "tea/.git/config": "[core]" });
  spoil(join(bed.directory, "tea"));
  const answer = await bed.run("add ./tea");
  expect([answer.end, answer.text]).toEqual(["failed", expect.stringMatching(why)]);
  expect(readLock(bed.home)).toMatchObject({ ok: true, lock: { plugins: [] } });
});

test("a directory of a repository that is a link out of it is refused", async () => {
  bed.put({ ...pluginAt("outside", "tea"), "repository/README.md": "x" });
  symlinkSync(join(bed.directory, "outside"), join(bed.directory, "repository/inner"));
  bed.commit("repository");
  const answer = await bed.run(`add file://${bed.directory}/repository#main:inner`);
  expect([answer.end, answer.text]).toEqual(["failed", expect.stringContaining("it is a link that points elsewhere")]);
});

test("a link to a file inside becomes that file", async () => {
  bed.put({ ...pluginAt("tea", "tea"), "tea/shared.md": "Shared." });
  symlinkSync("../shared.md", join(bed.directory, "tea/skills/shared.md"));
  await bed.run("add ./tea");
  const file = join(storedDirectory(bed.home, bed.lock().plugins[0]?.hash ?? ""), "skills/shared.md");
  expect(readFileSync(file, "utf8")).toBe("Shared.");
});

test("a damaged list is not replaced, and says what to do", async () => {
  bed.put({ ...pluginAt("tea", "tea"), "home/plugins/lock.json": '{"version":1,"plugins":[{"name":"../x"}]' });
  await expect(bed.run("add ./tea")).rejects.toThrow(/is damaged/);
  bed.put({
    "home/plugins/lock.json": { version: 1, plugins: [{ name: "../x", hash: "../y", parts: {} }], marketplaces: [] },
  });
  await expect(bed.run("list")).rejects.toThrow(/is not a list of plugins/);
});
