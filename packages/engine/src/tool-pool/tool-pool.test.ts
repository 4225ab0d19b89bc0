import {
  type EditMode,
  emptySession,
  fixedToolSource,
  type Tool,
  type ToolContext,
  type ToolSource,
} from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { createToolPool, type ToolPool } from "./tool-pool.ts";

function toolNamed(name: string, aliases: readonly string[] = []): Tool {
  return {
    name,
    aliases,
    description: `does ${name}`,
    inputSchema: { type: "object" },
    resultCharactersMax: 100,
    parse: (input) => ({ ok: true, input }),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => true,
    run: async () => ({ output: "", title: name }),
  };
}

function poolOf(tools: readonly Tool[], found: readonly string[] = []) {
  const toolSources = [fixedToolSource({ name: "ours", kind: "built-in" }, () => tools)];
  const state = { ...emptySession("ses_1"), foundTools: new Set(found) };
  return createToolPool({ profile: { toolSources, interactive: true, rules: [] }, state, onProblem: () => undefined });
}

const tools = [toolNamed("write"), toolNamed("glob", ["find"]), toolNamed("read"), toolNamed("Zed")];

const namesIn = (pool: ToolPool, mode: EditMode = "replace") => pool.schemas(mode).map(({ name }) => name);

test("the same tools in any order give the same bytes", () => {
  const random = createSeededRandom();
  const expected = JSON.stringify(poolOf(tools).schemas("replace"));
  for (let round = 0; round < 20; round += 1) {
    expect(JSON.stringify(poolOf(random.shuffle(tools)).schemas("replace"))).toBe(expected);
  }
  expect(namesIn(poolOf(tools))).toEqual(["Zed", "glob", "read", "write"]);
});

test("a tool is found by name, alias and in any case; near names are offered otherwise", () => {
  const pool = poolOf(tools);
  expect(pool.find("read")?.name).toBe("read");
  expect(pool.find("find")?.name).toBe("glob");
  expect(pool.find("READ")?.name).toBe("read");
  expect(pool.find("zed")?.name).toBe("Zed");
  expect(pool.find("reed")).toBeUndefined();
  expect(pool.describeMissing("reed")).toMatch(/^There is no tool named reed\. The closest are: read, /);
});

test("a tool with a search hint is named to the model only once it was found", () => {
  const hinted = [...tools, { ...toolNamed("notebook"), searchHint: "cells" }];
  const pool = poolOf(hinted);
  expect(namesIn(pool)).toEqual(["Zed", "glob", "read", "tool_search", "write"]);
  expect(pool.schemas("replace")).toBe(pool.schemas("replace"));
  expect(namesIn(poolOf(hinted, ["notebook"]))).toEqual(["Zed", "glob", "read", "tool_search", "write", "notebook"]);
  expect(pool.find("notebook")?.name).toBe("notebook");
});

test("a tool of another way of editing is not named to the model, but runs when it is called", () => {
  const pool = poolOf([...tools, { ...toolNamed("apply_patch"), editModes: ["patch"] }]);
  expect(namesIn(pool)).toEqual(["Zed", "glob", "read", "write"]);
  expect(namesIn(pool, "patch")).toEqual(["Zed", "apply_patch", "glob", "read", "write"]);
  expect(pool.find("apply_patch")?.name).toBe("apply_patch");
});

/** Connects when it is told to, and never by itself. */
function lateSource(name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isHere = false;
  const source: ToolSource = {
    name,
    kind: "mcp",
    open: () => ({
      tools: () => (isHere ? [toolNamed(`mcp__${name}__look`)] : []),
      isPending: () => !isHere,
      settled: () => promise,
    }),
  };
  return {
    source,
    connect() {
      isHere = true;
      resolve();
    },
  };
}

test("a call and a search wait for the server that has the tool, and not for one that hangs", async () => {
  const { source, connect } = lateSource("quick");
  const toolSources = [lateSource("hanging").source, source];
  const state = emptySession("ses_1");
  const pool = createToolPool({ profile: { toolSources, interactive: true, rules: [] }, state, onProblem: () => {} });
  pool.stepStarts({ ref: "m/a", provider: "m", id: "a", contextTokens: 1_000, outputTokensMax: 100 });
  const { signal } = new AbortController();
  const searched = pool.find("tool_search")?.run({ query: "quick look", max_results: 5 }, { signal } as ToolContext);
  const called = pool.awaitPending(signal, () => pool.find("mcp__quick__look") !== undefined);
  expect(pool.find("mcp__quick__look")).toBeUndefined();
  connect();
  await called;
  expect(pool.find("mcp__quick__look")?.name).toBe("mcp__quick__look");
  expect((await searched)?.metadata).toEqual({ foundTools: ["mcp__quick__look"] });
});

test("a call that is interrupted waits no longer", async () => {
  const { source } = lateSource("hanging");
  const state = emptySession("ses_1");
  const profile = { toolSources: [source], interactive: true, rules: [] };
  const pool = createToolPool({ profile, state, onProblem: () => {} });
  const stop = new AbortController();
  const called = pool.awaitPending(stop.signal, () => false);
  stop.abort();
  await called;
  expect(pool.find("mcp__hanging__look")).toBeUndefined();
});
