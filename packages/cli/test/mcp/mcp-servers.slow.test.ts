/** Proves with the real program that configured servers are used: found, asked about, called, read, and ended. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench | undefined;
afterEach(() => bench?.close());

const packages = join(import.meta.dirname, "../../../../node_modules/@modelcontextprotocol");
const everything = { command: process.execPath, args: [join(packages, "server-everything/dist/index.js")] };
const allowed = { permission: { "mcp__everything__*": "allow" } };
const echo = { name: "mcp__everything__echo", input: { message: "hello" } };

test("a tool of a server is found by search, called and fenced, and what was sent stays as it was", async () => {
  bench = await openWorkbench(
    [
      { toolCalls: [{ name: "tool_search", input: { query: "echo message" } }] },
      { toolCalls: [echo] },
      { toolCalls: [{ name: "read", input: { filePath: "mcp://everything" } }] },
      { text: "Done." },
    ],
    { mcp: { everything }, ...allowed },
  );
  const { code, stdout, stderr } = await bench.run(["-p", "go", "--output-format", "stream-json"]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(stdout).toContain("Echo: hello");
  expect(stdout).toContain("demo://");
  const bodies = bench.model.requests.map(({ body }) => body);
  const toolNames = bodies.map(({ tools }) =>
    (tools as readonly { function: { name: string } }[]).map((tool) => tool.function.name),
  );
  expect(toolNames[0]).not.toContain(echo.name);
  expect(toolNames[0]).toContain("tool_search");
  // The list only grows at its end.
  for (const [at, names] of toolNames.entries())
    if (at > 0) expect(names.slice(0, toolNames[at - 1]?.length)).toEqual(toolNames[at - 1]);
  expect(toolNames.at(-1)).toContain(echo.name);
  const messages = bodies.map(({ messages }) => JSON.stringify(messages).slice(0, -1));
  for (const [at, text] of messages.entries()) if (at > 0) expect(text.startsWith(messages[at - 1] ?? "")).toBe(true);
  expect(messages.at(-1)).toContain("untrusted-data");
});

test("without a rule a call is refused where nobody can answer", async () => {
  bench = await openWorkbench([{ toolCalls: [echo] }, { text: "Done." }], { mcp: { everything } });
  const { stdout } = await bench.run(["-p", "go", "--output-format", "stream-json"]);
  expect(stdout).not.toContain("Echo: hello");
  expect(stdout).toContain("mcp__everything__echo");
});

test("a server of a project is used only once it was approved, and again only as long as it is the same", async () => {
  bench = await openWorkbench([{ toolCalls: [echo] }, { text: "Done." }], allowed);
  const { project, run } = bench;
  const write = (server: object) =>
    writeFileSync(join(project, ".mcp.json"), JSON.stringify({ mcpServers: { everything: server } }));
  write(everything);
  const list = async () => JSON.parse((await run(["mcp", "list", "--json", "--trust"])).stdout).servers;
  expect(await list()).toMatchObject([
    { name: "everything", state: "disabled", reason: "not approved", needsApproval: true, file: ".mcp.json" },
  ]);
  expect((await run(["mcp", "approve", "everything", "--trust"])).code).toBe(0);
  expect(await list()).toMatchObject([{ name: "everything", scope: "project", state: "pending" }]);
  const { stdout } = await run(["-p", "go", "--trust", "--output-format", "stream-json"]);
  expect(stdout).toContain("Echo: hello");
  write({ ...everything, env: { EVIL: "1" } });
  expect(await list()).toMatchObject([{ state: "disabled", reason: "not approved" }]);
});

test("before trust nothing of a project is listed or started", async () => {
  bench = await openWorkbench([{ text: "Done." }]);
  const mark = join(bench.directory, "started");
  const server = { command: "sh", args: ["-c", `touch ${mark}`] };
  writeFileSync(join(bench.project, ".mcp.json"), JSON.stringify({ mcpServers: { evil: server } }));
  expect(JSON.parse((await bench.run(["mcp", "list", "--json"])).stdout)).toEqual({ servers: [] });
  await bench.run(["-p", "go"]);
  expect(readdirSync(bench.directory)).not.toContain("started");
});

test("servers are added, listed, tested and removed by command", async () => {
  bench = await openWorkbench([]);
  const { run, home, project } = bench;
  expect(await run(["mcp", "add", "all", "--env", "A=1", "--", everything.command, ...everything.args])).toMatchObject({
    code: 0,
  });
  expect(await run(["mcp", "add", "docs", "https://docs.test/mcp", "--header", "X-Key: {env:HOME}"])).toMatchObject({
    code: 0,
  });
  expect(await run(["mcp", "add-json", "off", '{"command":"x","enabled":false}', "--local"])).toMatchObject({
    code: 0,
  });
  const { mcp } = JSON.parse(readFileSync(join(home, "config.json"), "utf8"));
  expect(mcp).toEqual({
    all: { type: "stdio", command: everything.command, args: everything.args, env: { A: "1" } },
    docs: { type: "http", url: "https://docs.test/mcp", headers: { "X-Key": "{env:HOME}" } },
  });
  const listed = JSON.parse((await run(["mcp", "list", "--json"])).stdout).servers;
  expect(listed).toMatchObject([
    { name: "all", scope: "user", type: "stdio", env: ["A"], state: "pending" },
    { name: "docs", scope: "user", type: "http", url: "https://docs.test/mcp" },
    { name: "off", state: "disabled", reason: "it is disabled" },
  ]);
  const tested = JSON.parse((await run(["mcp", "test", "all", "--json"])).stdout);
  expect(tested).toMatchObject({ state: "connected", tools: expect.arrayContaining(["mcp__all__echo"]) });
  expect((await run(["mcp", "logs", "all"])).stdout).toContain("State: connected");
  expect(await run(["mcp", "test", "nobody"])).toMatchObject({
    code: 1,
    stderr: "kedge: No MCP server named nobody.\n",
  });
  expect(await run(["mcp", "remove", "docs"])).toMatchObject({ code: 0 });
  expect(await run(["mcp", "remove", "docs"])).toMatchObject({ code: 1 });
  mkdirSync(join(project, "other"));
  writeFileSync(join(project, "other/servers.json"), JSON.stringify({ servers: { more: { command: ["y", "z"] } } }));
  expect(await run(["mcp", "import", "other/servers.json"])).toMatchObject({ code: 0 });
  expect((await run(["mcp", "get", "more"])).stdout).toContain('args             ["z"]');
  const codex = '[mcp_servers.ctx]\ncommand = "npx"\nenv = { A = "b" }\n[mcp_servers.far]\nurl = "https://far.test"\n';
  writeFileSync(join(project, "other/config.toml"), codex);
  const claude = { mcpServers: {}, userID: "u", projects: { [project]: { mcpServers: { here: { command: "x" } } } } };
  writeFileSync(join(project, "other/.claude.json"), JSON.stringify(claude));
  const vscode = '{ "servers": { "asks": { "command": "x", "env": { "KEY": "$' + '{input:key}" } } } }';
  writeFileSync(join(project, "other/mcp.json"), vscode);
  expect((await run(["mcp", "import", "other/config.toml"])).stdout).toMatch(/^Added ctx to .*\nAdded far to .*\n$/);
  expect((await run(["mcp", "import", "other/.claude.json"])).stdout).toMatch(/^Added here to .*\n$/);
  expect(await run(["mcp", "import", "other/mcp.json"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Cannot add the server asks: only an editor can fill in $"),
  });
  expect((await run(["mcp", "add", "bad name", "x"])).code).toBe(1);
  expect((await run(["mcp"])).stdout).toContain("configured");
});

test("servers of the command line are used for one run, and what is wrong with them is a matter of usage", async () => {
  bench = await openWorkbench([{ toolCalls: [echo] }, { text: "Done." }], allowed);
  const { run, project } = bench;
  writeFileSync(join(project, "servers.json"), JSON.stringify({ mcpServers: { everything } }));
  const { stdout } = await run(["-p", "go", "--mcp-config", "servers.json", "--output-format", "stream-json"]);
  expect(stdout).toContain("Echo: hello");
  for (const [text, sentence] of [
    ["none.json", "none.json"],
    ["{broken", "not a JSON object"],
    ['{"mcpServers":{"x":{"type":"carrier pigeon"}}}', "the server x cannot be used"],
    ["{}", "contains no MCP servers"],
  ]) {
    const ended = await run(["-p", "go", "--mcp-config", text ?? ""]);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(sentence ?? "")]);
  }
});

test("five changes of a list and a server that joins late change nothing that was sent", async () => {
  const clumsy = join(import.meta.dirname, "../../../extend/test/mcp/clumsy-server.mjs");
  const change = (round: number) => ({ toolCalls: [{ name: "mcp__clumsy__change", input: { round } }] });
  const search = (query: string) => ({ toolCalls: [{ name: "tool_search", input: { query } }] });
  bench = await openWorkbench(
    [
      ...[change(1), search("select:mcp__clumsy__late"), change(2), change(3), change(4), change(5)],
      ...[search("select:mcp__clumsy__later_4"), search("select:mcp__everything__echo"), { text: "Done." }],
    ],
    { mcp: { clumsy: { command: process.execPath, args: [clumsy] }, everything }, permission: { "mcp__*": "allow" } },
  );
  const { code } = await bench.run(["-p", "go"]);
  expect(code).toBe(0);
  const sent = bench.model.requests.map(({ body }) => ({
    messages: JSON.stringify(body.messages).slice(0, -1),
    tools: JSON.stringify(body.tools).slice(0, -1),
  }));
  for (const [at, { messages, tools }] of sent.entries()) {
    if (at === 0) continue;
    expect(messages.startsWith(sent[at - 1]?.messages ?? "")).toBe(true);
    expect(tools.startsWith(sent[at - 1]?.tools ?? "")).toBe(true);
  }
  for (const name of ["late", "later_4"]) expect(sent.at(-1)?.tools).toContain(`mcp__clumsy__${name}`);
  expect(sent.at(-1)?.tools).toContain(echo.name);
});

test("five servers that hang or fail are not started before the first request, and hold up no run", async () => {
  const started: string[] = [];
  bench = await openWorkbench(
    (_, turn) => {
      if (turn === 0) started.push(...readdirSync(bench?.directory ?? "").filter((name) => name.startsWith("mark-")));
      return { text: "Done." };
    },
    { permission: { "mcp__*": "allow" } },
  );
  const { directory, run, home } = bench;
  const hanging = (name: string) => ({ command: "sh", args: ["-c", `touch ${directory}/mark-${name}; sleep 300`] });
  const [one, two, three] = ["one", "two", "three"].map(hanging);
  const settings = JSON.parse(readFileSync(join(home, "config.json"), "utf8"));
  const mcp = { one, two, three, gone: { command: "./missing" }, closed: { type: "http", url: "http://127.0.0.1:9/" } };
  writeFileSync(join(home, "config.json"), JSON.stringify({ ...settings, mcp }));
  // One that waited for a server would take its 30 seconds, and say so.
  expect(await run(["-p", "go"])).toMatchObject({ code: 0, stdout: "Done.\n" });
  expect(started).toEqual([]);
});

test("kedge that is killed leaves none of five servers behind", async () => {
  const clumsy = join(import.meta.dirname, "../../../extend/test/mcp/clumsy-server.mjs");
  const stubborn = { command: process.execPath, args: [clumsy, "ignores its end", "kill-mark"] };
  const names = ["one", "two", "three", "four", "five"];
  bench = await openWorkbench(
    [
      { toolCalls: names.map((name) => ({ name: `mcp__${name}__fine`, input: {} })) },
      { text: "Done.", holdUntil: new Promise(() => undefined) },
    ],
    { mcp: Object.fromEntries(names.map((name) => [name, stubborn])), permission: { "mcp__*": "allow" } },
  );
  const child = bench.start(["-p", "go"]);
  const { requests } = bench.model;
  await expect.poll(() => requests.length, { timeout: 60_000 }).toBe(2);
  const alive = () => commandLines().filter((line) => line.includes("kill-mark"));
  expect(alive().length).toBeGreaterThanOrEqual(5);
  child.kill("SIGKILL");
  await expect.poll(alive).toEqual([]);
});

/** Of all processes that live; one that ended and waits to be noticed has none. */
function commandLines(): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, "utf8") : [];
    } catch {
      return [];
    }
  });
}

test("adding and removing is told with the file, and an address of another kind is refused", async () => {
  bench = await openWorkbench([]);
  const { run } = bench;
  expect((await run(["mcp", "add", "docs", "https://docs.example.com/mcp"])).stdout).toMatch(
    /^Added docs to .*config\.json\.\n$/,
  );
  expect((await run(["mcp", "remove", "docs"])).stdout).toMatch(/^Removed docs from .*config\.json\.\n$/);
  const refused = await run(["mcp", "add", "files", "ftp://files.example.com"]);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("ftp:// is not supported. Use http://, https://, ws:// or wss://."),
  ]);
  expect(JSON.parse((await run(["mcp", "list", "--json"])).stdout)).toEqual({ servers: [] });
});

test("servers of a project that nobody trusted are not passed over in silence", async () => {
  bench = await openWorkbench([{ text: "Done." }]);
  writeFileSync(join(bench.project, ".mcp.json"), JSON.stringify({ mcpServers: { everything } }));
  for (const argv of [
    ["-p", "hi"],
    ["mcp", "list"],
  ]) {
    const { stderr } = await bench.run(argv);
    expect(stderr).toContain("This project's servers are not used: it is not trusted. Review with kedge trust.");
  }
});
