/** Workflows in processes of their own: the forms they may have, what they are given, and steps that run only once. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentEnd, AgentOrder, AgentRuns, AgentSummary, Json } from "@kedge/protocol";
import { noUsage } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProject, openHome } from "../../src/index.ts";
import { openWorkflows, type WorkflowNews, type Workflows } from "../../src/workflows/open-workflows.ts";
import { newsText } from "../../src/workflows/workflow-words.ts";

let directory: string;
let orders: AgentOrder[];
let ends: Map<string, AgentEnd>;
/** What an agent answers; a throw is a failure. */
let answer: (order: AgentOrder) => Json | Promise<Json>;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-workflows-")));
  mkdirSync(join(directory, "project"));
  orders = [];
  ends = new Map();
  answer = ({ prompt }) => `answer to ${prompt}`;
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Agents without sessions: one that completed under a key is not asked again. */
const runs: Pick<AgentRuns, "start" | "list"> = {
  async start(order) {
    const key = order.key ?? "";
    const before = ends.get(key);
    if (before !== undefined) return { ok: true, value: { agentId: before.agentId, ended: Promise.resolve(before) } };
    orders.push(order);
    const agentId = `ses_${orders.length}`;
    const spent = { usage: noUsage, cost: { usd: 0.01, estimated: false }, turns: 1, durationMs: 5 };
    const work = async (): Promise<AgentEnd> => {
      try {
        const value = await answer(order);
        const result = typeof value === "string" ? value : JSON.stringify(value);
        const structured = order.outputSchema === undefined ? {} : { structured: value };
        const end: AgentEnd = { agentId, status: "completed", result, ...structured, ...spent };
        ends.set(key, end);
        return end;
      } catch (error) {
        return { agentId, status: "failed", result: "", why: String((error as Error).message), ...spent };
      }
    };
    return { ok: true, value: { agentId, ended: work() } };
  },
  list: async () => [...ends.values()].map(({ agentId }) => ({ agentId }) as AgentSummary),
};

function put(path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}

function open(): Workflows {
  const opened = openHome(join(directory, "home"));
  if (!opened.ok) throw new Error(opened.failure.message);
  const project = findProject(join(directory, "project"));
  let count = 0;
  return openWorkflows({
    ...{ home: opened.home, project, root: project.root, userDirectory: directory, disabledSources: [] },
    ...{ now: () => 1_000, interactive: false, redact: (text) => text },
    directory: join(opened.home.data, "workflows"),
    runs: async () => runs as AgentRuns,
    newRunId: () => {
      count += 1;
      return `wfr_${count}`;
    },
    environment: () => ({ PATH: process.env["PATH"] ?? "" }),
    zodUrl: () => import.meta.resolve("zod"),
  });
}

async function run(text: string, args: Json = null, name = "sample.js") {
  put(`home/workflows/${name}`, text);
  const news: WorkflowNews[] = [];
  const watch = { signal: new AbortController().signal, onNews: (each: WorkflowNews) => news.push(each) };
  const started = open().run({ name: "sample", args, sessionId: "ses_0" }, watch);
  if (!started.ok) throw new Error(started.sentence);
  return { record: await started.ended, news: news.map(newsText) };
}

test("the body of a script waits, returns and uses what it is given", async () => {
  const text = `
export const meta = { name: 'sample', description: "Reviews.", phases: [{ name: "later" }] };
import { basename } from "node:path";
phase("Look");
const found = await agent("look at " + args.base, { label: "look", agent: "explore", model: "haiku" });
log("found", found.length);
const [one, none] = await parallel([() => agent("one"), () => { throw new Error("no") }]);
const both = await pipeline(["a", "b"], (item) => agent("first " + item), (value, item, index) => value + "/" + item + index);
return { found, one, none, both, base: basename("/x/y") };
`;
  const { record, news } = await run(text, { base: "main" });
  expect(record).toMatchObject({ status: "completed", name: "sample", sessionId: "ses_0" });
  expect(record.result).toEqual({
    found: "answer to look at main",
    one: "answer to one",
    none: null,
    both: ["answer to first a/a0", "answer to first b/b1"],
    base: "y",
  });
  expect(orders[0]).toMatchObject({ agent: "explore", model: "haiku", description: "look", prompt: "look at main" });
  expect(orders[1]).toMatchObject({ agent: "general", description: "one" });
  expect(news.slice(0, 4)).toEqual([
    "# Look",
    "1. look [explore] started",
    "1. look [explore] completed (0.0 s, $0.0100)",
    "found 22",
  ]);
});

test("a module with a default export, in TypeScript, with an import of its own and a schema", async () => {
  put("home/workflows/parts/words.ts", "export const word: string = 'hello';");
  answer = () => ({ score: 7 });
  const text = `
import { word } from "./parts/words.ts";
type Given = { agent: (prompt: string, options?: object) => Promise<{ score: number }>; args: string[] };
export const meta = { name: "sample", description: "Typed." };
export default async function main({ agent, args }: Given): Promise<string> {
  const { score } = await agent(word + args[0], { schema: { type: "object", required: ["score"] } });
  return word + score;
}
`;
  const { record } = await run(text, ["!"], "sample.ts");
  expect(record).toMatchObject({ status: "completed", result: "hello7" });
  expect(orders).toMatchObject([{ prompt: "hello!", outputSchema: { type: "object" } }]);
});

test("a resumed run repeats no step that completed, however often the same was asked", async () => {
  const text = `
const first = await parallel(["same", "same", "other"].map((word) => () => agent(word)));
const last = await agent("last");
return [...first, last];
`;
  answer = ({ prompt }) => {
    if (prompt === "last") throw new Error("the model is away");
    return `${prompt} ${orders.length}`;
  };
  const { record, news } = await run(text);
  expect(record).toMatchObject({ status: "failed", problem: "the model is away." });
  expect(news.at(-1)).toBe("4. last [general] failed (0.0 s, $0.0100): the model is away");
  expect(orders.map(({ prompt }) => prompt)).toEqual(["same", "same", "other", "last"]);
  expect(new Set(orders.map(({ key }) => key)).size).toBe(4);
  answer = ({ prompt }) => `again ${prompt}`;
  const later: WorkflowNews[] = [];
  const watch = { signal: new AbortController().signal, onNews: (each: WorkflowNews) => later.push(each) };
  const resumed = open().resume(record.runId, watch);
  if (!resumed.ok) throw new Error(resumed.sentence);
  expect(await resumed.ended).toMatchObject({
    status: "completed",
    result: ["same 1", "same 2", "other 3", "again last"],
  });
  expect(orders.map(({ prompt }) => prompt)).toEqual(["same", "same", "other", "last", "last"]);
  expect(later.map(newsText).filter((line) => line.endsWith("reused"))).toHaveLength(3);
  expect(open().resume(record.runId, watch)).toMatchObject({ ok: false, sentence: /is complete/ });
});

test.each([
  ["throw new Error('no such branch')", "no such branch."],
  ["const x = ;", "Unexpected token"],
  ["await agent('')", "agent() needs a prompt"],
  ["process.exit(3)", "its process exited with code 3."],
  ["export default 5", "its default export is not a function."],
  ["await agent('x', { schema: 'no' })", "the option schema must be a JSON schema."],
  ["import 'OUTSIDE'", "is not part of the trusted files"],
])("a workflow that fails says why: %s", async (text, problem) => {
  put("outside.mjs", "export const secret = 1;");
  const { record } = await run(text.replace("OUTSIDE", join(directory, "outside.mjs")));
  expect(record.status).toBe("failed");
  expect(record.problem).toContain(problem);
});

test("a workflow that reports without end fills nothing", async () => {
  const { record, news } = await run("for (let i = 0; i < 5000; i += 1) log('x'.repeat(10_000)); return 1;");
  expect(record).toMatchObject({ status: "completed", result: 1 });
  expect(news).toHaveLength(1_001);
  expect(news.at(-1)).toBe("Only the first 1000 lines are shown.");
  expect(news[0]).toHaveLength(2_000);
});

test("a stopped workflow ends at once, with its process and its agents", async () => {
  put("home/workflows/sample.js", "await agent('wait'); for (;;) await new Promise((r) => setTimeout(r, 1000));");
  const stop = new AbortController();
  const begun = Promise.withResolvers<void>();
  const started = open().run(
    { name: "sample", args: null, sessionId: "ses_0" },
    { signal: stop.signal, onNews: () => begun.resolve() },
  );
  if (!started.ok) throw new Error(started.sentence);
  await begun.promise;
  stop.abort();
  expect(await started.ended).toMatchObject({ status: "stopped", problem: "It was canceled." });
});

test("workflows of a project count after trust alone; names, descriptions and what is wrong are listed", () => {
  put(
    "project/.claude/workflows/review.js",
    "export const meta = { name: 'review', description: 'Reviews\\u001b it.' }",
  );
  put("home/workflows/mine.ts", "/* no meta */");
  put("home/workflows/notes.md", "# not code");
  const { used, problems } = open().find();
  expect(used).toEqual([]);
  expect(problems).toEqual([
    "No workflows run here because this project is not trusted. Start kedge in it to review it.",
  ]);
  rmSync(join(directory, "project/.claude"), { recursive: true });
  expect(
    open()
      .find()
      .used.map(({ name, origin }) => [name, origin]),
  ).toEqual([["mine", "user"]]);
  expect(open().refusal("mien")).toBe("No workflow named mien. Did you mean mine?");
});
