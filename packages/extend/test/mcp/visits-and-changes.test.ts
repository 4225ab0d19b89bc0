/** Proves pages that a call needs (error -32042), apps as data, and resources that change after they were read. */
import type { ContextSession, ToolContext } from "@kedge/protocol";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { afterEach, expect, test } from "vitest";
import { createResourceWatch } from "../../src/mcp/offers/resource-watch.ts";
import { type Tried, type TryParts, tryServer } from "./try-server.ts";

let tried: Tried;
afterEach(() => tried.close());

type Asked = { readonly id: number; readonly method: string; readonly params: { readonly [name: string]: string } };

const page = "https://accounts.example/connect?to=tracker";

/** Of the older protocol, message by message. */
function scripted(elicitations: unknown = [{ mode: "url", message: "Connect", url: page, elicitationId: "e1" }]) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const calls: string[] = [];
  let isVisited = false;
  const send = (message: object) => far.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
  const answerTo = ({ method, params }: Asked): object => {
    switch (method) {
      case "initialize": {
        const capabilities = { tools: {}, resources: { subscribe: true } };
        const serverInfo = { name: "scripted", version: "1" };
        return { result: { protocolVersion: "2025-11-25", capabilities, serverInfo } };
      }
      case "tools/list": {
        const inputSchema = { type: "object" };
        const app = { ui: { resourceUri: "ui://tracker/board" } };
        const hidden = { ui: { resourceUri: "ui://tracker/board", visibility: ["app"] } };
        return {
          result: {
            tools: [
              { name: "visit", inputSchema, _meta: app },
              { name: "for_the_page", inputSchema, _meta: hidden },
            ],
          },
        };
      }
      case "tools/call":
        if (isVisited) return { result: { content: [{ type: "text", text: "connected" }] } };
        return { error: { code: -32_042, message: "Visit first", data: { elicitations } } };
      case "resources/list":
        return { result: { resources: [{ uri: "board://1", name: "Board" }] } };
      case "resources/templates/list":
        return { result: { resourceTemplates: [] } };
      case "resources/read":
        return { result: { contents: [{ uri: params["uri"], text: "a board" }] } };
      case "resources/subscribe":
      case "resources/unsubscribe":
        calls.push(`${method} ${params["uri"]}`);
        return { result: {} };
      default:
        return { error: { code: -32_601, message: "Method not found" } };
    }
  };
  far.onmessage = (message) => {
    if ("method" in message && "id" in message) void send({ id: message.id, ...answerTo(message as unknown as Asked) });
  };
  const open = async () => {
    await far.start();
    return near;
  };
  const server = {
    name: "tracker",
    scope: "user",
    file: "c",
    signature: "s",
    transport: { type: "sdk", open },
  } as const;
  return { server, calls, send, visited: () => (isVisited = true) };
}

async function connect(script: ReturnType<typeof scripted>, parts: TryParts = {}): Promise<void> {
  tried = tryServer(script.server, parts);
  await tried.live.connect();
  expect(tried.live.state()).toEqual({ state: "connected" });
}

test("a page is shown in full, opened with consent, waited for, and the call repeated", async () => {
  const script = scripted();
  const asked: string[] = [];
  const ask: ToolContext["dialogue"]["ask"] = async ([question]) => {
    asked.push(question?.question ?? "");
    if (asked.length === 2) script.visited();
    return [question?.options[0]?.label ?? ""];
  };
  await connect(script, { ask });
  expect(await tried.call("visit")).toMatchObject({
    output: expect.stringContaining("connected"),
    metadata: { server: "tracker", tool: "visit", app: "ui://tracker/board" },
  });
  expect(asked).toEqual([
    `tracker asks you to open a page at accounts.example: Connect\n${page}`,
    "Finish at accounts.example, then continue the call to tracker.",
  ]);
  expect(tried.opened).toEqual([page]);
});

test("the server says that the page is done with, and nobody has to", async () => {
  const script = scripted();
  const ask: ToolContext["dialogue"]["ask"] = ([question], withdrawn) => {
    if (withdrawn === undefined) return Promise.resolve([question?.options[0]?.label ?? ""]);
    script.visited();
    void script.send({ method: "notifications/elicitation/complete", params: { elicitationId: "e1" } });
    return new Promise((resolve) => withdrawn.addEventListener("abort", () => resolve(undefined)));
  };
  await connect(script, { ask });
  expect(await tried.call("visit")).toMatchObject({ output: expect.stringContaining("connected") });
});

test.each([
  ["declined", ["Decline"]],
  ["nobody to ask", undefined],
])("%s: nothing is opened, and the model is told the host", async (_, answers) => {
  await connect(scripted(), { ask: async () => answers });
  expect(await tried.call("visit")).toMatchObject({
    isError: true,
    output:
      "visit of the MCP server tracker needs the user to open a page at accounts.example first. The user declined, or no one can answer here. Continue without it.",
  });
  expect(tried.opened).toEqual([]);
});

test.each([
  ["a program", [{ message: "x", url: "file:///etc/passwd" }]],
  ["no list", "visit me"],
  ["nothing", [null, 7, { message: "x" }]],
  ["too many", Array.from({ length: 100 }, () => ({ message: "x", url: page }))],
])("%s in the place of a page asks nobody and opens nothing", async (_, elicitations) => {
  const questions: string[] = [];
  await connect(scripted(elicitations), {
    ask: async ([question]) => {
      questions.push(question?.question ?? "");
      return ["Open the page"];
    },
  });
  expect(await tried.call("visit")).toMatchObject({ isError: true });
  expect([questions, tried.opened]).toEqual([[], []]);
});

test("a tool that is for a page alone is not offered to the model", async () => {
  await connect(scripted());
  expect(tried.tools.tools().map(({ name }) => name)).toEqual(["mcp__tracker__visit"]);
});

test("a resource that was read is watched; a change is told once, and again after it was read again", async () => {
  const script = scripted();
  await connect(script);
  const watch = createResourceWatch();
  const source = watch.newSource("one");
  const told = () => source.read({} as ContextSession).map(({ origin, hash }) => `${origin} ${hash}`);
  watch.wasRead(tried.live, "board://1", "one");
  watch.wasRead(tried.live, "board://1", "one");
  watch.updated("tracker", "board://other");
  expect(told()).toEqual([]);
  watch.updated("tracker", "board://1");
  watch.updated("tracker", "board://1");
  expect(told()).toEqual(["mcp://tracker/board://1 1"]);
  expect(watch.newSource("two").read({} as ContextSession)).toEqual([]);
  watch.wasRead(tried.live, "board://1", "one");
  expect(told()).toEqual([]);
  watch.updated("tracker", "board://1");
  expect(told()).toEqual(["mcp://tracker/board://1 2"]);
  await expect
    .poll(() => script.calls)
    .toEqual([
      "resources/subscribe board://1",
      "resources/unsubscribe board://1",
      "resources/subscribe board://1",
      "resources/unsubscribe board://1",
    ]);
});

test("only the latest twenty of a session are watched", async () => {
  const script = scripted();
  await connect(script);
  const watch = createResourceWatch();
  for (let at = 0; at < 25; at += 1) watch.wasRead(tried.live, `board://${at}`, "one");
  await expect.poll(() => script.calls.filter((call) => call.startsWith("resources/unsubscribe"))).toHaveLength(5);
});
