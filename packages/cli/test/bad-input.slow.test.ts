/** Proves that what a user gets wrong ends in one clear sentence and the right exit code, never in a stack trace. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench([{ text: "ok" }]);
});
afterEach(() => bench.close());

function configure(settings: unknown): void {
  writeFileSync(join(bench.home, "config.json"), typeof settings === "string" ? settings : JSON.stringify(settings));
}

test("wrong usage exits 2 and suggests what was meant", async () => {
  expect(await bench.run(["-p", "x", "--modle", "a/b"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "kedge: Unknown flag --modle. Did you mean --model?\n",
  });
  expect(await bench.run(["dmo"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "kedge: Unknown command dmo. Did you mean demo? To send it as a prompt, put it after --.\n",
  });
  expect(await bench.run(["-p"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "kedge: No prompt. Pass it after -p or pipe it to standard input.\n",
  });
});

test("no model configured", async () => {
  configure({});
  expect(await bench.run(["-p", "hi"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "kedge: No model configured. Pass --model provider/model, run kedge to set one up, or try kedge demo.\n",
  });
  const welcome = await bench.run([]);
  expect(welcome.code).toBe(1);
  expect(welcome.stdout).toContain(join(bench.home, "config.json"));
  expect(welcome.stdout).toContain("kedge demo");
});

test("an unknown model", async () => {
  const { code, stdout, stderr } = await bench.run(["-p", "hi", "--model", "nobody/model"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^kedge: Unknown provider "nobody"; configured: mock\. .+\n$/);
});

test("a server that cannot be reached ends json with one result", async () => {
  const provider = { mock: { api: "openai-chat", baseURL: "http://127.0.0.1:1/v1" } };
  configure({ model: "mock/m", provider });
  const { code, stdout, stderr } = await bench.run(["-p", "hi", "--output-format", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    type: "result",
    subtype: "error_during_execution",
    error: { code: "connection_error" },
  });
  expect(code).toBe(1);
  const lines = stderr.trimEnd().split("\n");
  expect(lines.slice(0, -1).every((line) => /Cannot reach .*Retrying in 1 s \(attempt [23] of 3\)\.$/.test(line))).toBe(
    true,
  );
  expect(lines).toHaveLength(3);
});

test("broken configuration", async () => {
  configure({ provider: { mock: { baseURL: 12 } } });
  expect(await bench.run(["-p", "hi"])).toEqual({
    code: 1,
    stdout: "",
    stderr: `kedge: ~/home/config.json: provider.mock.baseURL must be a URL, got 12.\n`,
  });
  configure('{ "model": "a/b",\n  "provider" }');
  expect((await bench.run(["-p", "hi"])).stderr).toBe(
    "kedge: ~/home/config.json is not valid JSON at line 2, column 14.\n",
  );
  expect((await bench.run(["-p", "hi", "--settings", "absent.json"])).stderr).toMatch(/config\.json is not valid JSON/);
});

test("a settings file that does not exist", async () => {
  expect(await bench.run(["-p", "hi", "--settings", "absent.json"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "kedge: absent.json cannot be read (part of the path does not exist).\n",
  });
});

test("a home that cannot be written", async () => {
  writeFileSync(join(bench.directory, "file"), "");
  const home = join(bench.directory, "file", "home");
  expect(await bench.run(["-p", "hi"], { environment: { KEDGE_HOME: home } })).toEqual({
    code: 1,
    stdout: "",
    stderr: `kedge: Cannot write to the kedge directory ${home} (part of the path is not a directory). Make it writable, or set KEDGE_HOME to a directory that is.\n`,
  });
});

test("a machine without git still answers, and the demo says what it needs", async () => {
  const empty = join(bench.directory, "empty");
  mkdirSync(empty);
  expect(await bench.run(["-p", "hi"], { environment: { PATH: empty } })).toEqual({
    code: 0,
    stdout: "ok\n",
    stderr: "",
  });
  expect(await bench.run(["demo"], { environment: { PATH: empty } })).toEqual({
    code: 1,
    stdout: "",
    stderr: "kedge: The demo needs git. Install it and try again.\n",
  });
});

test("more piped input than is taken", async () => {
  const { code, stderr } = await bench.run(["-p", "hi"], { input: "x".repeat(10 * 1024 * 1024 + 1) });
  expect({ code, stderr }).toEqual({ code: 2, stderr: "kedge: The piped input is larger than 10 MB.\n" });
});

test("a session that does not exist", async () => {
  expect(await bench.run(["-p", "hi", "--resume", "nothing"])).toEqual({
    code: 1,
    stdout: "",
    stderr: 'kedge: No session matches "nothing". List sessions with kedge session list.\n',
  });
  expect((await bench.run(["-p", "hi", "--continue"])).code).toBe(1);
});
