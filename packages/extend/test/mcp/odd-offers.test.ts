/** Proves that lists which go on for ever, repeat themselves or have faults cost no more than their faults. */
import { afterEach, expect, test } from "vitest";
import { type Script, scriptedServer, tool } from "./scripted-server.ts";
import { type Tried, tryServer } from "./try-server.ts";

let tried: Tried | undefined;
afterEach(async () => tried?.close());

async function connected(script: Script): Promise<Tried> {
  tried = tryServer(scriptedServer("odd", script));
  await tried.live.connect();
  expect(tried.live.state()).toEqual({ state: "connected" });
  return tried;
}

test("tools whose cursors go round in a circle are listed once, and the circle is left", async () => {
  let asked = 0;
  const { live, notices } = await connected({
    "tools/list"({ params }, { answer }) {
      asked += 1;
      const isSecond = params?.["cursor"] === "two";
      answer({ tools: [tool(isSecond ? "b" : "a")], nextCursor: isSecond ? "one" : "two" });
    },
  });
  expect(live.offers().tools.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(notices).toEqual([]);
  expect(asked).toBeLessThanOrEqual(70);
});

test("resources and prompts whose pages never end are used as far as they were listed", async () => {
  const { live } = await connected({
    "resources/list"({ params }, { answer }) {
      const at = Number(params?.["cursor"] ?? 0);
      answer({ resources: [{ uri: `odd://${at}`, name: `r${at}` }], nextCursor: `${at + 1}` });
    },
    "prompts/list"({ params }, { answer }) {
      const at = Number(params?.["cursor"] ?? 0);
      answer({ prompts: [{ name: `p${at}` }], nextCursor: `${at + 1}` });
    },
    "resources/templates/list"(_, { answer }) {
      answer({ resourceTemplates: [{ uriTemplate: "odd://{id}", name: "t" }], nextCursor: "again" });
    },
  });
  const { resources, prompts, templates } = live.offers();
  expect([resources.length, prompts.length]).toEqual([64, 64]);
  expect(templates.map(({ name }) => name)).toEqual(["t"]);
});

test("a prompt, a resource or a template that is not as it must be costs itself alone", async () => {
  const { live } = await connected({
    "prompts/list": (_, { answer }) => answer({ prompts: [{ name: "fine" }, { name: 7 }, null, {}] }),
    "resources/list": (_, { answer }) => answer({ resources: [{ uri: "a://b", name: "fine" }, { uri: 1 }, "x"] }),
    "resources/templates/list": (_, { answer }) =>
      answer({ resourceTemplates: [{ name: "fine", uriTemplate: "a://{b}" }, { name: "no template" }] }),
  });
  const { resources, prompts, templates } = live.offers();
  expect([resources, prompts, templates].map((each) => each.map(({ name }) => name))).toEqual([
    ["fine"],
    ["fine"],
    ["fine"],
  ]);
});

test("one tool that is named twice is one tool, with the first description", async () => {
  const { tools } = await connected({
    "tools/list": (_, { answer }) =>
      answer({ tools: [tool("act", { description: "The first." }), tool("act", { description: "The second." })] }),
  });
  expect(tools.tools().map(({ name, description }) => [name, description])).toEqual([["mcp__odd__act", "The first."]]);
});

test("a thousand tools with similar or unusable names make a few notices of bounded length", async () => {
  const { tools, notices } = await connected({
    "tools/list": (_, { answer }) =>
      answer({
        tools: [
          ...Array.from({ length: 400 }, (_, at) =>
            tool(`do it${" ".repeat(at)}`.replaceAll(" ", " ").trim() + "!".repeat(at % 2) + ".".repeat(at)),
          ),
          ...Array.from({ length: 300 }, (_, at) => ({
            name: `bad\u001b[31m${at}${"x".repeat(5_000)}`,
            inputSchema: { type: "string" },
          })),
        ],
      }),
  });
  expect(tools.tools().length).toBeGreaterThan(1);
  expect(notices.length).toBeLessThanOrEqual(10);
  expect(Math.max(...notices.map(({ length }) => length))).toBeLessThan(1_000);
  expect(notices.join("")).not.toContain("\u001b");
});

test("instructions that are cut stay well-formed text", async () => {
  const { live } = await connected({
    initialize: (_, { answer }) =>
      answer({
        protocolVersion: "2025-06-18",
        capabilities: {},
        serverInfo: { name: "odd", version: "1" },
        instructions: `${"😀".repeat(1_000 - 1)}a😀😀`,
      }),
  });
  const { instructions } = live.offers();
  expect(instructions.isWellFormed()).toBe(true);
  expect(instructions.length).toBeLessThanOrEqual(2_000);
});

test("a server that says it has tools and refuses to list them has failed, and one without capabilities has none", async () => {
  tried = tryServer(
    scriptedServer("odd", {
      "tools/list": ({ id }, { send }) => send({ jsonrpc: "2.0", id, error: { code: -32_603, message: "no" } }),
    }),
  );
  await tried.live.connect();
  expect(tried.live.state()).toEqual({ state: "failed", error: "its tools could not be listed" });
});
