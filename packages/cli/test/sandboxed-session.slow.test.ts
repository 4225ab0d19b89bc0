/** Proves the sandbox around commands through the whole program: the real bubblewrap, a scripted model, no questions. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { runWithout } from "./sandboxed-session-machine.ts";
import { canaries, onlyKept, reachedIn } from "./secret-environment-canaries.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

// Commands have temporary files of their own, so what they shall see of the outside must not lie among those.
const place = join(import.meta.dirname, "../../../node_modules/.cache");
const usualPlace = process.env["TMPDIR"];
beforeAll(() => {
  mkdirSync(place, { recursive: true });
  process.env["TMPDIR"] = place;
});
afterAll(() => {
  if (usualPlace === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usualPlace;
});

let bench: Workbench | undefined;
let server: Server;
let address = "";
let requests = 0;

beforeEach(async () => {
  requests = 0;
  server = createServer((_, response) => {
    requests += 1;
    response.end("from outside");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

const systemCanary = "/usr/local/kedge-sandbox-canary";

afterEach(async () => {
  rmSync(systemCanary, { force: true });
  await bench?.close();
  bench = undefined;
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });
const bash = (command: string, more: object = {}): MockTurn =>
  call("bash", { command, description: "for the test", ...more });

type Settings = { readonly sandbox?: object; readonly permission?: object };

async function open(script: readonly MockTurn[], { sandbox = {}, permission = {} }: Settings = {}): Promise<Workbench> {
  bench = await openWorkbench([...script, { text: "Done." }], { sandbox: { mode: "on", ...sandbox }, permission });
  writeFileSync(join(bench.directory, "neighbour.txt"), "mine\n");
  writeFileSync(join(bench.home, "credentials.json"), '{"format":1,"keys":{}}', { mode: 0o600 });
  writeFileSync(join(bench.home, "tokens.json"), '{"format":1,"tokens":[]}', { mode: 0o600 });
  mkdirSync(join(bench.directory, "temporary"));
  return bench;
}

type Result = { readonly tool: string; readonly outcome: string; readonly output: string };

const resultsOf = (stdout: string): readonly Result[] =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "tool_result");

/** One call per turn, and what became of each. */
async function runCalls(opened: Workbench, environment = {}): Promise<readonly Result[]> {
  const TMPDIR = join(opened.directory, "temporary");
  const argv = ["-p", "go", "--output-format", "stream-json"];
  const { stdout, code } = await opened.run(argv, { environment: { TMPDIR, ...environment } });
  expect(code).toBe(0);
  return resultsOf(stdout);
}

/** Files alone: what stands in for protected names while a command runs is empty directories. */
const newFiles = ({ project }: Workbench) =>
  execFileSync("git", ["ls-files", "--others"], { cwd: project, encoding: "utf8" }).trim().split("\n");

const summary = (results: readonly Result[]) => results.map(({ tool, outcome }) => `${tool} ${outcome}`);
const text = (name: string) => readFileSync(join(bench?.project ?? "", name), "utf8");

test("what stays inside runs unasked, keeps its directory, ends with its code, and is taken back", async () => {
  const opened = await open([
    bash("echo one > made.txt && cat made.txt"),
    bash("mkdir -p sub && cd sub && pwd"),
    bash("pwd; exit 3"),
    bash("echo from the job > job.txt; echo over", { background: true }),
    call("job", { poll: ["job_1"] }),
    call("bash_output", { jobID: "job_1" }),
    bash("echo $$ > pid.txt; exec sleep 1000", { background: true }),
    bash("kill -9 $$"),
  ]);
  const results = await runCalls(opened);
  expect(summary(results)).toEqual([
    "bash completed",
    "bash completed",
    "bash completed",
    "bash completed",
    "job completed",
    "bash_output completed",
    "bash completed",
    "bash completed",
  ]);
  expect(results[0]?.output).toMatch(/^one\n/);
  expect(results[2]?.output).toMatch(/\/project\/sub\n[\s\S]*exited with code 3/);
  expect(results[4]?.output).toContain("over");
  expect(results[5]?.output).toContain("completed with exit code 0");
  expect(results[7]?.output).toMatch(/SIGKILL|137/);
  expect(text("sub/job.txt")).toBe("from the job\n");
  // Nothing of the sandbox outlives the session.
  expect(readdirSync(join(opened.directory, "temporary"))).toEqual([]);
  const { stdout } = await opened.run(["undo"]);
  expect(stdout).toContain("made.txt\n");
  expect(existsSync(join(opened.project, "made.txt"))).toBe(false);
});

test("what the rules let pass is refused by the system outside of the workspace", async () => {
  const neighbour = "touch ../neighbour.txt ../another.txt";
  const permission = { edit: "allow", external_directory: "allow", bash: { "touch *": "allow" } };
  const script = [
    bash(`touch ${systemCanary}`),
    bash(neighbour),
    bash("touch inside.txt"),
    bash("touch ../of-a-job.txt job.txt", { background: true }),
    call("job", { poll: ["job_1"] }),
  ];
  const opened = await open(script, { permission });
  const results = await runCalls(opened);
  expect(new Set(summary(results))).toEqual(new Set(["bash completed", "job completed"]));
  expect(results[0]?.output).toMatch(/Read-only file system|Permission denied/);
  expect(results[0]?.output).toContain("exited with code 1");
  expect(results[2]?.output).not.toContain("exited with code");
  const outside = [systemCanary, "another.txt", "of-a-job.txt"].map((name) => resolve(opened.directory, name));
  expect(outside.filter((path) => existsSync(path))).toEqual([]);
  expect(newFiles(opened)).toEqual(["inside.txt", "job.txt"]);
});

const attempts: readonly string[] = [
  "system file",
  "git hook",
  "git settings",
  "git directory",
  "kedge settings",
  "environment file",
  "workflow",
  "credentials",
  "tokens",
  "database",
  "network",
  "network without a proxy",
  "kedge's process",
  "mount",
];

/** Runs the script of all attempts in the workspace, unasked, and gives what it tells of each. */
async function attack(sandbox: object = {}): Promise<readonly string[]> {
  const opened = await open([bash(`sh attack.sh .. ../home http://${address}/`)], { sandbox });
  copyFileSync(join(import.meta.dirname, "sandboxed-session-attack.sh"), join(opened.project, "attack.sh"));
  const before = readFileSync(join(opened.project, ".git/config"), "utf8");
  const result = (await runCalls(opened)).find(({ tool }) => tool === "bash");
  expect(result?.outcome).toBe("completed");
  expect(text(".git/config")).toBe(before);
  expect(readFileSync(join(opened.directory, "neighbour.txt"), "utf8")).toBe("mine\n");
  expect(newFiles(opened)).toEqual(["attack.sh", "inside.txt"]);
  expect(readdirSync(join(opened.project, ".git/hooks"))).not.toContain("pre-commit");
  return (result?.output ?? "").split("\n").filter((line) => /: (?:DONE|held)$/.test(line));
}

test("a script that tries everything is held by the system in everything but its own work", async () => {
  const held = attempts.map((attempt) => `${attempt}: held`);
  expect(await attack()).toEqual([...held, "workspace: DONE"]);
  expect(requests).toBe(0);
});

test("an allowed host is reached through the proxy, and nothing else is opened by that", async () => {
  const told = attempts.map((attempt) => `${attempt}: ${attempt === "network" ? "DONE" : "held"}`);
  expect(await attack({ allowedHosts: [address] })).toEqual([...told, "workspace: DONE"]);
  expect(requests).toBe(1);
});

test("a host that is not on the list is refused by the proxy", async () => {
  const fetch = `curl --silent --show-error --fail --noproxy '' http://${address}/`;
  const opened = await open([bash(fetch)], {
    sandbox: { allowedHosts: ["127.0.0.1:1"] },
    permission: { bash: { [fetch]: "allow" } },
  });
  const results = await runCalls(opened);
  // Nobody can be asked in this run, so the question about the host is refused, and then the connection.
  expect(summary(results)).toEqual(["sandbox_network refused", "bash completed"]);
  expect(results[1]?.output).toMatch(/403[\s\S]*exited with code 22/);
  expect(requests).toBe(0);
});

test("no secret reaches a confined command, nor the first process of its sandbox", async () => {
  const opened = await open([bash("sh peek.sh")]);
  writeFileSync(join(opened.project, "peek.sh"), "env > inside.txt; cat /proc/[0-9]*/environ > processes.txt\n");
  await runCalls(opened, canaries);
  expect(reachedIn(join(opened.project, "inside.txt"))).toEqual(onlyKept);
  expect(reachedIn(join(opened.project, "processes.txt"))).toEqual(onlyKept);
});

test("with autoAllow off the sandbox answers no question", async () => {
  const opened = await open([bash("touch inside.txt")], { sandbox: { autoAllow: false } });
  expect(summary(await runCalls(opened))).toEqual(["bash refused"]);
  expect(existsSync(join(opened.project, "inside.txt"))).toBe(false);
});

test("what a rule forbids stays forbidden, and what cannot be taken back is still asked about", async () => {
  const opened = await open([bash("touch inside.txt"), bash("git push --force")], {
    permission: { bash: { "touch *": "deny" } },
  });
  expect(summary(await runCalls(opened))).toEqual(["bash refused", "bash refused"]);
});

test("on the console commands run unasked, and the user's own line is not confined", async () => {
  const opened = await open([bash("touch inside.txt; touch ../outside.txt || echo held")], {
    permission: { external_directory: "allow", edit: "allow", bash: { "touch *": "allow", "echo *": "allow" } },
  });
  const { code, stdout } = await opened.run(["--console"], { input: "go on\n!touch ../line.txt\n" });
  expect(code).toBe(0);
  expect(stdout).not.toContain("[y] once");
  const made = ["project/inside.txt", "outside.txt", "line.txt"].map((name) =>
    existsSync(join(opened.directory, name)),
  );
  expect(made).toEqual([true, false, true]);
});

test("a bubblewrap of somebody else on the path is not used", async () => {
  const opened = await open([bash(": > inside.txt")]);
  const fake = join(opened.directory, "fake");
  mkdirSync(fake);
  writeFileSync(join(fake, "bwrap"), `#!/bin/sh\ntouch ${opened.directory}/canary\n`);
  chmodSync(join(fake, "bwrap"), 0o755);
  expect(summary(await runCalls(opened, { PATH: fake }))).toEqual(["bash completed"]);
  expect(existsSync(join(opened.project, "inside.txt"))).toBe(true);
  expect(existsSync(join(opened.directory, "canary"))).toBe(false);
});

test.each<["bwrap" | "socat", string, string]>([
  ["bwrap", "The sandbox needs the program bwrap.", "bubblewrap"],
  ["socat", "The sandbox needs the program socat, which connects to the allowed hosts.", "socat"],
])(
  "without %s commands are refused with what to install, and never run unconfined",
  async (program, sentence, name) => {
    const opened = await open([bash("touch front.txt"), bash("touch job.txt", { background: true })], {
      sandbox: { allowedHosts: [address] },
      permission: { bash: "allow", edit: "allow" },
    });
    const { code, stdout } = await runWithout(program, opened, ["-p", "go", "--output-format", "stream-json"]);
    expect(code).toBe(0);
    const results = resultsOf(stdout);
    expect(summary(results)).toEqual(["bash failed", "bash failed"]);
    for (const { output } of results) {
      expect(output).toContain(sentence);
      expect(output).toMatch(new RegExp(`(?:Run: .*|Install the package )${name}`));
    }
    expect(readdirSync(opened.project)).toEqual([".git"]);
  },
);
