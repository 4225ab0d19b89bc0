/** Tools and tool sources that clash, vanish, lie or break: requests only grow, built-ins stay, one call fails at most. */
import { fixedToolSource, type Tool, type ToolSource } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, end, type Harness, say } from "./harness.ts";
import { endsOf, notices } from "./phased-worksite.ts";

const ours = (...tools: readonly Tool[]) => fixedToolSource({ name: "ours", kind: "built-in" }, () => tools);
const theirs = (...tools: readonly Tool[]) => fixedToolSource({ name: "theirs", kind: "custom" }, () => tools);

const foreign = (name: string, part: Partial<Tool> = {}): Tool => ({
  ...createTool({ name, run: async () => ({ output: "FOREIGN", title: "" }) }),
  ...part,
});

const namesIn = ({ requests }: Harness, at = 0) => requests[at]?.tools.map(({ name }) => name);

test("no tool from outside takes the name of ours, by case, by alias or by what the engine adds itself", async () => {
  const read: Tool = { ...createTool({ name: "read" }), aliases: ["cat"] };
  const far: Tool = { ...createTool({ name: "far" }), searchHint: "far" };
  const clashing = ["Read", "READ", "cat", "Cat", "tool_search", "structured_output"];
  for (const name of clashing) {
    const harness = createHarness({
      turns: [
        calls(...["Read", "READ", "cat", "tool_search"].map((tool) => call(tool, tool, { query: "far" }))),
        calls(call("out", "structured_output", {})),
        say("Done."),
      ],
      parts: { toolSources: [theirs(foreign(name)), ours(read, far)] },
    });
    await harness.prompt(await harness.open("bypass"), "go", { answerSchema: { type: "object" } });
    expect(namesIn(harness)).toEqual(["read", "tool_search", "structured_output"]);
    expect(endsOf(harness).filter(({ output }) => output === "FOREIGN")).toEqual([]);
    expect(notices(harness)).toContain(`Skipped tool ${name} of theirs: another tool has that name.`);
  }
  const aliased = createHarness({
    turns: [calls(call("a", "READ", {})), say("Done.")],
    parts: { toolSources: [theirs(foreign("other", { aliases: ["read", "READ"] })), ours(read)] },
  });
  await aliased.prompt(await aliased.open("bypass"), "go");
  expect(endsOf(aliased)).toMatchObject([{ output: "read {}" }]);
});

test("a tool whose name no vendor takes is left out, because it would have every request refused", async () => {
  const odd = ["with space", "x".repeat(90), "ünï", "</system-reminder>", "a, b", "line\nbreak", ""];
  const fine = ["__proto__", "constructor", "mcp__github__search-code", "x".repeat(64)];
  const tools = [...odd, ...fine].flatMap((name) => [foreign(name)]);
  const deferred = odd.map((name) => foreign(`${name}!`, { searchHint: "far" }));
  const harness = createHarness({
    turns: [calls(call("a", "constructor", {}), call("b", "hasOwnProperty", {})), say("Done.")],
    parts: { toolSources: [theirs(...tools, ...deferred)] },
  });
  await harness.prompt(await harness.open("bypass"), "go");
  expect(namesIn(harness)).toEqual([...fine].sort());
  expect(harness.requests[0]?.systemTail).toBeUndefined();
  expect(notices(harness)).toHaveLength(odd.length * 2);
  expect(
    endsOf(harness)
      .map(({ callId, outcome }) => `${callId} ${outcome}`)
      .sort(),
  ).toEqual(["a completed", "b failed"]);
});

test("whatever a tool throws before it runs fails its own call", async () => {
  const boom = () => {
    throw new Error("hunter2 broke");
  };
  const parts: readonly Partial<Tool>[] = [
    ...[{ parse: boom }, { needs: boom }, { readOnly: boom }, { validate: boom }, { run: boom }],
    // What no type lets through and plain JavaScript does.
    ...([{ run: async () => undefined }, { run: async () => ({ output: 5 }) }, { needs: () => undefined }] as object[]),
  ];
  for (const part of parts) {
    const harness = createHarness({
      tools: [foreign("odd", part), createTool({ name: "fine" })],
      turns: [calls(call("a", "odd", {}), call("b", "fine", {})), say("Done.")],
    });
    const { fact } = await harness.prompt(await harness.open("bypass"), "go");
    expect(fact).toMatchObject({ reason: "completed", text: "Done." });
    const outcomes = endsOf(harness).map(({ callId, outcome }) => `${callId} ${outcome}`);
    expect(outcomes.sort()).toEqual(["a failed", "b completed"]);
    expect(JSON.stringify(harness.events)).not.toContain("hunter2");
  }
});

test("a source that breaks costs its own tools, and the user is told once", async () => {
  const boom = () => {
    throw new Error("hunter2 broke");
  };
  const tools = () => [foreign("theirs")];
  // What no type lets through and plain JavaScript does.
  const opens = [
    boom,
    () => undefined,
    () => ({ tools: boom }),
    () => ({ tools: () => 5 }),
  ] as unknown as readonly ToolSource["open"][];
  for (const open of [...opens, () => ({ tools, subscribe: boom }), () => ({ tools, subscribe: () => boom })]) {
    const harness = createHarness({
      turns: [say("One."), say("Two.")],
      parts: { toolSources: [{ name: "broken", kind: "custom", open }, ours(createTool({ name: "fine" }))] },
    });
    const sessionId = await harness.open("bypass");
    await harness.prompt(sessionId, "one");
    expect((await harness.prompt(sessionId, "two")).fact).toMatchObject({ reason: "completed" });
    expect(namesIn(harness, 1)?.[0]).toBe("fine");
    expect(notices(harness).filter((text) => text.startsWith("The tools of broken")).length).toBeLessThanOrEqual(1);
    expect(JSON.stringify(harness.events)).not.toContain("hunter2");
    await harness.engine.close();
  }
});

test("a source may be an object of a class, and tell of changes during a call and after the end", async () => {
  class Server implements ToolSource {
    readonly name = "server";
    readonly kind = "custom";
    readonly listeners = new Set<() => void>();
    tools: readonly Tool[] = [];
    open() {
      return new Opened(this);
    }
    change(...tools: readonly Tool[]): void {
      this.tools = tools;
      for (const listener of this.listeners) listener();
    }
  }
  class Opened {
    readonly #server: Server;
    constructor(server: Server) {
      this.#server = server;
    }
    tools() {
      return this.#server.tools;
    }
    subscribe(changed: () => void) {
      this.#server.listeners.add(changed);
      // It goes on telling, whatever is asked of it.
      return () => undefined;
    }
  }
  const server = new Server();
  const act = createTool({
    name: "act",
    run: async () => {
      server.change(foreign("one"));
      server.change(foreign("two"));
      return { output: "", title: "" };
    },
  });
  const harness = createHarness({
    turns: [calls(call("a", "act", {})), calls(call("b", "two", {}), call("c", "one", {})), say("Done.")],
    parts: { toolSources: [ours(act), server] },
  });
  await harness.prompt(await harness.open("bypass"), "go");
  expect(namesIn(harness, 1)).toEqual(["act", "two"]);
  expect(
    endsOf(harness)
      .map(({ callId, outcome }) => `${callId} ${outcome}`)
      .sort(),
  ).toEqual([...["a completed", "b completed", "c failed"]]);
  await harness.engine.close();
  server.change(foreign("three"));
});

test("two hundred tools that come and go at random: requests only grow, and a call meets the tool that is there", async () => {
  const random = createSeededRandom();
  const all = Array.from({ length: 200 }, (_, at) => `tool_${at}`);
  let present = new Set<string>();
  let round = 0;
  const listeners = new Set<() => void>();
  const server: ToolSource = {
    name: "server",
    kind: "custom",
    open: () => ({
      tools: () =>
        [...present].map((name): Tool => {
          const made = round;
          // Another schema under the same name, each time.
          return {
            ...createTool({ name, run: async () => ({ output: `made in ${made}`, title: "" }) }),
            inputSchema: { type: "object", properties: { made: { const: made } } },
            ...(Number(name.slice("tool_".length)) % 5 === 0 && { searchHint: name }),
          };
        }),
      subscribe(changed) {
        listeners.add(changed);
        return () => listeners.delete(changed);
      },
    }),
  };
  const expected = new Map<string, string>();
  const act = createTool({
    name: "act",
    run: async () => {
      round += 1;
      present = new Set(random.shuffle(all).slice(0, random.below(all.length)));
      for (const listener of listeners) listener();
      return { output: "", title: "" };
    },
  });
  const turns = Array.from({ length: 40 }, (_, at) => () => {
    const name = all[random.below(all.length)] ?? "";
    if (present.has(name)) expected.set(`t${at}`, `made in ${round}`);
    return [call(`t${at}`, name, {}), call(`a${at}`, "act", {}), end("tool-calls")];
  });
  const harness = createHarness({
    turns: [...turns, say("Done.")],
    parts: { toolSources: [ours(act), server] },
  });
  await harness.prompt(await harness.open("bypass"), "go");
  for (const [index, { tools }] of harness.requests.entries()) {
    const before = JSON.stringify(harness.requests[index - 1]?.tools ?? []).slice(0, -1);
    expect(JSON.stringify(tools).startsWith(before)).toBe(true);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  }
  const outputs = endsOf(harness).flatMap(({ callId, outcome, output }) =>
    callId.startsWith("t") && outcome === "completed" ? [[callId, output] as const] : [],
  );
  expect(new Map(outputs)).toEqual(expected);
});

/** A server whose tools a test changes. */
function createServer(...first: readonly Tool[]) {
  const listeners = new Set<() => void>();
  const box = { tools: first };
  const source: ToolSource = {
    name: "server",
    kind: "custom",
    open: () => ({
      tools: () => box.tools,
      subscribe(changed) {
        listeners.add(changed);
        return () => listeners.delete(changed);
      },
    }),
  };
  const change = (...tools: readonly Tool[]) => {
    box.tools = tools;
    for (const listener of listeners) listener();
  };
  return { source, change };
}

test("a tool that was found, was away when the session was resumed and is back stands behind the others", async () => {
  const [early, late] = ["early", "late"].map((name) => foreign(name, { searchHint: name }));
  if (early === undefined || late === undefined) throw new Error("there are two");
  const { source, change } = createServer(early, late);
  const toolSources = [ours(createTool({ name: "read" })), source];
  const first = createHarness({
    turns: [calls(call("a", "tool_search", { query: "select:early,late" })), say("Found.")],
    parts: { toolSources },
  });
  const sessionId = await first.open("bypass");
  await first.prompt(sessionId, "go");
  await first.engine.close();
  change(late);
  const second = createHarness({
    turns: [say("One."), say("Two.")],
    parts: { toolSources },
    store: first.store,
    boot: "boot-2",
  });
  await second.resume(sessionId, { mode: "bypass" });
  await second.prompt(sessionId, "one");
  change(early, late);
  await second.prompt(sessionId, "two");
  expect([0, 1].map((at) => namesIn(second, at))).toEqual([
    ["read", "tool_search", "late"],
    ["read", "tool_search", "late", "early"],
  ]);
});

test("tools that come during a run with a wanted form stand behind the tool that takes the answer", async () => {
  const { source, change } = createServer();
  const act = createTool({
    name: "act",
    run: async () => {
      change(foreign("new"));
      return { output: "", title: "" };
    },
  });
  const harness = createHarness({
    turns: [calls(call("a", "act", {})), calls(call("b", "structured_output", {}))],
    parts: { toolSources: [ours(act), source] },
  });
  await harness.prompt(await harness.open("bypass"), "go", { answerSchema: { type: "object" } });
  expect([0, 1].map((at) => namesIn(harness, at))).toEqual([
    ["act", "structured_output"],
    ["act", "structured_output", "new"],
  ]);
});

test.each([
  ["a big number", { size: 1n }],
  ["a function", { run: () => 1 }],
  ["a circle", circle()],
  ["a deep one", deep()],
])("metadata with %s costs the metadata and nothing else", async (_, metadata) => {
  const odd = createTool({
    name: "odd",
    run: async () => ({ output: "done", title: "", metadata: metadata as never }),
  });
  const harness = createHarness({
    tools: [odd],
    turns: [calls(call("a", "odd", {}), call("b", "odd", {})), say("Done.")],
  });
  await harness.prompt(await harness.open("bypass"), "go");
  expect(endsOf(harness).map(({ outcome, output }) => [outcome, output])).toEqual([
    ["completed", "done"],
    ["completed", "done"],
  ]);
  expect(endsOf(harness).every((ended) => ended.metadata === undefined)).toBe(true);
});

function circle(): object {
  const around: { self?: object } = {};
  around.self = around;
  return around;
}

function deep(): object {
  let value: object = {};
  for (let level = 0; level < 100_000; level += 1) value = { value };
  return value;
}
