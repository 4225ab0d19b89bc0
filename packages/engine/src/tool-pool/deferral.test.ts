import { emptySession, fixedToolSource, type Model, type Tool, type ToolSource } from "@kedge/protocol";
import { expect, test } from "vitest";
import type { ToolSearchMode } from "./deferral.ts";
import { createToolPool } from "./tool-pool.ts";

const model: Model = { ref: "m/a", provider: "m", id: "a", contextTokens: 1_000, outputTokensMax: 100 };

/** Its name, description and schema have `characters` together. */
function toolOf(name: string, characters: number): Tool {
  const inputSchema = { type: "object" } as const;
  return {
    name,
    description: "x".repeat(characters - name.length - JSON.stringify(inputSchema).length),
    inputSchema,
    resultCharactersMax: 100,
    parse: (input) => ({ ok: true, input }),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => true,
    run: async () => ({ output: "", title: name }),
  };
}

function poolOf(searchMode: ToolSearchMode, tools: () => readonly Tool[], listeners: Set<() => void> = new Set()) {
  const problems: string[] = [];
  const server: ToolSource = {
    name: "server",
    kind: "mcp",
    open: () => ({
      tools,
      subscribe(changed) {
        listeners.add(changed);
        return () => listeners.delete(changed);
      },
    }),
  };
  const own = fixedToolSource({ name: "ours", kind: "built-in" }, () => [toolOf("read", 100)]);
  const pool = createToolPool({
    profile: { toolSources: [own, server], interactive: true, rules: [] },
    state: emptySession("ses_1"),
    searchMode,
    onProblem: (sentence) => problems.push(sentence),
  });
  const step = (next: Model = model) => {
    pool.stepStarts(next);
    return pool.schemas("replace").map(({ name }) => name);
  };
  return { pool, step, problems };
}

const two = () => [toolOf("mcp__a__one", 125), toolOf("mcp__a__two", 125)];

test("always and off", () => {
  expect(poolOf("always", two).step()).toEqual(["read", "tool_search"]);
  const off = poolOf("off", two);
  expect(off.step()).toEqual(["read", "mcp__a__one", "mcp__a__two"]);
  expect(off.pool.deferred()).toEqual([]);
});

test("by share: from 2.5 characters for each token of that part of the window on", () => {
  // 10 % of 1,000 tokens are 250 characters.
  expect(poolOf({ windowPercent: 10 }, two).step()).toEqual(["read", "tool_search"]);
  expect(poolOf({ windowPercent: 11 }, two).step()).toEqual(["read", "mcp__a__one", "mcp__a__two"]);
  expect(poolOf({ windowPercent: 10 }, two).step({ ...model, contextTokens: 1_010 })).toHaveLength(3);
});

test("what was sent stays when tools that come later pass the share, and these are found by search", () => {
  let tools = [toolOf("mcp__a__one", 125)];
  const listeners = new Set<() => void>();
  const { pool, step } = poolOf({ windowPercent: 10 }, () => tools, listeners);
  expect(step()).toEqual(["read", "mcp__a__one"]);
  tools = [...tools, toolOf("mcp__a__two", 125)];
  for (const listener of listeners) listener();
  expect(pool.stepStarts(model)).toEqual(["tool_search"]);
  expect(pool.deferred().map(({ name }) => name)).toEqual(["mcp__a__two"]);
  expect(pool.deferred().map((tool) => pool.isUndiscovered(tool))).toEqual([true]);
});

test("more tools than the vendor takes are deferred in every mode, and the user is told once", () => {
  const { step, problems } = poolOf("off", two);
  expect(step({ ...model, toolsMax: 3 })).toEqual(["read", "mcp__a__one", "mcp__a__two"]);
  const limited = poolOf("off", two);
  expect(limited.step({ ...model, toolsMax: 2 })).toEqual(["read", "tool_search"]);
  limited.step({ ...model, toolsMax: 2 });
  expect(problems).toEqual([]);
  expect(limited.problems).toEqual(["3 tools exceed the limit of m/a (2). Some are available through tool_search."]);
});
