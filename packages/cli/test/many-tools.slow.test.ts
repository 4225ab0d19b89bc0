/** Proves with the real program what 527 tools of 70 MCP servers cost in a request, and that one of them is found. */
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { asked, converse, newSession } from "./sdk/conversation-steps.ts";
import { openLocal, openSdkBench, type SdkBench } from "./sdk/sdk-bench.ts";

let bench: SdkBench | undefined;
let server: Server | undefined;
afterEach(async () => {
  await bench?.close();
  server?.closeAllConnections();
  server?.close();
});

const serverCount = 70;
const toolCount = 527;
const subjects = ["invoice", "calendar", "weather", "molecule", "playlist", "shipment", "recipe", "telescope"];
const actions = ["list", "create", "update", "delete", "search", "export", "compare", "translate"];

/** Tools as large as those of real servers, all different. */
const tools = Array.from({ length: toolCount }, (_, number) => {
  const [subject, action] = [subjects[number % 8], actions[Math.floor(number / 8) % 8]];
  const field = (name: string) => ({ type: "string", description: `The ${name} of the ${subject} that is meant.` });
  return {
    server: number % serverCount,
    name: `${action}_${subject}_${number}`,
    description: `Use this to ${action} one ${subject} or several of them, with every option that service ${number} has.`,
    inputSchema: { type: "object", properties: { id: field("id"), filter: field("filter") }, required: ["id"] },
  };
});

/** All servers at one address, told apart by the path. */
async function startServers(): Promise<string> {
  server = createServer(async (request, response) => {
    const number = Number(/\d+/.exec(request.url ?? "")?.[0]);
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await textOf(request));
    if (id === undefined) return void response.writeHead(202).end();
    const answer = (body: object) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
    if (method === "initialize") {
      const { protocolVersion } = params;
      const serverInfo = { name: `service-${number}`, version: "1" };
      return void answer({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
    }
    if (method === "tools/list")
      return void answer({ result: { tools: tools.filter((tool) => tool.server === number) } });
    if (method === "tools/call")
      return void answer({ result: { content: [{ type: "text", text: `called ${params.name}` }] } });
    return void answer({ error: { code: -32_601, message: "Method not found" } });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

test("a first request with all of them at hand has at most 10 KB, and a search brings the one that is needed", async () => {
  const address = await startServers();
  const wanted = tools.find(({ name }) => name.startsWith("export_telescope")) ?? expect.fail();
  const name = `mcp__service-${wanted.server}__${wanted.name}`;
  const found = { query: `export telescope ${wanted.name.split("_").at(-1)}` };
  bench = await openSdkBench([
    { text: "Hi." },
    { toolCalls: [{ name: "tool_search", input: found }] },
    { toolCalls: [{ name, input: { id: "1" } }] },
    { text: "Done." },
  ]);
  const settings = join(bench.home, "config.json");
  const servers = Array.from({ length: serverCount }, (_, number) => [
    `service-${number}`,
    { type: "http", url: `${address}/${number}/mcp` },
  ]);
  // As a headless run has it: what is recalled and whom to ask are no part of what tools cost.
  const less = { memory: { enabled: false }, permission: { "mcp__*": "allow", question: "deny" } };
  const more = { mcp: Object.fromEntries(servers), ...less };
  writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, "utf8")), ...more }));
  const kedge = await openLocal(bench);
  const { client } = kedge;
  try {
    // Servers connect behind the first answer, so that it waits for none of them.
    await converse(client, await newSession(client), "hi");
    const states = async () => (await asked(client, { type: "mcp.list" })).servers.map(({ state }) => state);
    await expect.poll(states).toEqual(Array(serverCount).fill("connected"));
    await converse(client, await newSession(client), "Export the telescope.");
  } finally {
    await kedge.close();
  }
  const [bare, first, second, last] = bench.model.requests;
  expect(String(first?.raw)).toMatch(/mcp__service-69__\* \(7\)/);
  expect((bare?.raw.length ?? 0) < (first?.raw.length ?? 0)).toBe(true);
  expect(first?.raw.length).toBeLessThanOrEqual(10 * 1024);
  const names = (second?.body.tools ?? []) as readonly { readonly function: { readonly name: string } }[];
  expect(names.map((tool) => tool.function.name)).toContain(name);
  expect(String(last?.raw)).toContain(`called ${wanted.name}`);
});
