/** What a whole kedge sends to a collector: the tree of spans, the sums, and nothing that anybody wrote. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyRecord, emptySession, type FactOf } from "@kedge/protocol";
import type { MockTurn } from "@kedge/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CollectorDouble, openSite, type Site, startCollector } from "./collector-site.ts";
import { type Amount, readAmounts, readResource, readTimes, readTraces, type SpanTree } from "./read-otlp.ts";

/** Words that stand in the prompt, in paths, commands, outputs, answers and names. */
const canary = {
  prompt: "CANARYPROMPT7",
  path: "canarypath7",
  content: "CANARYCONTENT7",
  command: "CANARYCOMMAND7",
  output: "CANARYOUTPUT7",
  answer: "CANARYANSWER7",
  tool: "CANARYTOOL7",
  callId: "CANARY CALL 7",
};

const token = "canary-token-7-of-the-collector";
const otherToken = "canary-token-8-of-the-collector";

const described = (command: string) => ({ command, description: "Looks around" });

const script: readonly MockTurn[] = [
  {
    toolCalls: [
      { name: "write", id: "call_a", input: { filePath: `${canary.path}.txt`, content: `${canary.content}\nb\nc\n` } },
    ],
    usage: { input: 1_000, output: 50, cached: 600, reasoning: 20 },
  },
  {
    toolCalls: [
      { name: "bash", id: "call_b", input: described(`echo ${canary.command}-$HIDDEN; env > seen.txt; exit 3`) },
      { name: canary.tool, id: canary.callId, input: {} },
    ],
    usage: { input: 1_200, output: 40, cached: 1_000 },
  },
  { status: 503, body: "{}", headers: { "retry-after-ms": "1" } },
  {
    toolCalls: [{ name: "bash", id: "call_d", input: described("touch refused") }],
    usage: { input: 1_300, output: 30 },
  },
  {
    toolCalls: [
      {
        name: "batch",
        id: "call_e",
        input: { calls: [{ tool: "read", input: { filePath: `${canary.path}.txt` } }] },
      },
    ],
    usage: { input: 1_350, output: 35 },
  },
  { text: canary.answer, usage: { input: 1_400, output: 10 } },
];

let site: Site;
let collector: CollectorDouble;
let sessionId = "";

beforeAll(async () => {
  collector = await startCollector();
  site = await openSite({
    script,
    settings: {
      continueOnReject: true,
      telemetry: {
        enabled: true,
        endpoint: `${collector.url}/`,
        headers: { authorization: "Bearer {env:COLLECTOR_TOKEN}" },
      },
    },
    environment: {
      COLLECTOR_TOKEN: token,
      OTEL_EXPORTER_OTLP_HEADERS: `x-team=red%20team,x-other=${otherToken}`,
      HIDDEN: canary.output,
    },
  });
  sessionId = await site.play(canary.prompt, ({ patterns }) =>
    patterns.some((pattern) => pattern.includes("refused")) ? "reject" : "once",
  );
  await site.leave();
});

afterAll(async () => {
  await site.close();
  await collector.close();
});

const endOfRun = () =>
  site.records.flatMap(({ fact }): readonly FactOf<"run.ended">[] => (fact.type === "run.ended" ? [fact] : []))[0];

type Tokens = { readonly cached?: number; readonly reasoning?: number };

const usage = (input: number, output: number, { cached = 0, reasoning = 0 }: Tokens = {}) => ({
  "gen_ai.usage.input_tokens": input,
  "gen_ai.usage.output_tokens": output,
  "gen_ai.usage.cache_read.input_tokens": cached,
  "gen_ai.usage.cache_creation.input_tokens": 0,
  "gen_ai.usage.reasoning.output_tokens": reasoning,
});

const modelSpan = (used: object, finish: string): SpanTree => ({
  name: "chat mock-model",
  kind: "client",
  attributes: {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "mock",
    "gen_ai.request.model": "mock-model",
    "gen_ai.conversation.id": sessionId,
    ...used,
    "gen_ai.response.finish_reasons": [finish],
  },
  children: [],
});

type Ended = { readonly callId?: string; readonly outcome: string; readonly children?: readonly SpanTree[] };

const toolSpan = (name: string, { callId, outcome, children = [] }: Ended): SpanTree => ({
  name: `execute_tool ${name}`,
  kind: "internal",
  attributes: {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.type": "function",
    ...(callId !== undefined && { "gen_ai.tool.call.id": callId }),
    "kedge.tool.outcome": outcome,
    ...(outcome !== "completed" && { "error.type": outcome }),
  },
  ...(outcome === "failed" && { isError: true as const }),
  children,
});

/** Calls of one step may begin in the same millisecond, in either order. */
const sorted = (spans: readonly SpanTree[]) =>
  spans.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));

test("one trace per run, with a span for each model call and each tool call", () => {
  const run = endOfRun();
  const traces = readTraces(collector.sent);
  expect(traces.map((tree) => ({ ...tree, children: sorted(tree.children) }))).toEqual([
    {
      name: "invoke_agent kedge",
      kind: "internal",
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "kedge",
        "gen_ai.conversation.id": sessionId,
        "gen_ai.provider.name": "mock",
        "gen_ai.request.model": "mock-model",
        ...usage(6_250, 165, { cached: 1_600, reasoning: 20 }),
        "kedge.cost.usd": run?.cost.usd,
        "kedge.run.turns": 5,
        "kedge.run.reason": "completed",
      },
      children: sorted([
        modelSpan(usage(1_000, 50, { cached: 600, reasoning: 20 }), "tool_call"),
        toolSpan("write", { callId: "call_a", outcome: "completed" }),
        modelSpan(usage(1_200, 40, { cached: 1_000 }), "tool_call"),
        toolSpan("bash", { callId: "call_b", outcome: "completed" }),
        toolSpan("unknown", { outcome: "failed" }),
        modelSpan(usage(1_300, 30), "tool_call"),
        toolSpan("bash", { callId: "call_d", outcome: "refused" }),
        modelSpan(usage(1_350, 35), "tool_call"),
        toolSpan("batch", {
          callId: "call_e",
          outcome: "completed",
          children: [toolSpan("read", { callId: "call_e_1", outcome: "completed" })],
        }),
        modelSpan(usage(1_400, 10), "stop"),
      ]),
    },
  ]);
});

test("spans begin and end when their facts were recorded", () => {
  const timeOf = (type: string) => site.records.filter(({ fact }) => fact.type === type).map(({ time }) => time);
  const times = readTimes(collector.sent);
  const of = (name: string) => times.filter((span) => span.name === name);
  expect(of("invoke_agent kedge")).toEqual([
    { name: "invoke_agent kedge", startMs: timeOf("prompt.admitted")[0], endMs: timeOf("run.ended")[0] },
  ]);
  const [started, ended] = [timeOf("step.started"), timeOf("step.ended")];
  expect(of("chat mock-model").toSorted((left, right) => left.startMs - right.startMs)).toEqual(
    started.map((startMs, index) => ({ name: "chat mock-model", startMs, endMs: ended[index] })),
  );
  expect(of("execute_tool write")).toEqual([
    { name: "execute_tool write", startMs: timeOf("tool.started")[0], endMs: timeOf("tool.ended")[0] },
  ]);
});

const sumOf = (amounts: readonly Amount[], name: string, type?: string) =>
  amounts
    .filter((amount) => amount.name === name && (type === undefined || amount.attributes["type"] === type))
    .reduce((sum, { value }) => sum + value, 0);

test("the sums are those of the session", () => {
  const state = emptySession(sessionId);
  for (const record of site.records) applyRecord(state, record);
  const amounts = readAmounts(collector.sent);
  expect({
    input: sumOf(amounts, "kedge.tokens", "input"),
    output: sumOf(amounts, "kedge.tokens", "output"),
    reasoning: sumOf(amounts, "kedge.tokens", "reasoning"),
    cacheRead: sumOf(amounts, "kedge.tokens", "cache_read"),
    cacheWrite: sumOf(amounts, "kedge.tokens", "cache_write"),
  }).toEqual(state.usage);
  expect(state.usage.input).toBe(4_650);
  expect(sumOf(amounts, "kedge.cost.usd")).toBeCloseTo(state.cost.usd, 12);
  expect(state.cost.usd).toBeGreaterThan(0.01);
});

test("every counter and histogram has its rows", () => {
  const model = "mock/mock-model";
  const rows = readAmounts(collector.sent).map(({ name, unit, attributes, count, value }) => {
    // How long something took is another number each time.
    const isTime = name.endsWith(".duration");
    return [name, unit, attributes, count ?? "sum", isTime || name === "kedge.cost.usd" ? "any" : value];
  });
  const call = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "mock",
    "gen_ai.request.model": "mock-model",
  };
  const expected: typeof rows = [
    ["kedge.cost.usd", "USD", { model }, "sum", "any"],
    ["kedge.tokens", "{token}", { model, type: "input" }, "sum", 4_650],
    ["kedge.tokens", "{token}", { model, type: "output" }, "sum", 165],
    ["kedge.tokens", "{token}", { model, type: "cache_read" }, "sum", 1_600],
    ["kedge.tokens", "{token}", { model, type: "reasoning" }, "sum", 20],
    ["kedge.tool.calls", "{call}", { tool: "write", outcome: "completed" }, "sum", 1],
    ["kedge.tool.calls", "{call}", { tool: "bash", outcome: "completed" }, "sum", 1],
    ["kedge.tool.calls", "{call}", { tool: "unknown", outcome: "failed" }, "sum", 1],
    ["kedge.tool.calls", "{call}", { tool: "bash", outcome: "refused" }, "sum", 1],
    ["kedge.tool.calls", "{call}", { tool: "read", outcome: "completed" }, "sum", 1],
    ["kedge.tool.calls", "{call}", { tool: "batch", outcome: "completed" }, "sum", 1],
    ["kedge.permission.decisions", "{decision}", { source: "user", outcome: "allow" }, "sum", 2],
    ["kedge.permission.decisions", "{decision}", { source: "user", outcome: "deny" }, "sum", 1],
    ["kedge.permission.decisions", "{decision}", { source: "default", outcome: "allow" }, "sum", 2],
    ["kedge.lines", "{line}", { type: "added" }, "sum", 3],
    ["kedge.retries", "{retry}", { class: "server_overload" }, "sum", 1],
    ["kedge.api.duration", "s", { model }, 5, "any"],
    ["kedge.turn.duration", "s", { model }, 5, "any"],
    ["kedge.tool.duration", "s", { tool: "write", outcome: "completed" }, 1, "any"],
    ["kedge.tool.duration", "s", { tool: "bash", outcome: "completed" }, 1, "any"],
    ["kedge.tool.duration", "s", { tool: "read", outcome: "completed" }, 1, "any"],
    ["kedge.tool.duration", "s", { tool: "batch", outcome: "completed" }, 1, "any"],
    ["gen_ai.client.operation.duration", "s", call, 5, "any"],
    ["gen_ai.client.token.usage", "{token}", { ...call, "gen_ai.token.type": "input" }, 5, 6_250],
    ["gen_ai.client.token.usage", "{token}", { ...call, "gen_ai.token.type": "output" }, 5, 165],
  ];
  const inOrder = (list: typeof rows) => list.map((row) => JSON.stringify(row)).sort();
  expect(inOrder(rows)).toEqual(inOrder(expected));
});

test("the process is named, and nothing of its arguments or machine", () => {
  expect(readResource(collector.sent)).toEqual({
    "service.name": "kedge",
    "service.version": "1.2.3",
    "service.instance.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test("nothing that a user, a model or a tool wrote is sent", () => {
  const facts = JSON.stringify(site.records);
  const sent = JSON.stringify(collector.sent.map(({ path, body }) => [path, body]));
  for (const word of Object.values(canary)) {
    expect(facts).toContain(word);
    expect(sent).not.toContain(word);
  }
  for (const secret of [site.project, token, otherToken, "Looks around", "seen.txt", "exit 3"]) {
    expect(sent).not.toContain(secret);
  }
});

test("the collector is shown its headers, and a command is not", () => {
  for (const { headers } of collector.sent) {
    expect([headers["authorization"], headers["x-team"], headers["x-other"]]).toEqual([
      `Bearer ${token}`,
      "red team",
      otherToken,
    ]);
  }
  const seen = readFileSync(join(site.project, "seen.txt"), "utf8");
  expect(seen).toContain(canary.output);
  for (const secret of [token, otherToken, "OTEL_EXPORTER_OTLP_HEADERS"]) expect(seen).not.toContain(secret);
});

test("all went well without a word", () => {
  expect(site.notices).toEqual([]);
  expect(new Set(collector.sent.map(({ path }) => path))).toEqual(new Set(["/v1/traces", "/v1/metrics"]));
});
