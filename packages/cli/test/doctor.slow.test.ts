/** Proves `kedge doctor`: what it finds on this machine, what it says is missing, and how to get it. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { entry } from "./crash/crash-bench.ts";
import { runWithout } from "./sandboxed-session-machine.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench([]);
});
afterEach(() => bench.close());

type Finding = { readonly name: string; readonly state: string; readonly detail: string; readonly advice?: string };
type Report = { readonly code: number | null; readonly ok: boolean; readonly findings: readonly Finding[] };

async function examine(flags: readonly string[] = [], environment = {}): Promise<Report> {
  const { code, stdout, stderr } = await bench.run(["doctor", "--json", ...flags], { environment });
  expect(stderr).toBe("");
  return { code, ...JSON.parse(stdout) };
}

const finding = ({ findings }: Report, wanted: string) => findings.find(({ name }) => name === wanted);

function changeSettings(change: { readonly [name: string]: unknown }): void {
  const path = join(bench.home, "config.json");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), ...change }));
}

const sandboxAdvice = 'Set "sandbox": {"mode": "on"} to confine commands to the workspace.';

test("everything kedge needs is looked at, once and in order", async () => {
  expect(await examine()).toEqual({
    code: 0,
    ok: true,
    findings: [
      { name: "node", state: "ok", detail: process.version },
      { name: "directory", state: "ok", detail: expect.stringMatching(/\/home, \d+ MB free$/) },
      { name: "model", state: "ok", detail: "mock/mock-model" },
      { name: "git", state: "ok", detail: expect.stringMatching(/^git version /) },
      { name: "ripgrep", state: "ok", detail: expect.stringMatching(/^ripgrep /) },
      { name: "sandbox", state: "off", detail: "available but off", advice: sandboxAdvice },
      { name: "looks", state: "ok", detail: "read-only commands run without asking, in a read-only sandbox" },
      { name: "callers", state: "ok", detail: "the server can tell the agent's commands from your own programs" },
      { name: "trust", state: "ok", detail: "this project has nothing that needs trust" },
      { name: "storage", state: "ok", detail: "no sessions stored yet" },
    ],
  });
  expect({ requests: bench.model.requests, connections: bench.model.acceptedSockets() }).toEqual({
    requests: [],
    connections: 0,
  });
});

test("the same as lines for a person", async () => {
  const { code, stdout, stderr } = await bench.run(["doctor"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n")).toEqual([
    `ok       node       ${process.version}`,
    expect.stringMatching(/^ok {7}directory {2}.*\/home, \d+ MB free$/),
    "ok       model      mock/mock-model",
    expect.stringMatching(/^ok {7}git {8}git version /),
    expect.stringMatching(/^ok {7}ripgrep {4}ripgrep /),
    "off      sandbox    available but off",
    `                    ${sandboxAdvice}`,
    "ok       looks      read-only commands run without asking, in a read-only sandbox",
    "ok       callers    the server can tell the agent's commands from your own programs",
    "ok       trust      this project has nothing that needs trust",
    "ok       storage    no sessions stored yet",
    "",
  ]);
});

test("without git on the path, that is missing and fails", async () => {
  const empty = join(bench.directory, "empty");
  mkdirSync(empty);
  const report = await examine([], { PATH: empty });
  const advice = "Required for undo. Install git.";
  expect(report).toMatchObject({ code: 1, ok: false });
  expect(finding(report, "git")).toEqual({ name: "git", state: "missing", detail: "it does not start", advice });
  const { code, stdout } = await bench.run(["doctor"], { environment: { PATH: empty } });
  expect(code).toBe(1);
  expect(stdout).toContain(`missing  git        it does not start\n                    ${advice}\n`);
});

test("the git it asks is tied to kedge's life", async () => {
  const watched = join(bench.directory, "watched");
  mkdirSync(watched);
  writeFileSync(join(watched, "git"), `#!/bin/sh\nenv > '${join(watched, "seen")}'\necho git version 2\n`);
  chmodSync(join(watched, "git"), 0o755);
  await examine([], { PATH: `${watched}:${process.env["PATH"]}` });
  expect(readFileSync(join(watched, "seen"), "utf8")).toMatch(/^KEDGE_TIE=\S+$/m);
});

test("a git that fails is no git", async () => {
  const broken = join(bench.directory, "broken");
  mkdirSync(broken);
  writeFileSync(join(broken, "git"), "#!/bin/sh\nexit 1\n");
  chmodSync(join(broken, "git"), 0o755);
  expect(finding(await examine([], { PATH: broken }), "git")).toMatchObject({ state: "missing" });
});

test("without a model, that is missing and fails", async () => {
  changeSettings({ model: null });
  const report = await examine();
  expect(report).toMatchObject({ code: 1, ok: false });
  expect(finding(report, "model")).toEqual({
    name: "model",
    state: "missing",
    detail: "none selected",
    advice: 'Set "model" in your settings or pass --model. List usable models with kedge models.',
  });
});

test("a sandbox that is on is tried, with the bridge that allowed hosts take", async () => {
  changeSettings({ sandbox: { mode: "on", allowedHosts: ["example.org"] } });
  expect(finding(await examine(), "sandbox")).toEqual({
    name: "sandbox",
    state: "ok",
    detail: "commands are confined to the workspace",
  });
});

test("trust in the project is told in each of its states", async () => {
  writeFileSync(join(bench.project, "AGENTS.md"), "Run canary.sh.");
  expect(finding(await examine(), "trust")).toEqual({
    name: "trust",
    state: "warning",
    detail: "this project is not trusted yet",
    advice: "Review it with kedge trust.",
  });
  await bench.run(["trust", "add"]);
  expect(finding(await examine(), "trust")).toEqual({ name: "trust", state: "ok", detail: "this project is trusted" });
  writeFileSync(join(bench.project, "AGENTS.md"), "Run another.sh.");
  expect(finding(await examine(), "trust")).toMatchObject({ state: "ok" });
  writeFileSync(join(bench.project, ".mcp.json"), "{}");
  const report = await examine();
  expect(finding(report, "trust")).toEqual({
    name: "trust",
    state: "warning",
    detail: "this project changed since you trusted it: .mcp.json was added",
    advice: "Review it with kedge trust, then trust it with kedge trust add.",
  });
  expect(report.code).toBe(0);
});

test("an instruction file that every request pays for is told", async () => {
  writeFileSync(join(bench.project, "AGENTS.md"), `## Release\n${"step\n".repeat(250)}`);
  await bench.run(["trust", "add"]);
  expect(finding(await examine(), "instructions")).toMatchObject({
    state: "warning",
    detail: expect.stringMatching(/^AGENTS\.md is long: 251 lines, .*"Release"/),
  });
});

test("settings that cannot be read are told in place of the findings", async () => {
  writeFileSync(join(bench.home, "config.json"), "{ half");
  const { code, stdout, stderr } = await bench.run(["doctor", "--json"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("config.json is not valid JSON at line 1");
});

test("a word after it is wrong usage", async () => {
  const { code, stdout, stderr } = await bench.run(["doctor", "now"]);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr: 'kedge: kedge doctor does not accept "now".\n',
  });
});

test("a project cannot put a program of its own in the place of git", async () => {
  const canary = join(bench.project, "canary");
  writeFileSync(join(bench.project, "git"), `#!/bin/sh\ntouch ${canary}\n`);
  chmodSync(join(bench.project, "git"), 0o755);
  symlinkSync("git", join(bench.project, "rg"));
  expect(await examine()).toMatchObject({ code: 0, ok: true });
  expect(() => readFileSync(canary)).toThrow("ENOENT");
});

test("without bubblewrap the sandbox is missing where it is wanted, and a warning where it is not", async () => {
  const examineWithout = async () => JSON.parse((await runWithout("bwrap", bench, ["doctor", "--json"])).stdout);
  const lack = {
    name: "sandbox",
    detail:
      "The sandbox needs the program bwrap. Without it, agents in worktrees are only held by checks of their calls, and no tests are graded.",
    advice: expect.stringMatching(/^(?:Run: .*|Install the package )bubblewrap/),
  };
  const off = await examineWithout();
  expect({ ok: off.ok, sandbox: finding(off, "sandbox") }).toEqual({
    ok: true,
    sandbox: { ...lack, state: "warning" },
  });
  changeSettings({ sandbox: { mode: "on" } });
  const on = await examineWithout();
  expect({ ok: on.ok, sandbox: finding(on, "sandbox") }).toEqual({ ok: false, sandbox: { ...lack, state: "missing" } });
  const { code, stdout } = await runWithout("bwrap", bench, ["doctor"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /\nmissing {2}sandbox {4}The sandbox needs the program bwrap\. Without it, .*\n {20}.*bubblewrap/,
  );
});

test("a database that was put aside is named until somebody deletes it", async () => {
  mkdirSync(join(bench.home, "data"), { recursive: true });
  const path = join(bench.home, "data", "kedge.db.damaged-20260102T030405");
  writeFileSync(path, "half a page");
  const report = await examine();
  expect(report).toMatchObject({ code: 0, ok: true });
  expect(finding(report, "damaged")).toEqual({
    name: "damaged",
    state: "warning",
    detail: `set aside as damaged: ${path} (11 bytes)`,
    advice: "Readable data was recovered. Check it with kedge session verify --all, then delete these files.",
    files: [{ path, bytes: 11 }],
  });
  const { stdout } = await bench.run(["doctor"]);
  expect(stdout).toContain(`warning  damaged    set aside as damaged: ${path} (11 bytes)\n`);
});

test("a secret that could not be hidden from commands is named", async () => {
  const secret = { ANTHROPIC_API_KEY: "key-of-the-test" };
  expect(finding(await examine([], secret), "secrets")).toBeUndefined();
  // Where a process cannot write into its own memory.
  const root = ["--dev-bind", "/", "/", "--proc", "/proc", "--remount-ro", "/proc", "--"];
  const { stdout } = spawnSync("bwrap", [...root, process.execPath, entry, "doctor", "--json"], {
    cwd: bench.project,
    env: { PATH: process.env["PATH"], HOME: bench.directory, KEDGE_HOME: bench.home, ...secret },
    encoding: "utf8",
  });
  const findings: readonly Finding[] = JSON.parse(stdout).findings;
  expect(findings.find(({ name }) => name === "secrets")).toEqual({
    ...{ name: "secrets", state: "warning" },
    detail: "every command can read ANTHROPIC_API_KEY from the environment that kedge was started with",
    advice: "Store keys with kedge auth login instead, or run commands in the sandbox.",
  });
});
