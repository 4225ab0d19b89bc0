/** Proves `kedge import` and the doctor's word on other agents as a person and a script meet them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTerminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench([]);
});
afterEach(() => bench.close());

function write(path: string, content: unknown): void {
  const whole = join(bench.directory, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, typeof content === "string" ? content : JSON.stringify(content));
}

const read = (path: string) => readFileSync(join(bench.directory, path), "utf8");

function writeSetup(): void {
  write("project/.claude/settings.json", {
    permissions: { allow: ["Bash(npm run test:*)"], deny: ["Bash(git push:*)"] },
    statusLine: { type: "command", command: "\u001b[2Jx" },
  });
  write("project/.claude/commands/fix.md", "Fix \u001b]0;owned\u0007it\n");
}

test("the diff is shown, nothing is written without a yes, and a yes writes it", async () => {
  writeSetup();
  const shown = await bench.run(["import", "--from", "claude"]);
  expect({ code: shown.code, stderr: shown.stderr }).toEqual({
    code: 2,
    stderr: "kedge: Nothing was written. To write these files, run again with --yes.\n",
  });
  expect(shown.stdout).toContain('+    "allow": [\n+      "Bash(npm run test *)"\n');
  expect(shown.stdout).toContain(
    "No equivalent in kedge:\n  .claude/settings.json: statusLine has no equivalent in kedge.\n",
  );
  expect(shown.stdout).not.toContain("\u001b");
  expect(existsSync(join(bench.project, ".kedge"))).toBe(false);
  const dry = await bench.run(["import", "--from", "claude", "--dry-run"]);
  expect(dry).toEqual({ code: 0, stdout: shown.stdout, stderr: "" });
  const done = await bench.run(["import", "--from", "claude", "--yes"]);
  expect(done).toEqual({
    code: 0,
    stdout: shown.stdout,
    stderr:
      "Wrote 2 files.\nProject files take effect once you trust the project: kedge trust add.\n" +
      'kedge also reads .claude in place. To turn that off, add "claude" to disabledProviders in your settings.\n',
  });
  expect(JSON.parse(read("project/.kedge/config.json"))).toEqual({
    permissions: { allow: ["Bash(npm run test *)"], deny: ["Bash(git push *)"] },
  });
  expect(read("project/.claude/commands/fix.md")).toBe(read("project/.kedge/commands/fix.md"));
  await bench.run(["trust", "add"]);
  const tried = await bench.run(["explain", "permission", "bash", "npm run test -- -w", "--json"]);
  expect(JSON.parse(tried.stdout)).toMatchObject({ verdict: "allow" });
  expect((await bench.run(["import", "--from", "claude"])).stdout).toContain("Nothing to import from Claude Code.\n");
});

test("at a terminal kedge asks, and only a yes writes", async () => {
  writeSetup();
  for (const [key, text] of [
    ["n", "ended with 0."],
    ["y", "Wrote 2 files."],
  ] as const) {
    const terminal = openTerminal(bench, ["import", "--from", "claude"]);
    try {
      await terminal.shows("Write these 2 files? [y/N]");
      expect(existsSync(join(bench.project, ".kedge"))).toBe(false);
      terminal.type(key);
      terminal.press("Enter");
      await terminal.shows(text);
      expect(await terminal.ended()).toBe(0);
    } finally {
      await terminal.close();
    }
  }
  expect(existsSync(join(bench.project, ".kedge/config.json"))).toBe(true);
});

test("for scripts", async () => {
  writeSetup();
  write(".claude/settings.json", { env: { ANTHROPIC_API_KEY: "not-to-be-shown" } });
  const planned = await bench.run(["import", "--from", "claude", "--json", "--dry-run"]);
  const report = JSON.parse(planned.stdout);
  expect(report).toMatchObject({
    agent: "claude",
    found: ["~/.claude", ".claude"],
    files: [
      { file: ".kedge/config.json", change: "add", diff: expect.stringContaining("+++ b/.kedge/config.json") },
      { file: ".kedge/commands/fix.md", change: "add" },
    ],
    applied: false,
  });
  expect(report.notes[0]).toEqual({
    file: "~/.claude/settings.json",
    key: "env.ANTHROPIC_API_KEY",
    kind: "secret",
    why: "is a secret and was not copied",
    remedy: "Save it with kedge auth login anthropic.",
  });
  expect(planned.stdout).not.toContain("not-to-be-shown");
  const user = await bench.run(["import", "--from", "claude", "--user", "--json", "--yes"]);
  expect(JSON.parse(user.stdout)).toMatchObject({ found: ["~/.claude"], files: [], applied: false });
  const applied = await bench.run(["import", "--from", "claude", "--project", "--json", "--yes"]);
  expect(JSON.parse(applied.stdout)).toMatchObject({ found: [".claude"], applied: true });
});

test("an imported hook sees the names of its own agent, and runs once beside the file it came from", async () => {
  const command = `cat >> ${join(bench.directory, "seen.jsonl")}; echo >> ${join(bench.directory, "seen.jsonl")}`;
  write(".claude/settings.json", {
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command }] }] },
  });
  await bench.run(["import", "--from", "claude", "--yes"]);
  expect(JSON.parse(read("home/config.json")).hooks.PreToolUse[0].dialect).toBe("claude");
  const input = JSON.stringify({ tool_name: "bash", tool_input: { command: "ls" } });
  const { code } = await bench.run(["hooks", "run", "PreToolUse"], { input });
  expect(code).toBe(0);
  const seen = read("seen.jsonl")
    .trim()
    .split("\n")
    .filter((line) => line !== "");
  expect(seen.map((line) => JSON.parse(line).tool_name)).toEqual(["Bash"]);
});

test("imported skills and commands of three agents are those that count", async () => {
  write(".claude/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDFs\n---\nRead.\n");
  write(".claude/commands/git/fix.md", "Fix $ARGUMENTS\n");
  write(".gemini/commands/ship.toml", 'description = "Ship: now"\nprompt = "Ship {{args}}"\n');
  write(".config/opencode/opencode.json", { command: { check: { template: "Check", description: "a: b" } } });
  for (const agent of ["claude", "gemini", "opencode"]) await bench.run(["import", "--from", agent, "--yes"]);
  type Listed = {
    readonly name: string;
    readonly status: string;
    readonly source: string;
    readonly description: string;
  };
  const used = async (kind: string, ...names: readonly string[]) => {
    const listed: readonly Listed[] = JSON.parse((await bench.run([kind, "list", "--json"])).stdout);
    return names.map((name) => {
      const found = listed.find((each) => each.name === name && each.status === "used");
      return [name, found?.source, found?.description];
    });
  };
  expect(await used("skills", "pdf")).toEqual([["pdf", "native", "Reads PDFs"]]);
  expect(await used("commands", "git:fix", "ship", "check")).toEqual([
    ["git:fix", "native", "Fix $ARGUMENTS"],
    ["ship", "native", "Ship: now"],
    ["check", "native", "a: b"],
  ]);
});

test("what is missing or misplaced is said", async () => {
  const run = async (...argv: readonly string[]) => {
    const { code, stderr } = await bench.run(argv);
    return { code, stderr };
  };
  expect(await run("import")).toEqual({
    code: 2,
    stderr: "kedge: kedge import needs --from claude|opencode|codex|gemini|omp, or a session file.\n",
  });
  expect(await run("import", "--from", "codex")).toEqual({
    code: 1,
    stderr: "kedge: No Codex setup found in this project or your home directory.\n",
  });
  expect(await run("import", "--from", "3")).toEqual({
    code: 2,
    stderr: "kedge: kedge import --from needs the name of an agent.\n",
  });
  expect(await run("session", "replay", "--from", "claude")).toEqual({
    code: 2,
    stderr: "kedge: --from claude only works with kedge import.\n",
  });
  expect((await run("import", "missing.json")).stderr).toContain("kedge: Could not read missing.json.");
});

test("the doctor lists settings of other agents that kedge has nothing for", async () => {
  writeSetup();
  write(".codex/config.toml", "notify = [");
  const { stdout } = await bench.run(["doctor", "--json"]);
  const { findings } = JSON.parse(stdout);
  const others = findings.filter(({ name }: { readonly name: string }) => name === "claude" || name === "codex");
  expect(others).toEqual([
    {
      name: "claude",
      state: "warning",
      detail: "1 setting of Claude Code without an equivalent: .claude/settings.json: statusLine",
      advice: "For details, run kedge import --from claude --dry-run.",
    },
    {
      name: "codex",
      state: "warning",
      detail: "~/.codex/config.toml is not valid TOML at line 1: expected a value",
      advice: "Fix the file.",
    },
  ]);
});
