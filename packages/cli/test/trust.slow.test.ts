/** Proves who is asked for trust in a project, what the answer does, and what ends it, in the whole program. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.close();
  await bench?.close();
  terminal = undefined;
  bench = undefined;
});

/** Only a rule of the project allows it. */
const command = "touch made";
const turn: MockTurn = { toolCalls: [{ name: "bash", input: { command, description: "for the test" } }] };
const settings = JSON.stringify({ permission: { bash: { [command]: "allow" } } });

async function openProject(turns = 1): Promise<Workbench> {
  bench = await openWorkbench(Array.from({ length: turns }, () => [turn, { text: "Done." }]).flat());
  bringSettings(bench.project);
  return bench;
}

function bringSettings(directory: string): void {
  mkdirSync(join(directory, ".kedge"), { recursive: true });
  writeFileSync(join(directory, ".kedge", "config.json"), settings);
}

const isMade = ({ project }: Workbench) => existsSync(join(project, "made"));

async function trustOf(opened: Workbench, cwd = opened.project) {
  const { code, stdout } = await opened.run(["trust", "--json"], { cwd });
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

const notTrustedYet = "kedge: This project's allow rules are ignored: it is not trusted. Review with kedge trust.\n";

test("what a project brings is shown, and adding and removing change the answer", async () => {
  const opened = await openProject();
  const { project, run, home } = opened;
  writeFileSync(join(project, ".mcp.json"), JSON.stringify({ mcpServers: { files: { command: "./canary.sh" } } }));
  writeFileSync(join(project, "AGENTS.md"), "Run canary.sh.");
  const inputs = [
    "  .kedge/config.json (settings: permission bash)",
    "  .mcp.json (MCP servers: mcpServers files)",
    "  AGENTS.md (instructions)",
  ];
  const shown = (state: string, lines = inputs) => `${[`${project} ${state}.`, ...lines].join("\n")}\n`;
  const ended = (stdout: string) => ({ code: 0, stdout, stderr: "" });
  expect(await run(["trust"])).toEqual(ended(shown("is not trusted yet")));
  expect(await run(["trust", "add"])).toEqual(ended(shown("is trusted")));
  expect(await run(["trust"])).toEqual(ended(shown("is trusted")));
  expect(statSync(join(home, "trust.json")).mode & 0o777).toBe(0o600);

  // A text may change: it was trusted to instruct.
  writeFileSync(join(project, "AGENTS.md"), "Run another.sh.");
  expect(await run(["trust"])).toEqual(ended(shown("is trusted")));
  writeFileSync(join(project, ".envrc"), "");
  rmSync(join(project, ".mcp.json"));
  const changed = [
    ...[inputs[0] ?? "", "  .envrc (environment, added since)", inputs[2] ?? ""],
    "  .mcp.json (removed since)",
  ];
  const state = "is not trusted: its files changed since you trusted it";
  expect(await run(["trust"])).toEqual(ended(shown(state, changed)));
  expect(await run(["trust", "add"])).toMatchObject({ code: 0 });
  expect(await run(["trust", "remove"])).toEqual(
    ended(shown("is not trusted yet", [inputs[0] ?? "", "  .envrc (environment)", inputs[2] ?? ""])),
  );
});

test("the same as one JSON object", async () => {
  const opened = await openProject();
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  const inputs = [{ name: ".kedge/config.json", kind: "settings", hash }];
  const root = opened.project;
  expect(await trustOf(opened)).toEqual({ root, state: "unknown", inputs, changes: [] });
  expect(JSON.parse((await opened.run(["trust", "add", "--json"])).stdout)).toEqual({ root, state: "trusted", inputs });
  bringSettings(join(root, "sub"));
  expect(await trustOf(opened, join(root, "sub"))).toEqual({ root, state: "trusted", inputs });
  rmSync(join(root, ".kedge"), { recursive: true });
  expect(await trustOf(opened)).toEqual({ root, state: "nothing" });
});

test("headless, without an answer only asking and denying counts, in one line", async () => {
  const opened = await openProject();
  expect(await opened.run(["-p", "go", "--fail-on-deny"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(notTrustedYet),
  });
  expect(isMade(opened)).toBe(false);
  expect((await trustOf(opened)).state).toBe("unknown");
});

test("a recorded yes takes effect after a restart on, until anything changes", async () => {
  const opened = await openProject(2);
  await opened.run(["trust", "add"]);
  expect(await opened.run(["-p", "go", "--fail-on-deny"])).toEqual({ code: 0, stdout: "Done.\n", stderr: "" });
  expect(isMade(opened)).toBe(true);

  rmSync(join(opened.project, "made"));
  mkdirSync(join(opened.project, ".kedge", "hooks"));
  writeFileSync(join(opened.project, ".kedge", "hooks", "start.sh"), "touch canary");
  const changed = notTrustedYet.replace("it is not trusted", "its settings changed since you trusted it");
  expect(await opened.run(["-p", "go", "--fail-on-deny"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(changed),
  });
  expect(isMade(opened)).toBe(false);
});

test("--trust trusts what is there now, and remembers it", async () => {
  const opened = await openProject();
  expect(await opened.run(["-p", "go", "--trust"])).toEqual({ code: 0, stdout: "Done.\n", stderr: "" });
  expect(isMade(opened)).toBe(true);
  expect((await trustOf(opened)).state).toBe("trusted");
});

const question = "Trust this project? [y/N] ";

/** Starts the console and answers its question. */
async function answer(opened: Workbench, ...keys: readonly string[]): Promise<Terminal> {
  terminal = openTerminal(opened, ["--console", "go on"], { environment: { KEDGE_CATALOGUE_URL: "off" } });
  const screen = await terminal.shows(question);
  expect(screen).toContain(`These files in ${opened.project} can instruct kedge or run code:`);
  expect(screen).toContain("  .kedge/config.json (settings: permission bash)");
  for (const key of keys) terminal.press(key);
  return terminal;
}

async function leave(opened: Terminal): Promise<number> {
  opened.type("/exit");
  opened.press("Enter");
  return opened.ended();
}

test("a yes on the console is remembered, and the project's rules count at once", async () => {
  const opened = await openProject();
  const shown = await answer(opened, "y", "Enter");
  await shown.shows("Done.");
  expect(await leave(shown)).toBe(0);
  expect(isMade(opened)).toBe(true);
  expect((await trustOf(opened)).state).toBe("trusted");
});

test.each([["n"], ["Enter"], ["x"]])("%s is a no, which is remembered and not asked about again", async (key) => {
  const opened = await openProject(2);
  const shown = await answer(opened, ...(key === "Enter" ? [key] : [key, "Enter"]));
  await shown.shows("? Run this command?");
  shown.type("n");
  shown.press("Enter");
  await shown.shows("(interrupted)");
  expect(await leave(shown)).toBe(0);
  await shown.close();
  expect((await trustOf(opened)).state).toBe("refused");
  const again = await opened.run(["-p", "go"]);
  expect(again).toMatchObject({ code: 0, stderr: expect.not.stringContaining("trust") });
  expect(isMade(opened)).toBe(false);
});

test.each(["C-c", "C-d"])("%s is no answer: untrusted now, asked again at the next start", async (key) => {
  const opened = await openProject(2);
  const shown = await answer(opened, key);
  await shown.shows("? Run this command?");
  expect(shown.written()).toContain("allow rules are ignored: it is not trusted");
  await shown.close();
  expect(isMade(opened)).toBe(false);
  expect((await trustOf(opened)).state).toBe("unknown");
  rmSync(join(opened.directory, "tmux"), { force: true });
  await answer(opened);
});

test("what changed is named when the question comes again", async () => {
  const opened = await openProject();
  await opened.run(["trust", "add"]);
  writeFileSync(join(opened.project, ".envrc"), "export PATH=.");
  terminal = openTerminal(opened, ["--console"], { environment: { KEDGE_CATALOGUE_URL: "off" } });
  const screen = await terminal.shows(question);
  expect(screen).toContain(`These files in ${opened.project} changed since you trusted the project:`);
  expect(screen).toContain("  added .envrc (environment)");
  expect(screen).not.toContain(".kedge/config.json");
});

test("trust in a directory covers the projects below it, each as it was found", async () => {
  const opened = await openProject();
  const code = join(opened.directory, "code");
  const project = join(code, "deep", "project");
  mkdirSync(project, { recursive: true });
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  bringSettings(project);
  expect((await trustOf(opened, project)).state).toBe("unknown");
  expect(await opened.run(["trust", "add"], { cwd: code })).toMatchObject({ code: 0 });
  expect((await trustOf(opened, project)).state).toBe("trusted");
  expect((await trustOf(opened)).state).toBe("unknown");
  writeFileSync(join(project, "kedge.json"), "{}");
  expect(await trustOf(opened, project)).toMatchObject({
    state: "unknown",
    changes: [{ name: "kedge.json", change: "added" }],
  });
});

test("neither the home nor the root of the disk is trusted as a whole", async () => {
  const opened = await openProject();
  bringSettings(opened.directory);
  const sentence = `${opened.directory} cannot be trusted as a whole. Trust the projects in it one by one.`;
  expect(await opened.run(["trust", "add"], { cwd: opened.directory })).toEqual({
    code: 1,
    stdout: "",
    stderr: `kedge: ${sentence}\n`,
  });
  const flag = await opened.run(["-p", "go", "--trust"], { cwd: opened.directory });
  expect(flag).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
  expect(await opened.run(["trust", "add"], { cwd: "/" })).toMatchObject({ code: 1, stdout: "" });
  expect(opened.model.requests).toEqual([]);
  expect(existsSync(join(opened.home, "trust.json"))).toBe(false);
});

test("answers that cannot be read trust nobody, and are not replaced", async () => {
  const opened = await openProject();
  const path = join(opened.home, "trust.json");
  writeFileSync(path, "{ half");
  for (const words of [["trust"], ["trust", "add"], ["-p", "go"]]) {
    const { code, stderr } = await opened.run(words);
    expect(code).toBe(1);
    expect(stderr).toContain(`Cannot use the trust file ${path}: it is not valid JSON.`);
  }
  expect(readFileSync(path, "utf8")).toBe("{ half");
  expect(opened.model.requests).toEqual([]);
});

test.each([[["give"]], [["add", "now"]]])("kedge trust %j is wrong usage", async (words) => {
  const opened = await openProject();
  const { code, stdout, stderr } = await opened.run(["trust", ...words]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("kedge: Usage: kedge trust [show|add|remove], in the project directory.");
  expect((await trustOf(opened)).state).toBe("unknown");
});
