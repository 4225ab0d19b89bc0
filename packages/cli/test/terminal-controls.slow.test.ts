/** Proves that text from outside cannot control the terminal around the screen: one-shots, warnings and failures. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import type { MockScript } from "@kedge/testing";
import { openScreenTerminal, type ScreenTerminal } from "@kedge/testing/screen-terminal";
import { afterEach, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "./serve-bench.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

const entry = join(import.meta.dirname, "../../../dist/kedge.js");
const evil = "one\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b1;1H\u202etwo\bthree";
const harmless = "onetwothree";

const waitMs = 60_000;
/** The command is run within a third of a second after a change. */
const settledMs = 1_000;

let bench: Workbench | undefined;
let terminal: ScreenTerminal | undefined;
let server: Server | undefined;
let serving: ServerProcess | undefined;
afterEach(async () => {
  await terminal?.close();
  await serving?.stop();
  await bench?.close();
  server?.closeAllConnections();
  server?.close();
  terminal = undefined;
  bench = undefined;
  server = undefined;
  serving = undefined;
});

/** All that kedge wrote to a terminal of its own. */
async function writtenBy(argv: readonly string[], script: MockScript, prepare: (at: Workbench) => void = () => {}) {
  bench = await openWorkbench(script);
  prepare(bench);
  const { directory, home, project } = bench;
  terminal = await openScreenTerminal({
    command: process.execPath,
    arguments: [entry, ...argv],
    cwd: project,
    environment: { PATH: process.env["PATH"] ?? "", HOME: directory, KEDGE_HOME: home, KEDGE_KEYRING: "off" },
    columns: 200,
  });
  const code = await terminal.ended();
  return { code, written: terminal.written() };
}

test("the answer of a one-shot is cleaned on a terminal", async () => {
  const answered = await writtenBy(["-p", "go"], [{ text: `${evil}\n\tfour ✓` }]);
  expect(answered).toEqual({ code: 0, written: `${harmless}\r\n\tfour ✓\r\n` });
});

test("a pipe gets the answer as it is", async () => {
  bench = await openWorkbench([{ text: evil }]);
  expect(await bench.run(["-p", "go"])).toEqual({ code: 0, stdout: `${evil}\n`, stderr: "" });
});

test.each(["json", "stream-json"])("the %s of a one-shot holds the same answer without a control", async (format) => {
  const { written } = await writtenBy(["-p", "go", "--output-format", format], [{ text: evil }]);
  const controls = controlsIn(written.replaceAll("52;c", "").replaceAll("\u202e", ""));
  expect(controls).toEqual([]);
  expect(JSON.parse(written.trim().split("\r\n").at(-1) ?? "")).toMatchObject({ result: evil });
});

test("what a vendor says of a failure is cleaned", async () => {
  const body = JSON.stringify({ error: { message: evil, type: "invalid_request_error" } });
  const { code, written } = await writtenBy(["-p", "go"], [{ status: 400, body }]);
  expect(code).toBe(1);
  expect(written).toContain(harmless);
  expect(controlsIn(written)).toEqual([]);
});

test("names of settings of a project that nobody trusts are cleaned, through a pipe too", async () => {
  const bring = ({ project }: Workbench) => writeFileSync(join(project, "kedge.json"), JSON.stringify({ [evil]: 1 }));
  const { written } = await writtenBy(["-p", "go"], () => ({ text: "Done." }), bring);
  expect(written).toContain(harmless);
  expect(controlsIn(written)).toEqual([]);
  const { stderr } = (await bench?.run(["-p", "go"])) ?? {};
  expect(stderr).toContain(harmless);
  expect(controlsIn(stderr ?? "")).toEqual([]);
});

test("what a server says when somebody attaches is cleaned", async () => {
  const hostile = createServer((_request, response) => {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { code: "invalid_command", message: evil, recovery: evil } }));
  });
  server = hostile;
  await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve));
  const address = hostile.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const { code, written } = await writtenBy(["attach", `http://127.0.0.1:${port}`, "--token", "kedge_t"], []);
  expect(code).toBe(1);
  expect(written).toContain(harmless);
  expect(controlsIn(written)).toEqual([]);
});

test("the command of the status line runs beside our own engine, and never for a server that calls us trusted", async () => {
  bench = await openWorkbench(() => ({ text: "Done." }));
  const { directory, home, project } = bench;
  writeFileSync(join(home, "tui.json"), JSON.stringify({ statusLine: { command: "cat > ../told; echo my own line" } }));
  expect((await bench.run(["trust", "add"])).code).toBe(0);
  const environment = { PATH: process.env["PATH"] ?? "", HOME: directory, KEDGE_HOME: home, KEDGE_KEYRING: "off" };
  const start = (argv: readonly string[]) =>
    openScreenTerminal({ command: process.execPath, arguments: [entry, ...argv], cwd: project, environment });
  terminal = await start([]);
  await terminal.shows("my own line", waitMs);
  expect(existsSync(join(directory, "told"))).toBe(true);
  await terminal.close();
  rmSync(join(directory, "told"));
  serving = await startServerProcess(bench);
  terminal = await start(["attach", serving.url, "--token", serving.token]);
  await terminal.shows("mock/mock-model", waitMs);
  expect((await terminal.settled(settledMs, waitMs)).join("\n")).not.toContain("my own line");
  expect(existsSync(join(directory, "told"))).toBe(false);
});

function controlsIn(text: string): readonly string[] {
  return text.replaceAll("\r\n", "\n").match(/[^\P{Cc}\t\n]|\u202e|52;c/gu) ?? [];
}
