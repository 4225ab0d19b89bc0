/** The real program whose reader sleeps or leaves: it hears signals, records what it was doing, and loses nothing. */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { livingProcesses, type MockRequest, type MockTurn } from "@kedge/testing";
import { openScreenTerminal } from "@kedge/testing/screen-terminal";
import { afterEach, expect, test } from "vitest";
import { entry, expectAllClosed, lastOfRun, openCrashBench, openStore, storedSession } from "../crash/crash-bench.ts";

const stalled: MockTurn = { text: "word ".repeat(1_000), stallAfterBytes: 2_000 };
const answers = 6;

/** Reads more than any pipe holds, then an answer that does not come. */
function script({ body }: MockRequest): MockTurn {
  const results = body.messages?.filter(({ role }) => role === "tool").length ?? 0;
  if (results >= answers) return stalled;
  return { toolCalls: [{ name: "read", input: { filePath: `large-${results}.txt` } }] };
}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function open(turnOf: (request: MockRequest) => MockTurn = script) {
  const bench = await openCrashBench(turnOf);
  opened.push(bench);
  const directory = bench.workspace("work");
  for (let number = 0; number < answers; number += 1) {
    writeFileSync(join(directory, `large-${number}.txt`), `line ${number} of a long file\n`.repeat(1_900));
  }
  const start = (argv: readonly string[], output: number | "pipe") => {
    const child = spawn(process.execPath, [entry, ...argv], {
      cwd: directory,
      env: { PATH: process.env["PATH"], HOME: bench.folder, KEDGE_HOME: bench.home },
      stdio: ["ignore", output, "ignore"],
    });
    opened.push({ close: async () => void child.kill("SIGKILL") });
    return child;
  };
  const stored = async () => {
    const store = openStore(bench.home);
    const found = await storedSession(store, directory);
    await store.close();
    return found;
  };
  return { ...bench, directory, start, stored };
}

const stream = ["-p", "go", "--output-format", "stream-json"];

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "a pipe whose reader sleeps does not make it deaf to %s",
  async (signal) => {
    const { folder, model, start, stored } = await open();
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    // For reading as well, so that opening does not wait for anybody; nothing is ever read.
    const pipe = openSync(path, constants.O_RDWR);
    const child = start(stream, pipe);
    await model.waitForRequest(answers + 1);
    child.kill(signal);
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(130);
    closeSync(pipe);
    const found = await stored();
    if (found === undefined) throw new Error("nothing was stored");
    expectAllClosed(found);
    expect(lastOfRun(found.records)).toMatchObject({ type: "run.ended", reason: "aborted" });
  },
);

test("a socket whose reader sleeps does not make it deaf", async () => {
  const { model, start, stored } = await open();
  const child = start(stream, "pipe");
  await model.waitForRequest(answers + 1);
  child.kill("SIGTERM");
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(130);
  const found = await stored();
  expect(lastOfRun(found?.records ?? [])).toMatchObject({ type: "run.ended", reason: "aborted" });
});

test("a reader that is slow gets every line in order, and the end", async () => {
  const done = (request: MockRequest) => {
    const turn = script(request);
    return turn === stalled ? { text: "All read." } : turn;
  };
  const { start, model } = await open(done);
  const child = start(stream, "pipe");
  await model.waitForRequest(answers + 1);
  let text = "";
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly type: string; readonly result?: string });
  expect(lines.filter(({ type }) => type === "tool_result")).toHaveLength(answers);
  expect(lines.at(-1)).toMatchObject({ type: "result", result: "All read." });
});

test("a reader that leaves after the first line ends the run quietly, and it is recorded as interrupted", async () => {
  const { start, stored } = await open((request) => {
    const turn = script(request);
    return turn === stalled ? { toolCalls: [{ name: "read", input: { filePath: "slots.txt" } }] } : turn;
  });
  const child = start(stream, "pipe");
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  child.stdout?.destroy();
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
  const found = await stored();
  if (found === undefined) throw new Error("nothing was stored");
  expectAllClosed(found);
  expect(lastOfRun(found.records)).toMatchObject({ type: "run.ended", reason: "aborted" });
});

test("a terminal that takes nothing any more does not make the screen deaf", async () => {
  const { directory, folder, home, stored } = await open(() => ({
    text: "a line of an answer\n".repeat(20_000),
    deltaCharacters: 400,
  }));
  const terminal = await openScreenTerminal({
    ...{ command: process.execPath, arguments: [entry, "go on"], cwd: directory, columns: 200, rows: 60 },
    environment: { PATH: process.env["PATH"] ?? "", HOME: folder, KEDGE_HOME: home, KEDGE_KEYRING: "off" },
  });
  opened.push(terminal);
  await terminal.shows("a line of an answer", 20_000);
  terminal.freeze();
  await expect.poll(async () => (await stored())?.state.lastRun?.reason).toBe("completed");
  // Each draws the whole screen anew, which is more than any terminal keeps.
  for (let width = 100; width < 200; width += 1) {
    terminal.resize(width, 60);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  terminal.kill("SIGTERM");
  const isThere = () => livingProcesses(entry).has(terminal.pid);
  await expect.poll(isThere).toBe(false);
  terminal.hangUp();
});
