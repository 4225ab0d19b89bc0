/** The pool of a session only grows at its end: what requests carried stays, whatever becomes of the sources. */
import { fixedToolSource, type OpenToolSource, type Tool, type ToolSource } from "@kedge/protocol";
import { expect, test } from "vitest";
import { openSite } from "./compaction-site.ts";
import { call, calls, createHarness, createTool, type Harness, say } from "./harness.ts";

const ours = (...tools: readonly Tool[]) => fixedToolSource({ name: "ours", kind: "built-in" }, () => tools);

/** A server whose tools a test changes while a session runs. */
function createServer(...first: readonly Tool[]) {
  let tools = first;
  const listeners = new Set<() => void>();
  const open: OpenToolSource = {
    tools: () => tools,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
  const source: ToolSource = { name: "github", kind: "custom", open: () => open };
  return {
    source,
    listeners: () => listeners.size,
    change(...next: readonly Tool[]) {
      tools = next;
      for (const listener of listeners) listener();
    },
  };
}

const namesSent = ({ requests }: Harness) => requests.map(({ tools }) => tools.map(({ name }) => name));

/** Every request begins with the tools of the one before. */
function expectOnlyGrowth({ requests }: Harness): void {
  for (const [index, { tools }] of requests.entries()) {
    const before = JSON.stringify(requests[index - 1]?.tools ?? []).slice(0, -1);
    expect(JSON.stringify(tools).startsWith(before)).toBe(true);
  }
}

const far: Tool = { ...createTool({ name: "far" }), searchHint: "distant" };
const alpha = createTool({ name: "alpha" });
const one = createTool({ name: "one" });
const read = (change: () => void) =>
  createTool({
    name: "read",
    run: async () => {
      change();
      return { output: "read", title: "read" };
    },
  });

test("built-ins come first, each part sorted, whatever the order of the sources", async () => {
  const server = createServer(one, alpha);
  const harness = createHarness({
    turns: [say("Hello.")],
    parts: { toolSources: [server.source, ours(createTool({ name: "write" }), createTool({ name: "read" }))] },
  });
  await harness.prompt(await harness.open(), "hi");
  expect(namesSent(harness)).toEqual([["read", "write", "alpha", "one"]]);
  await harness.engine.close();
  expect(server.listeners()).toBe(0);
});

test("tools that come while a run is under way join at the next step, and a resumed session has them in the same place", async () => {
  const server = createServer(one);
  const sources = [
    ours(
      read(() => server.change(alpha, far, one)),
      createTool({ name: "write" }),
    ),
    server.source,
  ];
  const harness = createHarness({
    turns: [
      calls(call("c1", "read", {})),
      calls(call("c2", "tool_search", { query: "distant" })),
      calls(call("c3", "far", {})),
      say("Done."),
    ],
    parts: { toolSources: sources },
  });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "go");
  const begun = ["read", "write", "one"];
  const grown = [...begun, "tool_search", "alpha"];
  expect(namesSent(harness)).toEqual([begun, grown, [...grown, "far"], [...grown, "far"]]);
  expectOnlyGrowth(harness);
  const started = harness.facts().filter((fact) => fact.type === "step.started");
  expect(started.map(({ addedTools }) => addedTools)).toEqual([
    undefined,
    ["tool_search", "alpha"],
    undefined,
    undefined,
  ]);
  expect(started[1]?.reminders).toEqual([expect.stringContaining("Deferred tools (load with tool_search): far")]);
  await harness.engine.close();

  const again = createHarness({
    turns: [say("Still here.")],
    parts: { toolSources: sources },
    store: harness.store,
    boot: "boot-2",
  });
  await again.resume(sessionId);
  await again.prompt(sessionId, "go on");
  expect(JSON.stringify(again.requests[0]?.tools)).toBe(JSON.stringify(harness.requests.at(-1)?.tools));
  const [first] = again.facts().filter((fact) => fact.type === "step.started");
  expect(first).toMatchObject({ reminders: [] });
  expect(first?.addedTools).toBeUndefined();
});

test("a tool that goes away stays in the request, and its calls fail with a reason until it is back", async () => {
  const server = createServer(alpha);
  const harness = createHarness({
    turns: [
      calls(call("c1", "read", {})),
      calls(call("c2", "alpha", {})),
      say("It is gone."),
      calls(call("c3", "alpha", {})),
      say("It is back."),
    ],
    parts: { toolSources: [ours(read(() => server.change())), server.source] },
  });
  const sessionId = await harness.open("bypass");
  await harness.prompt(sessionId, "go");
  server.change(alpha);
  await harness.prompt(sessionId, "again");
  expect(new Set(harness.requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
  const ends = harness.facts().filter((fact) => fact.type === "tool.ended");
  expect(ends.map(({ callId, outcome, output }) => [callId, outcome, output])).toEqual([
    ["c1", "completed", "read"],
    [
      "c2",
      "failed",
      "There is no tool named alpha any more: it was removed while this session ran. Continue without it.",
    ],
    ["c3", "completed", "alpha {}"],
  ]);
});

test("a tool with other words is called with the words that were sent first", async () => {
  const server = createServer(alpha);
  const other: Tool = { ...alpha, description: "does something else", run: async () => ({ output: "new", title: "" }) };
  const harness = createHarness({
    turns: [calls(call("c1", "read", {})), calls(call("c2", "alpha", {})), say("Done.")],
    parts: { toolSources: [ours(read(() => server.change(other))), server.source] },
  });
  await harness.prompt(await harness.open("bypass"), "go");
  expect(new Set(harness.requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
  expect(harness.facts()).toContainEqual(expect.objectContaining({ type: "tool.ended", callId: "c2", output: "new" }));
});

test("of two tools with one name the built-in is offered, and the other is named once", async () => {
  const foreign: Tool = { ...createTool({ name: "read" }), description: "not ours" };
  const server = createServer(foreign, one);
  const harness = createHarness({
    turns: [say("One."), say("Two.")],
    parts: { toolSources: [server.source, ours(read(() => undefined))] },
  });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "go");
  await harness.prompt(sessionId, "again");
  expect(harness.requests[0]?.tools.map(({ name, description }) => [name, description])).toEqual([
    ["read", "does read"],
    ["one", "does one"],
  ]);
  expect(harness.signals().filter(({ type }) => type === "notice")).toEqual([
    { type: "notice", sessionId, text: "Skipped tool read of github: another tool has that name." },
  ]);
});

test("tools that can be searched for stay named, also after a summary", async () => {
  const { harness, asked } = openSite({
    turns: [say("One."), say("Two."), say("Three.")],
    summaries: [say("<summary>\nWhat was done.\n</summary>")],
    parts: { toolSources: [ours(read(() => undefined)), createServer(far).source] },
  });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "go ".repeat(1_000));
  await harness.prompt(sessionId, "more");
  const compacted = await harness.engine.send<"context.compact">({ type: "context.compact", sessionId });
  expect(compacted).toMatchObject({ ok: true });
  await harness.prompt(sessionId, "again");
  const tails = asked.map(({ systemTail }) => systemTail);
  expect(tails).toEqual(Array(3).fill(expect.stringContaining("Deferred tools (load with tool_search): far")));
});
