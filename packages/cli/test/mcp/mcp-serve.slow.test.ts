/** Proves that kedge serves MCP clients: its tools and prompts, under the user's rules, over both transports. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ConnectParts, connectServer, createServerLog } from "@kedge/extend/mcp";
import type { MockScript } from "@kedge/testing";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, expect, test } from "vitest";
import { appeared, ended, openWorkbench, type Workbench } from "../workbench.ts";

const entry = join(import.meta.dirname, "../../../../dist/kedge.js");
const done: MockScript = [{ text: "Done." }];

let bench: Workbench;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await bench.close();
});

type Answer = { readonly action: "accept"; readonly content: { decision: string } } | { readonly action: "decline" };

type Connecting = { readonly argv?: readonly string[]; readonly answer?: Answer; readonly isOld?: true };

/** A client of the library, which starts kedge itself. */
async function connect({ argv = [], answer, isOld }: Connecting = {}) {
  const asked: string[] = [];
  const options: ClientOptions = {
    capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
    ...(isOld !== true && { versionNegotiation: { mode: "auto" } }),
  };
  const client = new Client({ name: "test", version: "1" }, options);
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return answer;
    });
  const { HOME = "", KEDGE_HOME = "" } = { HOME: bench.directory, KEDGE_HOME: bench.home };
  const env = { PATH: process.env["PATH"] ?? "", HOME, KEDGE_HOME };
  const args = [entry, "mcp", "serve", ...argv];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: bench.project, stderr: "inherit" }),
  );
  closing.push(() => client.close());
  return { client, asked };
}

function textOf(result: { readonly content?: unknown }): string {
  const [first] = (result.content ?? []) as readonly { readonly text?: string }[];
  return first?.text ?? "";
}

const write = { name: "write", arguments: { filePath: "b.txt", content: "written\n" } };
const written = () => existsSync(join(bench.project, "b.txt"));

test.each([undefined, true] as const)(
  "tools are listed and called in an ordinary session (older client: %s)",
  async (isOld) => {
    bench = await openWorkbench(done);
    writeFileSync(join(bench.project, "a.txt"), "hello\n");
    const { client } = await connect({ argv: ["--allow", "edit"], ...(isOld && { isOld }) });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["bash", "edit", "grep", "prompt", "read", "write"]));
    expect(names).not.toContain("question");
    expect(textOf(await client.callTool({ name: "read", arguments: { filePath: "a.txt" } }))).toContain("1|hello");
    expect(await client.callTool(write)).not.toHaveProperty("isError");
    expect(readFileSync(join(bench.project, "b.txt"), "utf8")).toBe("written\n");
    await expect(client.callTool({ name: "question", arguments: {} })).rejects.toThrow(/Unknown tool question/);
    await client.close();
    const sessions = JSON.parse((await bench.run(["session", "list", "--json"])).stdout);
    expect(JSON.stringify(sessions)).toContain("kedge/calls");
    expect(bench.model.requests).toEqual([]);
  },
);

test("what would ask is refused with a sentence when the client cannot ask", async () => {
  bench = await openWorkbench(done);
  const { client } = await connect();
  const result = await client.callTool(write);
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain("this MCP client cannot ask for it");
  expect(written()).toBe(false);
});

test.each([
  ["once", { action: "accept", content: { decision: "once" } }, undefined, true],
  ["once, by an older client", { action: "accept", content: { decision: "once" } }, true, true],
  ["reject", { action: "accept", content: { decision: "reject" } }, undefined, false],
  ["nothing that was offered", { action: "accept", content: { decision: "project" } }, undefined, false],
  ["declined", { action: "decline" }, undefined, false],
] as const)("a permission question goes to the user of the client: %s", async (_name, answer, isOld, isWritten) => {
  bench = await openWorkbench(done);
  const { client, asked } = await connect({ answer, ...(isOld && { isOld }) });
  const result = await client.callTool(write);
  expect(asked).toEqual([expect.stringMatching(/^Allow write\? [\s\S]*b\.txt/)]);
  expect([written(), result.isError === true]).toEqual([isWritten, !isWritten]);
});

test("a deny rule holds whatever the client says", async () => {
  bench = await openWorkbench(done);
  const answer = { action: "accept", content: { decision: "once" } } as const;
  const { client, asked } = await connect({ argv: ["--deny", "edit"], answer });
  expect((await client.callTool(write)).isError).toBe(true);
  expect([asked, written()]).toEqual([[], false]);
});

test("a prompt runs the agent, and its conversation is continued", async () => {
  bench = await openWorkbench([{ text: "First answer." }, { text: "Second answer." }]);
  const { client } = await connect();
  const first = await client.callTool({ name: "prompt", arguments: { prompt: "Say one thing." } });
  expect(textOf(first)).toBe("First answer.");
  const { sessionId } = first.structuredContent as { readonly sessionId: string };
  const second = await client.callTool({ name: "prompt", arguments: { prompt: "And another.", sessionId } });
  expect(textOf(second)).toBe("Second answer.");
  expect(bench.model.requests[1]?.raw.toString()).toContain("First answer.");
  const unknown = await client.callTool({
    name: "prompt",
    arguments: { prompt: "Go on.", sessionId: "ses_other00000" },
  });
  expect([unknown.isError, textOf(unknown)]).toEqual([true, expect.stringContaining("Conversation not found")]);
});

async function serveHttp(argv: readonly string[] = []) {
  const child = bench.start(["mcp", "serve", "--port", "0", "--json", ...argv]);
  const line = Promise.withResolvers<{ readonly url: string; readonly token: string }>();
  child.stdout.once("data", (text: Buffer) => line.resolve(JSON.parse(text.toString("utf8"))));
  const over = ended(child);
  await appeared(child, "\n");
  closing.push(async () => {
    child.kill("SIGTERM");
    expect(await over).toMatchObject({ code: 0, stderr: "" });
  });
  return line.promise;
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
};

function post(
  url: string,
  token: string,
  request: { readonly method: string; readonly params: object; name?: string },
) {
  const { method, params, name } = request;
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": name }),
      ...(token !== "" && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
  });
}

test("over HTTP a token is needed, names and pages of others are refused, and a task can be asked about", async () => {
  bench = await openWorkbench([{ text: "From afar." }]);
  const { url, token } = await serveHttp();
  const list = { method: "tools/list", params: {} };
  expect((await post(url, "", list)).status).toBe(401);
  expect((await post(url, "wrong", list)).status).toBe(401);
  const foreign = await fetch(url, { method: "POST", headers: { origin: "https://evil.example" }, body: "{}" });
  expect(foreign.status).toBe(403);
  expect((await post(url, token, list)).status).toBe(200);
  const call = { name: "prompt", arguments: { prompt: "Say where you are." } };
  const begun = await post(url, token, { method: "tools/call", params: call, name: "prompt" });
  const { result } = (await begun.json()) as { readonly result: { readonly taskId: string } };
  expect(result).toMatchObject({ resultType: "task", status: "working" });
  const { taskId } = result;
  const task = async () => {
    const answer = await post(url, token, { method: "tasks/get", params: { taskId }, name: taskId });
    return ((await answer.json()) as { readonly result: object }).result;
  };
  await expect
    .poll(task)
    .toMatchObject({ status: "completed", result: { content: [{ type: "text", text: "From afar." }] } });
});

test("both our own connection and the library's reach it over HTTP", async () => {
  bench = await openWorkbench(done);
  writeFileSync(join(bench.project, "a.txt"), "hello\n");
  const { url, token } = await serveHttp();
  const headers = { authorization: `Bearer ${token}` };
  const parts: ConnectParts = {
    clientInfo: { name: "test", version: "1" },
    environment: () => ({}),
    cwd: bench.project,
    refuseAddress: () => undefined,
    log: createServerLog(Date.now),
  };
  const connected = await connectServer(
    {
      ...{ name: "kedge", scope: "user", file: "test", signature: "" },
      transport: { type: "http", url, headers },
    },
    parts,
    new AbortController().signal,
  );
  if (!connected.ok) throw new Error(connected.error);
  closing.push(connected.connection.close);
  const older = new Client({ name: "older", version: "1" });
  await older.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  closing.push(() => older.close());
  for (const client of [connected.connection.client, older]) {
    expect(textOf(await client.callTool({ name: "read", arguments: { filePath: "a.txt" } }))).toContain("1|hello");
  }
});
