/** Proves with servers as people use them, by stdio and HTTP: tools, results of all kinds, resources, prompts, questions. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectGarbage } from "@kedge/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readMcpUrl } from "../../src/mcp/index.ts";
import { serverPrompts } from "../../src/mcp/offers/server-prompts.ts";
import { httpServer, stdioServer, type Tried, type TryParts, tryServer } from "./try-server.ts";

const packages = join(import.meta.dirname, "../../../../node_modules/@modelcontextprotocol");
const entry = (name: string) => join(packages, `server-${name}/dist/index.js`);

let tried: Tried | undefined;
afterEach(async () => {
  await tried?.close();
  tried = undefined;
});

const started: ChildProcess[] = [];
let url = "";
let sseUrl = "";
beforeAll(async () => {
  url = `http://127.0.0.1:${await startEverything("streamableHttp", "listening")}/mcp`;
  sseUrl = `http://127.0.0.1:${await startEverything("sse", "running")}/sse`;
});
afterAll(() => {
  for (const each of started) each.kill("SIGKILL");
});

async function startEverything(transport: string, ready: string): Promise<number> {
  const port = await freePort();
  const server = spawn(process.execPath, [entry("everything"), transport], { env: { PORT: `${port}` } });
  started.push(server);
  await new Promise<void>((resolve) => server.stderr.on("data", (piece) => `${piece}`.includes(ready) && resolve()));
  return port;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

const signal = new AbortController().signal;

async function heapUsed(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().heapUsed;
}

type Called = readonly [tool: string, input: object, said: string];

/** In fifty rounds of twenty at once, each of which gets the answer that is its own. */
async function callThousandTimes({ call }: Tried, make: (word: string) => Called): Promise<void> {
  const callOnce = async (word: string) => {
    const [tool, input, said] = make(word);
    expect((await call(tool, input)).output).toContain(said);
  };
  for (let at = 0; at < 20; at += 1) await callOnce(`${at}`);
  const before = readdirSync("/proc/self/fd").length;
  const heapBefore = await heapUsed();
  for (let round = 0; round < 50; round += 1)
    await Promise.all(Array.from({ length: 20 }, (_, at) => callOnce(`${round}-${at}`)));
  // Twenty calls at once, and twenty connections that the ones before them have yet to give back.
  expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before + 45);
  expect((await heapUsed()) - heapBefore).toBeLessThan(8_000_000);
}

describe.each([
  ["stdio", (parts?: TryParts) => tryServer(stdioServer("everything", [entry("everything")]), parts)],
  ["http", (parts?: TryParts) => tryServer(httpServer("everything", url), parts)],
  ["sse", (parts?: TryParts) => tryServer(httpServer("everything", sseUrl, "sse"), parts)],
])("everything by %s", (_, open) => {
  test("tools of every kind answer", async () => {
    tried = open();
    await tried.live.connect();
    expect(tried.live.state()).toEqual({ state: "connected" });
    expect(await tried.call("echo", { message: "hello" })).toEqual({
      output: '<untrusted-data source="mcp" server="everything" tool="echo">\nEcho: hello\n</untrusted-data>',
      title: "everything echo",
      metadata: { server: "everything", tool: "echo" },
    });
    expect(await tried.call("get-sum", { a: 1, b: 2 })).toMatchObject({ output: expect.stringContaining("3") });
    expect(await tried.call("get-tiny-image")).toMatchObject({ media: [{ mediaType: "image/png" }] });
    const structured = await tried.call("get-structured-content", { location: "New York" });
    expect(structured.output).toContain("temperature");
    const links = await tried.call("get-resource-links", { count: 2 });
    expect(links.output).toMatch(/Resource .*: read mcp:\/\/everything\/demo:\/\//);
    expect(await tried.call("echo", {})).toMatchObject({ isError: true });
  });

  test("resources are listed by page and read", async () => {
    tried = open();
    await tried.live.connect();
    const servers = [tried.live];
    expect(await readMcpUrl("mcp://", servers, { signal })).toMatchObject({
      text: expect.stringMatching(/^mcp:\/\/everything {2}\d+ resources, \d+ templates, connected$/),
    });
    const listed = await readMcpUrl("mcp://everything", servers, { signal });
    const uri = /\s(demo:\/\/\S+)/.exec(listed.ok ? listed.text : "")?.[1] ?? "";
    expect(await readMcpUrl(`mcp://everything/${uri}`, servers, { signal })).toMatchObject({
      ok: true,
      server: "everything",
    });
    expect(await readMcpUrl("mcp://everything/demo://none", servers, { signal })).toMatchObject({ ok: false });
    expect(await readMcpUrl("mcp://nobody", servers, { signal })).toMatchObject({ ok: false });
  });

  test("prompts take arguments by position and by name", async () => {
    tried = open();
    await tried.live.connect();
    const prompts = serverPrompts(tried.live, "everything");
    const wanted = prompts.find(({ argumentHint }) => argumentHint?.includes("<city>"));
    expect(wanted?.name).toBe("mcp:everything:args-prompt");
    for (const typed of ["Paris", "city=Paris"])
      expect(await wanted?.fill(typed, signal)).toMatchObject({ ok: true, text: expect.stringContaining("Paris") });
    expect(await wanted?.fill("", signal)).toEqual({
      ok: false,
      sentence: "args-prompt needs city. Write them in order, or as name=value.",
    });
  });

  test("arguments of prompts are completed", async () => {
    tried = open();
    await tried.live.connect();
    const wanted = serverPrompts(tried.live, "everything").find(({ name }) => name.includes("completable"));
    expect(await wanted?.complete("department", "E", signal)).toEqual(["Engineering"]);
    expect(await wanted?.complete("nobody", "E", signal)).toEqual([]);
  });

  test("a question is brought to the person whose call it is, and declined where nobody is", async () => {
    const asked: string[] = [];
    tried = open({
      async ask([question]) {
        asked.push(question?.question ?? "");
        return [question?.options[0]?.label ?? ""];
      },
    });
    await tried.live.connect();
    await tried.call("trigger-elicitation-request");
    expect(asked.length).toBeGreaterThan(0);
    expect(asked[0]).toContain("everything asks:");
    await tried.close();
    tried = open();
    await tried.live.connect();
    await tried.call("trigger-elicitation-request");
    expect(tried.notices).toEqual(["Declined a question from MCP server everything: no one can answer now."]);
  });

  test("a thousand calls need no more descriptors and memory than a few", async () => {
    tried = open();
    await tried.live.connect();
    await callThousandTimes(tried, (word) => ["echo", { message: word }, `Echo: ${word}\n`]);
  });
});

test("a server of the old kind over HTTP is reached, although nothing says that it is one", async () => {
  tried = tryServer(httpServer("everything", sseUrl));
  await tried.live.connect();
  expect(tried.live.state()).toEqual({ state: "connected" });
  expect(await tried.call("echo", { message: "old" })).toMatchObject({ output: expect.stringContaining("Echo: old") });
  tried = tryServer(httpServer("everything", url.replace("/mcp", "/nothing")));
  await tried.live.connect();
  expect(tried.live.state()).toEqual({
    ...{ state: "failed", error: "there is no MCP server at its URL (HTTP 404)" },
  });
});

test("only the tools that the configuration leaves are offered", async () => {
  const lists = { includeTools: ["echo", "get-sum", "none"], excludeTools: ["get-sum"] };
  tried = tryServer(stdioServer("everything", [entry("everything")], lists));
  await tried.live.connect();
  expect(tried.tools.tools().map(({ name }) => name)).toEqual(["mcp__everything__echo"]);
  expect(tried.tools.source.open({} as never).whyMissing?.("mcp__everything__get-sum")).toBe(
    "The MCP server everything has no such tool. It has: echo. Find one with tool_search.",
  );
});

test("the filesystem server reads what it was given", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kedge-mcp-"));
  try {
    writeFileSync(join(folder, "a.txt"), "text of a");
    tried = tryServer(stdioServer("files", [entry("filesystem"), folder]));
    await tried.live.connect();
    expect(await tried.call("read_text_file", { path: join(folder, "a.txt") })).toMatchObject({
      output: expect.stringContaining("text of a"),
    });
    expect(await tried.call("read_text_file", { path: "/etc/passwd" })).toMatchObject({ isError: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Each in a folder of its own, where the servers that keep something keep it. */
test.each<[string, (folder: string) => (word: string) => Called]>([
  ["filesystem", (folder) => () => ["read_text_file", { path: join(folder, "a.txt") }, "text of a"]],
  ["memory", () => (word) => ["search_nodes", { query: word }, "entities"]],
  [
    "sequential-thinking",
    () => (word) => [
      "sequentialthinking",
      { thought: word, thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false },
      "thoughtHistoryLength",
    ],
  ],
])("a thousand calls of the server %s", async (name, calledIn) => {
  const folder = mkdtempSync(join(tmpdir(), "kedge-mcp-"));
  try {
    writeFileSync(join(folder, "a.txt"), "text of a");
    const server = stdioServer(name, [entry(name), folder]);
    const env = { MEMORY_FILE_PATH: join(folder, "memory.jsonl"), DISABLE_THOUGHT_LOGGING: "true" };
    tried = tryServer({ ...server, transport: { ...server.transport, env } as typeof server.transport });
    await tried.live.connect();
    expect(tried.live.state()).toEqual({ state: "connected" });
    await callThousandTimes(tried, calledIn(folder));
  } finally {
    await tried?.close();
    tried = undefined;
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a call can be interrupted", async () => {
  tried = tryServer(stdioServer("everything", [entry("everything")]));
  await tried.live.connect();
  const stop = new AbortController();
  const call = tried.call("trigger-long-running-operation", { duration: 60, steps: 60 }, { signal: stop.signal });
  stop.abort();
  expect(await call).toMatchObject({ isError: true, output: "trigger-long-running-operation was interrupted." });
  expect(await tried.call("echo", { message: "still there" })).toMatchObject({
    output: expect.stringContaining("still there"),
  });
});
