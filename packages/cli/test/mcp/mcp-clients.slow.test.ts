/** Proves that servers of an editor and of a program are used, in the session they were given for. */
import { join } from "node:path";
import type { Client } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { createLocal } from "../../src/sdk/create-local.ts";
import { createAcpBench, newSession, say } from "../acp-bench.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

const { open, close } = createAcpBench();
let bench: Workbench | undefined;
afterEach(async () => {
  await close();
  await bench?.close();
  bench = undefined;
});

const entry = join(
  import.meta.dirname,
  "../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
);
const echo = { name: "mcp__editor__echo", input: { message: "hello" } };

test("a server that the editor passes with a session is used in it", async () => {
  const { bench: opened, editor } = await open([{ toolCalls: [echo] }, { text: "Done." }]);
  const server = { name: "editor", command: process.execPath, args: [entry], env: [{ name: "A", value: "1" }] };
  const { sessionId } = await newSession(editor, opened.project, [server]);
  expect(await say(editor, sessionId, "echo")).toEqual({ stopReason: "end_turn" });
  const text = JSON.stringify(opened.model.requests.at(-1)?.body.messages);
  expect(text).toContain("Echo: hello");
});

test("a program adds, lists, disconnects and removes servers, and calls one of its own", async () => {
  bench = await openWorkbench([]);
  const kedge = await createLocal({
    directory: bench.project,
    home: bench.home,
    environment: { PATH: process.env["PATH"], HOME: bench.directory },
    mcpServers: { own: { command: process.execPath, args: [entry] } },
  });
  const { client } = kedge;
  const list = async () => {
    const answer = await client.ask<"mcp.list">({ type: "mcp.list" });
    return answer.ok ? answer.value.servers : answer.failure;
  };
  const ending = new AbortController();
  try {
    expect(await list()).toMatchObject([{ name: "own", scope: "dynamic", state: "pending" }]);
    const created = await client.send<"session.create">({ type: "session.create" });
    const told = created.ok ? follow(client, created.value.sessionId, ending.signal) : [];
    const server = { command: process.execPath, args: [entry] };
    expect(await client.send<"mcp.add">({ type: "mcp.add", name: "all", server })).toEqual({ ok: true, value: {} });
    expect(await client.send<"mcp.connect">({ type: "mcp.connect", name: "all" })).toEqual({
      ok: true,
      value: { state: "connected" },
    });
    expect(await list()).toMatchObject([
      { name: "all", state: "connected", tools: expect.arrayContaining(["mcp__all__echo"]) },
      { name: "own" },
    ]);
    expect(await client.send<"mcp.add">({ type: "mcp.add", name: "bad", server: {} })).toMatchObject({
      failure: { message: "The MCP server bad is not used: it has neither a command nor a URL." },
    });
    expect(await client.send<"mcp.disconnect">({ type: "mcp.disconnect", name: "all" })).toMatchObject({ ok: true });
    await expect
      .poll(() => told.filter((each) => each.startsWith("all ")))
      .toEqual([
        ...["all pending", "all connected", "all tools", "all prompts", "all resources"],
        ...["all disabled", "all tools", "all prompts", "all resources"],
      ]);
    expect(await client.send<"mcp.remove">({ type: "mcp.remove", name: "all" })).toMatchObject({ ok: true });
    expect(await client.send<"mcp.remove">({ type: "mcp.remove", name: "all" })).toMatchObject({ ok: false });
    expect(await client.send<"mcp.approve">({ type: "mcp.approve", name: "own" })).toMatchObject({ ok: false });
  } finally {
    ending.abort();
    await kedge.close();
  }
});

/** What a session is told of servers, as it comes: their states, and which lists are others; no list twice in a row. */
function follow(client: Client, sessionId: string, signal: AbortSignal): readonly string[] {
  const told: string[] = [];
  const read = async () => {
    for await (const event of client.events(sessionId, "newest", signal)) {
      if (event.kind !== "signal") continue;
      if (event.signal.type === "mcp.status") told.push(`${event.signal.server} ${event.signal.state}`);
      if (event.signal.type === "mcp.tools.changed") told.push(`${event.signal.server} ${event.signal.what}`);
    }
  };
  read().catch(() => undefined);
  return told;
}
