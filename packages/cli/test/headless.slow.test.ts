/** Proves the headless formats, exit codes and permissions with the real program against a mock model. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockScript, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { appeared, ended, openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;

async function open(script: MockScript, settings: { readonly [name: string]: unknown } = {}): Promise<Workbench> {
  bench = await openWorkbench(script, settings);
  return bench;
}

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const bash = (command: string): MockTurn => ({
  toolCalls: [{ name: "bash", input: { command, description: "for the test" } }],
});

type Line = { readonly [key: string]: unknown };
const linesOf = (text: string): readonly Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("text prints the answer and nothing else", async () => {
  const { run, model } = await open([{ text: "Hello there." }]);
  expect(await run(["-p", "hi"])).toEqual({ code: 0, stdout: "Hello there.\n", stderr: "" });
  expect(model.requests[0]?.headers.authorization).toBe("Bearer key-of-the-test");
});

test("piped input is added to the prompt, and is the prompt when there is no other", async () => {
  const { run, model } = await open([{ text: "one" }, { text: "two" }]);
  await run(["-p", "sum up"], { input: "a long text" });
  await run(["run"], { input: "only this" });
  const prompts = model.requests.map(({ body }) => body.messages?.findLast(({ role }) => role === "user")?.content);
  expect(prompts).toEqual(["sum up\n\na long text", "only this"]);
});

test("json prints one result object", async () => {
  const { run } = await open([{ text: "Done.", usage: { input: 100, output: 20 } }]);
  const { code, stdout } = await run(["-p", "hi", "--output-format", "json"]);
  const result = JSON.parse(stdout);
  const usage = {
    input_tokens: 100,
    output_tokens: 20,
    reasoning_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
  };
  expect(result).toEqual({
    type: "result",
    subtype: "success",
    is_error: false,
    sessionId: expect.stringMatching(/^ses_/),
    result: "Done.",
    num_turns: 1,
    duration_ms: expect.any(Number),
    total_cost_usd: expect.any(Number),
    cost_estimated: true,
    usage,
    model_usage: { "mock/mock-model": usage },
    permission_denials: [],
    transitions: [],
    stop_reason: "end",
  });
  expect(code).toBe(0);
});

test("stream-json gives init, twenty tool turns in order, and one result at the end", async () => {
  const turns = 20;
  const { run, project } = await open((_, turn) =>
    turn < turns
      ? { toolCalls: [{ id: `call_${turn}`, name: "read", input: { filePath: `note-${turn}.txt` } }] }
      : { text: "All read." },
  );
  for (let turn = 0; turn < turns; turn += 1) writeFileSync(join(project, `note-${turn}.txt`), `note ${turn}\n`);
  const { code, stdout } = await run(["-p", "read all", "--output-format", "stream-json"]);
  const lines = linesOf(stdout);
  const readingTypes = Array.from({ length: turns }, () => ["assistant", "tool_call", "tool_result"]).flat();
  expect(lines.map((line) => line["type"])).toEqual(["init", "user", ...readingTypes, "assistant", "result"]);
  expect(lines.filter((line) => line["type"] === "tool_result").map((line) => line["call_id"])).toEqual(
    Array.from({ length: turns }, (_, turn) => `call_${turn}`),
  );
  expect(lines[0]).toEqual({
    type: "init",
    sessionId: lines.at(-1)?.["sessionId"],
    model: "mock/mock-model",
    tools: expect.arrayContaining(["read", "list", "glob", "grep", "write", "edit", "bash", "webfetch"]),
    permission_mode: "default",
    cwd: project,
    versions: { kedge: expect.any(String), node: process.versions.node },
  });
  expect(lines.at(-1)).toMatchObject({ subtype: "success", result: "All read.", num_turns: turns + 1 });
  expect(code).toBe(0);
});

test("what nobody can permit is denied, the run goes on and lists it", async () => {
  const script = [bash("touch made"), { text: "I could not." }];
  const { run, project } = await open(() => script.shift() ?? bash("touch made"));
  const denied = await run(["-p", "make it", "--output-format", "json"]);
  expect(JSON.parse(denied.stdout)).toMatchObject({
    subtype: "success",
    result: "I could not.",
    permission_denials: [{ tool: "bash" }],
  });
  expect(denied.code).toBe(0);
  expect(existsSync(join(project, "made"))).toBe(false);
  script.push(bash("touch made"), { text: "I could not." });
  expect((await run(["-p", "make it", "--fail-on-deny"])).code).toBe(3);
});

test("--allow permits exactly what it names, and --deny outranks it", async () => {
  const script = [bash("touch made"), { text: "Made." }, bash("touch more"), { text: "No." }];
  const { run, project } = await open(() => script.shift() ?? {});
  const allowed = await run(["-p", "make it", "--allow", "bash(touch made)"]);
  expect(allowed).toEqual({ code: 0, stdout: "Made.\n", stderr: "" });
  expect(existsSync(join(project, "made"))).toBe(true);
  const denied = await run(["-p", "more", "--allow", "bash(touch *)", "--deny", "bash(touch more)"]);
  expect(denied.stdout).toBe("No.\n");
  expect(existsSync(join(project, "more"))).toBe(false);
});

test("bypass needs its long flag and then asks nothing", async () => {
  const { run, project } = await open([bash("touch made"), { text: "Made." }]);
  expect(await run(["-p", "x", "--permission-mode", "bypass"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "kedge: Bypass mode requires --dangerously-skip-permissions.\n",
  });
  expect((await run(["-p", "make it", "--dangerously-skip-permissions"])).code).toBe(0);
  expect(existsSync(join(project, "made"))).toBe(true);
});

test("a limit of turns permits exactly that many model calls and exits 4", async () => {
  const { run, model, project } = await open(() => ({
    toolCalls: [{ name: "read", input: { filePath: `f-${Math.random()}` } }],
  }));
  writeFileSync(join(project, "f"), "");
  const { code, stdout } = await run(["-p", "go on", "--max-turns", "3", "--output-format", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({ subtype: "error_max_turns", is_error: true, num_turns: 3 });
  expect(code).toBe(4);
  expect(model.requests.length).toBe(3);
});

test("--continue and --resume go on with the stored conversation", async () => {
  const { run, model } = await open([{ text: "one" }, { text: "two" }, { text: "three" }]);
  const first = JSON.parse((await run(["-p", "first words", "--output-format", "json"])).stdout);
  expect((await run(["-p", "second", "--continue"])).stdout).toBe("two\n");
  expect((await run(["-p", "third", "--resume", "first words"])).stdout).toBe("three\n");
  const last = model.requests.at(-1)?.body.messages?.filter(({ role }) => role !== "system");
  expect(last?.map(({ role, content }) => [role, content])).toEqual([
    ["user", "first words"],
    ["assistant", "one"],
    ["user", "second"],
    ["assistant", "two"],
    ["user", "third"],
  ]);
  const listed = JSON.parse((await run(["session", "list", "--json"])).stdout);
  expect(listed.map((session: Line) => session["sessionId"])).toEqual([first.sessionId]);
});

test("--continue without a prompt continues an interrupted run, and says so when there is none", async () => {
  const { run, start, model } = await open([{ stallAfterBytes: 10 }, { text: "finished" }]);
  const child = start(["-p", "long work"]);
  child.stdin.end();
  const over = ended(child);
  await model.waitForRequest(1);
  child.kill("SIGINT");
  expect(await over).toEqual({ code: 130, stdout: "", stderr: "kedge: Interrupted.\n" });
  expect(await run(["-p", "--continue"])).toEqual({ code: 0, stdout: "finished\n", stderr: "" });
  expect(await run(["-p", "--continue"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "kedge: Nothing to resume: the last run finished. Send a new prompt.\n",
  });
});

test("an interruption still ends stream-json with one result", async () => {
  const { start, model } = await open([{ stallAfterBytes: 10 }]);
  const child = start(["-p", "long work", "--output-format", "stream-json"]);
  child.stdin.end();
  const over = ended(child);
  await model.waitForRequest(1);
  child.kill("SIGINT");
  const { code, stdout } = await over;
  const results = linesOf(stdout).filter((line) => line["type"] === "result");
  expect(results).toMatchObject([{ subtype: "aborted", is_error: true }]);
  expect(linesOf(stdout).at(-1)?.["type"]).toBe("result");
  expect(code).toBe(130);
});

test("a reader that leaves ends the run quietly", async () => {
  const { start, model } = await open(() => ({
    toolCalls: [{ name: "read", input: { filePath: `f-${Math.random()}` } }],
  }));
  const child = start(["-p", "go on", "--output-format", "stream-json", "--max-turns", "500"]);
  child.stdin.end();
  const first = appeared(child, "init");
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  await first;
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.on("exit", resolve));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(model.requests.length).toBeLessThan(500);
});

test("a schema gives structured output", async () => {
  const schema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
  const { run } = await open([{ toolCalls: [{ name: "structured_output", input: { count: 3 } }] }]);
  const argv = ["-p", "count", "--json-schema", JSON.stringify(schema)];
  expect(await run(argv)).toEqual({ code: 0, stdout: '{"count":3}\n', stderr: "" });
});

test("local commands need neither network nor model", async () => {
  const { run, home, model } = await open([]);
  writeFileSync(join(home, "config.json"), "{}");
  const { code, stdout } = await run(["-p", "/cost"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^cost +\$0\.0000\n/);
  const lines = linesOf((await run(["-p", "/status", "--output-format", "stream-json"])).stdout);
  expect(lines.map((line) => line["type"])).toEqual(["init", "command_result", "result"]);
  expect(model.requests.length).toBe(0);
});

test("undo and redo from the command line", async () => {
  const input = { filePath: "made.txt", content: "made\n" };
  const { run, project } = await open([{ toolCalls: [{ name: "write", input }] }, { text: "Made." }]);
  await run(["-p", "make it", "--allow", "edit"]);
  expect(readFileSync(join(project, "made.txt"), "utf8")).toBe("made\n");
  expect(await run(["undo"])).toEqual({ code: 0, stdout: "deleted   made.txt\n", stderr: "" });
  expect(existsSync(join(project, "made.txt"))).toBe(false);
  expect(await run(["redo"])).toEqual({ code: 0, stdout: "added     made.txt\n", stderr: "" });
  expect(readFileSync(join(project, "made.txt"), "utf8")).toBe("made\n");
});
