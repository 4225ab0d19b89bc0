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

test("members of a tool that are not as they must be cost themselves alone", async () => {
  const { tools } = await connected({
    "tools/list": (_, { answer }) =>
      answer({
        tools: [
          tool("nulls", { description: null, title: null, annotations: null, outputSchema: null, _meta: null }),
          tool("kinds", { description: 5, title: {}, annotations: "x", outputSchema: 7, _meta: [], icons: 1 }),
          tool("hints", { description: "Fine.", annotations: { readOnlyHint: "yes", idempotentHint: null } }),
          tool("fine", { description: "Fine." }),
        ],
        nextCursor: null,
      }),
  });
  const offered = tools.tools();
  expect(offered.map(({ name, description }) => [name, description])).toEqual([
    ["mcp__odd__nulls", ""],
    ["mcp__odd__kinds", ""],
    ["mcp__odd__hints", "Fine."],
    ["mcp__odd__fine", "Fine."],
  ]);
  for (const each of offered) {
    expect(each.concurrencySafe({})).toBe(false);
    expect(await each.preview?.({}, {} as never)).toContain("MCP server odd");
    expect((await tried?.call(each.name.slice("mcp__odd__".length)))?.output).toContain("done");
  }
});

test("a schema that is nested without end costs its tool alone", async () => {
  const deep: { [name: string]: unknown } = {};
  let inner = deep;
  for (let depth = 0; depth < 3_000; depth += 1) inner = inner["properties"] = { type: "object" } as typeof deep;
  const { tools, notices } = await connected({
    "tools/list": (_, { answer }) =>
      answer({ tools: [tool("fine"), { name: "deep", inputSchema: { type: "object", ...deep } }] }),
  });
  expect(tools.tools().map(({ name }) => name)).toEqual(["mcp__odd__fine"]);
  expect(notices).toEqual(["Skipped tools of MCP server odd: deep (its definition is nested too deeply)."]);
});

test("null where the protocol wants nothing is nothing, and in schemas and data it is a value", async () => {
  const prompt = { name: "p", title: null, description: null, arguments: [{ name: "a", description: null }] };
  const inputSchema = { type: "object", properties: { a: { enum: ["x", null], default: null } } };
  const { live, tools, call } = await connected({
    initialize: (_, { answer }) =>
      answer({
        protocolVersion: "2025-06-18",
        capabilities: { tools: { listChanged: null }, prompts: {}, resources: { subscribe: null }, logging: null },
        serverInfo: { name: "odd", title: null, version: "1" },
        instructions: null,
        _meta: null,
      }),
    "tools/list": ({ id }, { send }) =>
      send({
        jsonrpc: "2.0",
        id,
        error: null,
        result: { tools: [{ name: "act", inputSchema, annotations: null }], nextCursor: null },
      }),
    "prompts/list": (_, { answer }) => answer({ prompts: [prompt], nextCursor: null }),
    "resources/list": (_, { answer }) =>
      answer({ resources: [{ uri: "a://b", name: "r", mimeType: null, size: null, annotations: null }] }),
    "tools/call"({ params }, { answer, send }) {
      const meta = params?.["_meta"] as { readonly progressToken?: unknown } | undefined;
      const progress = { progressToken: meta?.progressToken, progress: 1, total: null, message: null };
      send({ jsonrpc: "2.0", method: "notifications/progress", params: progress });
      send({ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: null });
      answer({
        content: [{ type: "text", text: "said", annotations: null, _meta: null }],
        structuredContent: { found: null },
        isError: null,
        _meta: null,
      });
    },
  });
  expect([live.offers().prompts.map(({ name }) => name), live.offers().resources.map(({ uri }) => uri)]).toEqual([
    ["p"],
    ["a://b"],
  ]);
  expect(tools.tools()[0]?.inputSchema).toEqual(inputSchema);
  const { output, isError } = await call("act");
  expect([output.includes("said"), output.includes('"found": null'), isError]).toEqual([true, true, undefined]);
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
