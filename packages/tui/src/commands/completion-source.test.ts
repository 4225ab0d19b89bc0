/** What is offered while the user types a command, an argument or a path, and what the engine is asked for it. */
import { expect, test } from "vitest";
import { type BenchParts, openBench, Refusal, summaryOf } from "../../test/command-bench.ts";
import { slashCommands } from "./command-table.ts";
import { createCompletionSource } from "./completion-source.ts";

const project = { root: "/work", directory: "/work" };
const commandList = { "command.list": { commands: [{ name: "weather", summary: "shows the weather" }] } };

function openSource(parts: BenchParts = {}) {
  const answers: { [type: string]: unknown } = { ...commandList, "project.read": project, ...parts.answers };
  const bench = openBench({ servers: [], ...parts, answers });
  const clock = { now: 1_000 };
  const source = createCompletionSource({ commands: slashCommands, context: bench.context, now: () => clock.now });
  const { signal } = new AbortController();
  return {
    ...{ answers, clock, doings: bench.doings },
    command: (text: string) => source.complete({ kind: "command", text }, signal),
    file: (text: string) => source.complete({ kind: "file", text }, signal),
    async values(kind: "command" | "file", text: string) {
      return (await source.complete({ kind, text }, signal)).map(({ value }) => value);
    },
  };
}

test("all commands are offered for a bare slash, and the engine's own behind them", async () => {
  expect(await openSource().values("command", "")).toEqual([...slashCommands.map(({ name }) => name), "weather"]);
});

test("a row has the value to put in, what is read, and what it does", async () => {
  expect(await openSource().command("wea")).toEqual([
    { value: "weather", label: "/weather", detail: "shows the weather" },
  ]);
  expect((await openSource().command("qui"))[0]).toEqual({
    value: "quit",
    label: "/quit",
    detail: "Exit kedge (/exit)",
  });
});

test.each([
  ["mo", ["model", "mode"]],
  ["mode", ["mode", "model"]],
  ["new", ["new"]],
  ["cmpct", ["compact"]],
  ["xyz", []],
])("/%s begins with the best", async (text, values) => {
  expect((await openSource().values("command", text)).slice(0, Math.max(1, values.length))).toEqual(values);
});

test("what would be refused is not offered while a run is under way", async () => {
  const offered = await openSource({ isRunning: true }).values("command", "");
  expect(slashCommands.map(({ name }) => name).filter((name) => !offered.includes(name))).toEqual([
    "continue",
    "undo",
    "redo",
    "rewind",
    "tree",
    "shake",
  ]);
});

test("a whole name that would be refused while a run is under way is not replaced by a similar one", async () => {
  expect(await openSource({ isRunning: true }).values("command", "tree")).toEqual([]);
  expect((await openSource().values("command", "tree"))[0]).toBe("tree");
});

const providers = [
  { providerId: "b", hasKey: false, models: [{ model: "b/antique" }] },
  { providerId: "anthropic", hasKey: true, models: [{ model: "anthropic/large" }, { model: "anthropic/small" }] },
];

test.each<readonly [text: string, values: readonly string[]]>([
  ["model an", ["model anthropic/large", "model anthropic/small", "model b/antique"]],
  ["models small", ["models anthropic/small"]],
  ["theme li", ["theme kedge-light"]],
  ["mode a", ["mode accept-edits", "mode auto", "mode default", "mode plan"]],
  ["effort ", ["off", "minimal", "low", "medium", "high", "max"].map((effort) => `effort ${effort}`)],
  ["effort high", ["effort high"]],
  ["effort high ", []],
  ["export js", ["export json", "export jsonl"]],
  ["undo f", ["undo force"]],
  ["undo ", []],
  ["model ", []],
  ["resume pars", ["resume Fix the parser"]],
  ["resume fix the", ["resume Fix the parser"]],
  ["rename x", []],
  ["nothing x", []],
])("/%s", async (text, values) => {
  const sessions = [summaryOf("ses_2", "Fix the parser"), summaryOf("ses_3", "Fix the parser"), summaryOf("ses_4", "")];
  const source = openSource({ answers: { "provider.list": { providers } }, sessions });
  expect(await source.values("command", text)).toEqual(values);
});

test("a path is offered as it is put in", async () => {
  expect(await openSource({ answers: { "file.find": { paths: ["a.ts"] } } }).file("a")).toEqual([
    { value: "a.ts", label: "a.ts" },
  ]);
});

test("the engine is asked once in two seconds for the same", async () => {
  const source = openSource({ answers: { "provider.list": { providers }, "file.find": { paths: ["a.ts"] } } });
  const asked = () => source.doings.splice(0).map(([, query]) => query);
  await source.command("model an");
  await source.command("model ant");
  await source.file("a");
  source.clock.now += 1_999;
  await source.command("model anth");
  await source.file("a");
  const once = [{ type: "provider.list" }, { type: "project.read" }, { type: "file.find", text: "a", limit: 50 }];
  expect(asked()).toEqual(once);
  source.clock.now += 1;
  await source.command("model anth");
  await source.file("a");
  expect(asked()).toEqual(once);
});

test("what was asked in vain is asked again with the next key", async () => {
  const broken = new Refusal("The call was abandoned before it was answered.");
  const answers = {
    ...{ "command.list": broken, "project.read": broken, "resource.find": broken, "symbol.find": broken },
    ...{ "file.list": broken, "provider.list": broken, "file.find": { paths: [] } },
  };
  const source = openSource({ answers, servers: undefined });
  expect(await source.values("command", "wea")).not.toContain("weather");
  expect(await source.values("file", "gui")).toEqual([]);
  expect(await source.values("file", "#to")).toEqual([]);
  expect(await source.values("file", "src/")).toEqual([]);
  await expect(source.values("command", "model a")).rejects.toThrow("abandoned");
  Object.assign(source.answers, {
    ...{ ...commandList, "project.read": { root: "/work", directory: "/work/src" }, "provider.list": { providers } },
    "resource.find": { resources: [{ server: "docs", uri: "docs://guide", name: "Guide" }], isCut: false },
    "symbol.find": { symbols: [{ name: "total", kind: "function", path: "src/shop.ts", line: 3, column: 1 }] },
    "file.list": { entries: [{ path: "src/a.ts", kind: "file" }], isCut: false },
  });
  expect(await source.values("command", "wea")).toEqual(["weather"]);
  expect(await source.values("file", "gui")).toEqual(["mcp://docs/docs://guide"]);
  expect(await source.values("file", "#to")).toEqual(["shop.ts:3"]);
  expect(await source.values("file", "src/")).toContain("a.ts");
  expect(await source.values("command", "model a")).toContain("model b/antique");
});

test("a name behind @# is completed to the place of the symbol, as written from the directory", async () => {
  const symbols = [
    { name: "total", kind: "function", path: "src/shop.ts", line: 3, column: 17 },
    { name: "sum", kind: "method", path: "lib/cart.ts", line: 2, column: 3, container: "Cart" },
  ];
  const answers = {
    "symbol.find": { symbols, isCut: false },
    "project.read": { root: "/work", directory: "/work/src" },
  };
  const source = openSource({ answers });
  expect(await source.file("#to")).toEqual([
    { value: "shop.ts:3", label: "total", detail: "function  shop.ts:3" },
    { value: "../lib/cart.ts:2", label: "Cart.sum", detail: "method  ../lib/cart.ts:2" },
  ]);
  expect(await source.file("#")).toEqual([]);
});

test("resources of connected MCP servers join the files behind @", async () => {
  const resources = [{ server: "my docs", uri: "docs://guide", name: "Guide" }];
  const answers = { "resource.find": { resources, isCut: false }, "file.find": { paths: [] } };
  const servers = [{ kind: "mcp", name: "my docs", state: "connected" }] as const;
  const guide = { value: "mcp://my%20docs/docs://guide", label: "Guide", detail: "mcp://my%20docs/docs://guide" };
  expect(await openSource({ answers, servers }).file("gui")).toContainEqual(guide);
  expect(await openSource({ answers }).file("gui")).not.toContainEqual(guide);
  // As long as nobody said which servers there are, one of them may have it.
  expect(await openSource({ answers, servers: undefined }).file("gui")).toContainEqual(guide);
});
