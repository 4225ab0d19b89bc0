/** Proves that hundreds of tools of servers cost little, are found when needed, and change nothing that was sent. */
import { fixedToolSource, type Tool, type ToolSource } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, type Harness, type ScriptedTurn, say } from "./harness.ts";

const ours = fixedToolSource({ name: "ours", kind: "built-in" }, () => [
  createTool({ name: "read" }),
  { ...createTool({ name: "notebook_edit" }), searchHint: "cells" },
]);

const foreign = (name: string, part: Partial<Tool> = {}): Tool => ({ ...createTool({ name }), ...part });

/** `names` of tools by the name of their server. */
function serversOf(names: { readonly [server: string]: readonly string[] }): readonly ToolSource[] {
  return Object.entries(names).map(([server, tools]) =>
    fixedToolSource({ name: server, kind: "mcp" }, () => tools.map((tool) => foreign(`mcp__${server}__${tool}`))),
  );
}

/** As many as real collections have: 527 tools of 70 servers. */
const many = Object.fromEntries(
  Array.from({ length: 70 }, (_, server) => [
    `service-${server}-server`,
    Array.from({ length: server < 37 ? 8 : 7 }, (__, tool) => `perform_some_work_${server}_${tool}`),
  ]),
);

const namesSent = ({ requests }: Harness) => requests.map(({ tools }) => tools.map(({ name }) => name));
const ends = (harness: Harness) => harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? fact : []));

function expectOnlyGrowth({ requests }: Harness): void {
  for (const [at, { tools, messages, system, systemTail }] of requests.entries()) {
    const before = requests[at - 1];
    if (before === undefined) continue;
    expect(JSON.stringify(tools).startsWith(JSON.stringify(before.tools).slice(0, -1))).toBe(true);
    expect(messages.slice(0, before.messages.length)).toEqual(before.messages);
    expect([system, systemTail]).toEqual([before.system, before.systemTail]);
  }
}

test("527 tools of 70 servers add less than 2,600 bytes to the first request", async () => {
  const open = async (toolSources: readonly ToolSource[]) => {
    const harness = createHarness({ turns: [say("Done.")], parts: { toolSources } });
    await harness.prompt(await harness.open(), "go");
    const [request] = harness.requests;
    const { tools, system, systemTail, messages } = request ?? {};
    return {
      names: tools?.map(({ name }) => name),
      bytes: JSON.stringify([tools, system, systemTail, messages]).length,
    };
  };
  const plain = await open([ours]);
  const full = await open([ours, ...serversOf(many)]);
  expect(full.names).toEqual(plain.names);
  expect(full.bytes - plain.bytes).toBeLessThan(2_600);
});

test("tools that are found over fifty turns stand behind the others, and nothing that was sent changes", async () => {
  const names = Object.entries(many).map(([server, [tool]]) => `mcp__${server}__${tool}`);
  const turns = names
    .slice(0, 50)
    .flatMap((name, at): readonly ScriptedTurn[] => [
      calls(call(`s${at}`, "tool_search", { query: `select:${name}` })),
      calls(call(`c${at}`, name, {})),
    ]);
  const harness = createHarness({
    turns: [...turns, say("Done.")],
    parts: { toolSources: [ours, ...serversOf(many)] },
  });
  await harness.prompt(await harness.open("bypass"), "go");
  expectOnlyGrowth(harness);
  expect(namesSent(harness).at(-1)).toEqual(["read", "tool_search", ...names.slice(0, 50)]);
  expect(ends(harness).every(({ outcome }) => outcome === "completed")).toBe(true);
  const found = harness.requests.at(-1)?.tools.flatMap(({ name, isFound }) => (isFound ? name : []));
  expect(found).toEqual(names.slice(0, 50));
  const results = harness.requests
    .at(-1)
    ?.messages.flatMap((message) => (message.role === "tool" ? (message.foundTools ?? []) : []));
  expect(results).toEqual(names.slice(0, 50));
});

const git = { git: ["log", "diff_files", "create_branch"], mail: ["send_message"] };

test.each([
  ["select:mcp__git__log,nothing,read", ["mcp__git__log", "read"]],
  ["mcp__git__log", ["mcp__git__log"]],
  ["mcp__git__", ["mcp__git__create_branch", "mcp__git__diff_files", "mcp__git__log"]],
  ["mcp__git__ make a new branch", ["mcp__git__create_branch"]],
  ["e-mail somebody", ["mcp__mail__send_message"]],
  ["+mail message", ["mcp__mail__send_message"]],
])("the query %s finds %j", async (query, found) => {
  const harness = createHarness({
    turns: [calls(call("a", "tool_search", { query })), say("Done.")],
    parts: { toolSources: [ours, ...serversOf(git)] },
  });
  await harness.prompt(await harness.open(), "go");
  const names = ends(harness)[0]?.metadata?.["foundTools"] as readonly string[];
  expect(names.slice(0, found.length)).toEqual(found);
});

test("a call of a tool that was never sent is told how to get it, once, by any name it has", async () => {
  const strict = foreign("mcp__tasks__create", {
    aliases: ["create_task"],
    parse: () => ({ ok: false, report: "subject: required" }),
  });
  const harness = createHarness({
    turns: [
      calls(call("a", "MCP__TASKS__CREATE", { x: 1 })),
      calls(call("b", "create_task", { x: 1 })),
      calls(call("c", "tool_search", { query: "select:mcp__tasks__create" })),
      calls(call("d", "mcp__tasks__create", { x: 1 })),
      say("Done."),
    ],
    parts: { toolSources: [ours, fixedToolSource({ name: "tasks", kind: "mcp" }, () => [strict])] },
  });
  await harness.prompt(await harness.open(), "go");
  const hint =
    "The schema of mcp__tasks__create was never sent. Call tool_search with the query select:mcp__tasks__create first.";
  expect(ends(harness).map(({ output }) => output)).toEqual([
    `subject: required\n${hint}`,
    "subject: required",
    expect.stringContaining("Callable from the next step:\nmcp__tasks__create"),
    "subject: required",
  ]);
});

test("the report on the context lists loaded, found and deferred tools with their tokens", async () => {
  const turns = [calls(call("c1", "tool_search", { query: "select:mcp__a__one" })), say("Done.")];
  const harness = createHarness({ turns, parts: { toolSources: [ours, ...serversOf({ a: ["one", "two"] })] } });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "go");
  const looked = await harness.engine.send<"context.inspect">({ type: "context.inspect", sessionId });
  const tools = looked.ok ? looked.value.tools : [];
  expect(tools.map(({ name, state }) => [name, state])).toEqual([
    ["read", "loaded"],
    ["tool_search", "loaded"],
    ["mcp__a__one", "found"],
    ["notebook_edit", "deferred"],
    ["mcp__a__two", "deferred"],
  ]);
  for (const { tokens } of tools) expect(tokens).toBeGreaterThan(0);
});

test("a tool that says so is in every request, and so is one that the session names", async () => {
  const source = fixedToolSource({ name: "git", kind: "mcp" }, () => [
    foreign("mcp__git__log", { alwaysLoad: true }),
    foreign("mcp__git__diff"),
    foreign("mcp__git__push"),
  ]);
  const first = async (parts: object) => {
    const harness = createHarness({ turns: [say("Done.")], parts: { toolSources: [ours, source], ...parts } });
    await harness.prompt(await harness.open(), "go");
    return namesSent(harness)[0];
  };
  expect(await first({})).toEqual(["read", "tool_search", "mcp__git__log"]);
  expect(await first({ toolNames: ["read", "mcp__git__diff"] })).toEqual(["read", "mcp__git__diff"]);
});

test("a server that is still connecting keeps the search at hand, and its tools are announced when they come", async () => {
  let tools: readonly Tool[] | undefined;
  let changed = () => {};
  const source: ToolSource = {
    name: "slow",
    kind: "mcp",
    open: () => ({
      tools: () => tools ?? [],
      isPending: () => tools === undefined,
      subscribe(listener) {
        changed = listener;
        return () => {};
      },
    }),
  };
  const read = createTool({
    name: "read",
    run: async () => {
      tools = [foreign("mcp__slow__look")];
      changed();
      return { output: "", title: "" };
    },
  });
  const harness = createHarness({
    turns: [calls(call("a", "tool_search", { query: "look" })), calls(call("b", "read", {})), say("Done.")],
    parts: { toolSources: [fixedToolSource({ name: "ours", kind: "built-in" }, () => [read]), source] },
  });
  await harness.prompt(await harness.open(), "go");
  expect(namesSent(harness)).toEqual(Array(3).fill(["read", "tool_search"]));
  const [searched] = ends(harness);
  expect(searched?.metadata).toEqual({ foundTools: [], totalDeferredTools: 0, pendingServers: ["slow"] });
  expect(searched?.output).toContain("Still connecting, so search again later: slow.");
  expect(JSON.stringify(harness.requests[2]?.messages)).toContain("mcp__slow__look");
  expectOnlyGrowth(harness);
});

/** Its tools are known as soon as somebody waits for them. */
function connectingSource(): ToolSource & { connect(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isOpen = false;
  let changed = () => undefined as unknown;
  const connect = () => {
    isOpen = true;
    changed();
    resolve();
  };
  return {
    name: "slow",
    kind: "mcp",
    connect,
    open: () => ({
      tools: () => (isOpen ? [foreign("mcp__slow__send")] : []),
      isPending: () => !isOpen,
      settled() {
        queueMicrotask(connect);
        return promise;
      },
      subscribe(listener) {
        changed = listener;
        return () => undefined;
      },
    }),
  };
}

const late = [
  ["a call", call("a", "mcp__slow__send", {})],
  ["a search", call("a", "tool_search", { query: "mcp__slow__" })],
] as const;

test.each(late)("%s of a tool whose server connected while the model answered finds it", async (_, made) => {
  const allow = { permission: "mcp__slow__send", pattern: "*", action: "allow" } as const;
  const source = connectingSource();
  const answer = () => {
    source.connect();
    return calls(made);
  };
  const parts = { toolSources: [ours, source] };
  const rules = [{ source: "user", rules: [allow] }] as const;
  const harness = createHarness({ turns: [answer, say("Done.")], parts, rules });
  await harness.prompt(await harness.open(), "go");
  expect(ends(harness)[0]).toMatchObject({ outcome: "completed" });
  expect(ends(harness)[0]?.metadata ?? {}).not.toMatchObject({ foundTools: [] });
  expectOnlyGrowth(harness);
});

test.each(late)("%s of a tool whose server still connects waits for it, and no request does", async (_, made) => {
  const allow = { permission: "mcp__slow__send", pattern: "*", action: "allow" } as const;
  const rules = [{ source: "user", rules: [allow] }] as const;
  const parts = { toolSources: [ours, connectingSource()] };
  const harness = createHarness({ turns: [calls(made), say("Done.")], parts, rules });
  await harness.prompt(await harness.open(), "go");
  const [end] = ends(harness);
  expect(end).toMatchObject({ outcome: "completed" });
  expect(end?.output).not.toContain("There is no tool");
  expect(namesSent(harness)[0]).not.toContain("mcp__slow__send");
  expectOnlyGrowth(harness);
});
