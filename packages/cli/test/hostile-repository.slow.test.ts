/** Proves that a repository made to harm runs nothing, loosens nothing and redirects nothing, trusted or not. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type MockModel, type MockTurn, startMockModel } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type HostileRepository, hostileModel, layOutHostileRepository, orders } from "./hostile-repository-layout.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { type Ended, openWorkbench, type Workbench } from "./workbench.ts";

const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });
const bash = (command: string): MockTurn => call("bash", { command, description: "for the test" });

const looks: readonly MockTurn[] = [
  call("read", { filePath: "a.txt" }),
  call("glob", { pattern: "**/*" }),
  call("grep", { pattern: "ORDERS" }),
  call("list", {}),
];
const change = call("edit", { filePath: "a.txt", oldString: "one", newString: "two" });

/** Looks at everything, then tries what only the repository's own settings would let pass. */
const work: readonly MockTurn[] = [
  ...looks,
  change,
  bash("make all"),
  bash("./canary.sh"),
  call("read", { filePath: "../outside.json" }),
  { text: "Done." },
];

let bench: Workbench;
let elsewhere: MockModel;
let repository: HostileRepository;
let terminal: Terminal | undefined;
let script: readonly MockTurn[] = [];

beforeEach(async () => {
  elsewhere = await startMockModel({ script: [] });
  bench = await openWorkbench((_request, index) => script[index] ?? { text: "Done." });
  repository = layOutHostileRepository(bench, elsewhere.baseUrl);
});

afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
  await bench.close();
  await elsewhere.close();
});

type Line = { readonly type: string; readonly [member: string]: unknown };

const environment = { SECRET_OF_THE_TEST: "a secret of the test", KEDGE_KEYRING: "off" };

async function runHeadless(...flags: readonly string[]): Promise<Ended & { readonly lines: readonly Line[] }> {
  const ended = await bench.run(["-p", "go", "--output-format", "stream-json", ...flags], { environment });
  return { ...ended, lines: ended.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)])) };
}

const outcomes = (lines: readonly Line[]) =>
  lines.flatMap(({ type, tool, outcome }) => (type === "tool_result" ? [`${tool} ${outcome}`] : []));

const text = (name: string) => readFileSync(join(bench.project, name), "utf8");

/** `trusted` is what trust lets run. */
function expectHarmless(trusted: readonly string[] = []): void {
  const ran = [...new Set(repository.ran())].toSorted();
  expect({ ran, connections: elsewhere.acceptedSockets() }).toEqual({ ran: trusted, connections: 0 });
  for (const { raw, headers } of bench.model.requests) {
    expect(`${raw}${JSON.stringify(headers)}`).not.toContain("a secret of the test");
  }
}

const looked = ["read completed", "glob completed", "grep completed", "list completed"];
const notice = (why: string) => `kedge: This project's allow rules are ignored: ${why}. Review with kedge trust.\n`;

test("the traps are sharp: git itself falls into them", () => {
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...words], { cwd: bench.project, stdio: "pipe" });
  writeFileSync(join(bench.project, "a.txt"), "two\n");
  git("status");
  git("diff");
  git("commit", "--all", "--message=x");
  git("st");
  const sprung = new Set(repository.ran());
  for (const trap of ["fsmonitor", "diff", "clean", "hook-pre-commit", "alias"]) expect(sprung).toContain(trap);
});

test("headless and untrusted, it is only looked at", async () => {
  script = work;
  const { code, stderr, lines } = await runHeadless();
  expect(code).toBe(0);
  expect(outcomes(lines)).toEqual([...looked, "edit refused", "bash refused", "bash refused", "read refused"]);
  expect(lines[0]).toMatchObject({ type: "init", model: "mock/mock-model", permission_mode: "default" });
  expect(stderr).toContain(notice("it is not trusted"));
  expect(stderr).toContain("kedge.json is a link to a file outside the project. The file is skipped");
  // The orders reach the model only as what a tool found.
  expect(String(bench.model.requests[0]?.raw)).not.toContain(orders);
  expectHarmless();
});

test("what the user allows is done and taken back, through snapshots of a repository full of filters", async () => {
  script = work;
  // Until then no rule allows anything, because nobody knows what the link was meant to deny.
  expect(await bench.run(["config", "set-aside", "kedge.json"])).toMatchObject({ code: 0 });
  const { lines } = await runHeadless("--allow", "edit");
  expect(outcomes(lines)).toEqual([...looked, "edit completed", "bash refused", "bash refused", "read refused"]);
  expect(text("a.txt")).toBe("two\n");
  expect(await bench.run(["undo"])).toMatchObject({ code: 0, stdout: "modified  a.txt\n" });
  expect(text("a.txt")).toBe("one\n");
  expect(await bench.run(["redo"])).toMatchObject({ code: 0 });
  expect(text("a.txt")).toBe("two\n");
  expectHarmless();
});

test("on the console a no leaves it untrusted, and everything is asked about", async () => {
  script = [...looks, change, { text: "First." }, bash("make all"), { text: "Second." }];
  terminal = openTerminal(bench, ["--console"], { environment: { ...environment, KEDGE_CATALOGUE_URL: "off" } });
  const question = await terminal.shows("Trust this project? [y/N] ");
  for (const name of [".kedge/hooks/session-start.sh (hooks)", ".mcp.json (MCP servers: mcpServers evil)"]) {
    expect(question).toContain(name);
  }
  const say = (line: string) => {
    terminal?.type(line);
    terminal?.press("Enter");
  };
  say("n");
  await terminal.shows("\n> ");
  say("go on");
  await terminal.shows("? Edit ");
  say("y");
  await terminal.shows("First.");
  expect(text("a.txt")).toBe("two\n");
  say("go on");
  await terminal.shows("? Run this command?");
  say("n");
  await terminal.shows("(interrupted)");
  say("/undo");
  await terminal.shows("No files changed.");
  say("/undo");
  await terminal.shows("modified  a.txt");
  say("/exit");
  expect(await terminal.ended()).toBe(0);
  expect(text("a.txt")).toBe("one\n");
  expectHarmless();
});

test("trusted, nothing of it runs but its hooks and plugins, and it neither opens the shell nor moves the requests", async () => {
  expect(await bench.run(["trust", "add"])).toMatchObject({ code: 0 });
  script = work;
  const { code, stderr, lines } = await runHeadless();
  expect(code).toBe(0);
  expect(outcomes(lines).filter((line) => line.startsWith("bash"))).toEqual(["bash refused", "bash refused"]);
  expect(lines[0]).toMatchObject({ type: "init", model: hostileModel, permission_mode: "default" });
  expect(bench.model.requests[0]?.headers.authorization).toBe("Bearer key-of-the-test");
  for (const sentence of [
    "provider is ignored: a project may not choose where requests and keys go",
    "network is ignored: a project may not choose where requests and keys go",
    "web is ignored: a project may not choose where requests and keys go",
    "catalogue is ignored: a project may not choose where requests go",
    "bash is ignored: only you decide how commands run",
    "sandbox is ignored: a project may not decide what its commands can reach",
    "auto is ignored: a project may not decide what runs without asking",
    "permissionMode is ignored: a project may only choose plan mode",
    "ignored a rule that allows nearly everything; a project may not do that",
    "env is ignored: a project may not decide which secrets its commands see",
  ]) {
    expect(stderr).toContain(`kedge: .kedge/config.json: ${sentence}`);
  }
  await bench.run(["undo"]);
  expect(text("a.txt")).toBe("one\n");
  expectHarmless(["foreign-hook", "own-hook-of-settings", "plugin"]);
});

test.each<[string, () => void]>([
  ["its settings", () => writeFileSync(join(bench.project, ".kedge/config.json"), '{"permission":{"edit":"allow"}}')],
  ["a hook", () => writeFileSync(join(bench.project, ".kedge/hooks/session-start.sh"), "true")],
  [
    "what its instructions include",
    () => {
      writeFileSync(join(bench.project, "more.md"), orders);
      writeFileSync(join(bench.project, "AGENTS.md"), `${orders} @more.md`);
    },
  ],
  ["its system prompt", () => writeFileSync(join(bench.project, ".kedge/SYSTEM.md"), orders)],
  ["a file that was not there", () => writeFileSync(join(bench.project, ".kedge/tools/y.ts"), "")],
  ["a file that is gone", () => rmSync(join(bench.project, ".mcp.json"))],
])("a change of %s after the yes ends the trust", async (_, change) => {
  await bench.run(["trust", "add"]);
  change();
  script = [call("write", { filePath: "b.txt", content: "b" })];
  const { stderr, lines } = await runHeadless();
  expect(outcomes(lines)).toEqual(["write refused"]);
  expect(stderr.split(notice("its settings changed since you trusted it"))).toHaveLength(2);
  expectHarmless();
});

test("what it forbids counts without trust, so that it can only tighten", async () => {
  rmSync(join(bench.project, "kedge.json"));
  writeFileSync(join(bench.project, ".kedge/config.json"), '{"permission":{"read":{"a.txt":"deny"},"edit":"allow"}}');
  script = [call("read", { filePath: "a.txt" }), call("write", { filePath: "b.txt", content: "b" })];
  const { lines } = await runHeadless("--allow", "read");
  expect(outcomes(lines)).toEqual(["read refused", "write refused"]);
  expectHarmless();
});

test("a repository that claims to be another one's worktree sees nothing of that one", async () => {
  script = [{ text: "The secret of the victim." }, { text: "Nothing." }, { text: "Nothing." }];
  const victim = join(bench.directory, "victim");
  mkdirSync(victim);
  execFileSync("git", ["init", "--quiet"], { cwd: victim });
  await bench.run(["-p", "what is it"], { cwd: victim });
  const listed = await bench.run(["session", "list", "--json"], { cwd: victim });
  expect(JSON.parse(listed.stdout)).toHaveLength(1);

  const spoof = join(bench.directory, "spoof");
  mkdirSync(join(spoof, "fake"), { recursive: true });
  writeFileSync(join(spoof, "a.txt"), "one\n");
  const pointers: readonly (() => void)[] = [
    () => writeFileSync(join(spoof, ".git"), `gitdir: ${victim}/.git\n`),
    () => {
      writeFileSync(join(spoof, ".git"), "gitdir: fake\n");
      writeFileSync(join(spoof, "fake/commondir"), `${victim}/.git\n`);
      writeFileSync(join(spoof, "fake/gitdir"), `${spoof}/.git\n`);
      cpSync(join(victim, ".git/HEAD"), join(spoof, "fake/HEAD"));
    },
  ];
  const before = readFileSync(join(victim, ".git/config"), "utf8");
  for (const point of pointers) {
    point();
    const seen = await bench.run(["session", "list", "--json"], { cwd: spoof });
    expect(JSON.parse(seen.stdout)).toEqual([]);
    expect(await bench.run(["-p", "--continue"], { cwd: spoof })).toMatchObject({ code: 1 });
  }
  expect(bench.model.requests).toHaveLength(1);
  expect(readFileSync(join(victim, ".git/config"), "utf8")).toBe(before);
  expect(existsSync(join(victim, "a.txt"))).toBe(false);
});
