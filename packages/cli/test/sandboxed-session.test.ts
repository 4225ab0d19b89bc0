/** Proves the sandbox around commands through the whole program: the real bubblewrap, a scripted model, no questions. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { canaries, onlyKept, reached } from "./secret-environment-canaries.ts";
import { ended, openWorkbench, type Workbench } from "./workbench.ts";

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
  expect(results[5]?.output).toContain("over");
  expect(results[7]?.output).toMatch(/SIGKILL|137/);
  expect(text("sub/job.txt")).toBe("from the job\n");
  // Nothing of the sandbox outlives the session.
  expect(readdirSync(join(opened.directory, "temporary"))).toEqual([]);
  const { stdout } = await opened.run(["undo"]);
  expect(stdout).toContain("made.txt\n");
  expect(existsSync(join(opened.project, "made.txt"))).toBe(false);
  expect(existsSync(join(opened.project, "sub/job.txt"))).toBe(false);
});

test("what the rules let pass is refused by the system outside of the workspace", async () => {
  const neighbour = "touch ../neighbour.txt ../another.txt";
  const permission = { edit: "allow", external_directory: "allow", bash: { "touch *": "allow" } };
  const opened = await open([bash(`touch ${systemCanary}`), bash(neighbour), bash("touch inside.txt")], { permission });
  const results = await runCalls(opened);
  expect(summary(results)).toEqual(["bash completed", "bash completed", "bash completed"]);
  expect(results[0]?.output).toMatch(/Read-only file system|Permission denied/);
  expect(results[0]?.output).toContain("exited with code 1");
  expect(results[2]?.output).not.toContain("exited with code");
  expect([systemCanary, join(opened.directory, "another.txt")].map((path) => existsSync(path))).toEqual([false, false]);
  expect(existsSync(join(opened.project, "inside.txt"))).toBe(true);
});

/** Runs the script of attempts in the workspace. */
async function attack(settings: Settings = {}): Promise<readonly string[]> {
  const probe = await open([], settings);
  await probe.close();
  const opened = await open(
    (() => {
      const words = () => `sh attack.sh ${bench?.directory} ${bench?.home} http://${address}/`;
      return [{ get toolCalls() { return [{ name: "bash", input: { command: words(), description: "x" } }]; } }];
    })(),
    settings,
  );
  copyFileSync(join(import.meta.dirname, "sandboxed-session-attack.sh"), join(opened.project, "attack.sh"));
  const [result] = await runCalls(opened);
  return (result?.output ?? "").split("\n").filter((line) => line.includes(": "));
}

test("a script that tries everything is held by the system in everything but its own work", async () => {
  const lines = await attack();
  expect(lines).toEqual([]);
});
