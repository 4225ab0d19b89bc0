/** Workflows through the real program: run to their end, killed in the middle and resumed, and never before trust. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { ended, openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

function put(path: string, text: string): void {
  const whole = join(bench.project, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
}

/** The task that an agent was given: its first message. */
function taskOf({ body }: MockRequest): string {
  const messages = body.messages ?? [];
  const users = messages.filter(({ role }) => role === "user").map(({ content }) => String(content));
  return users.find((text) => /^(?:count|sum|slow)/.test(text)) ?? "";
}

const script = (request: MockRequest): MockTurn => ({ text: `done: ${taskOf(request)}` });

const tasks = () => bench.model.requests.map(taskOf).filter((task) => task !== "");

const review = `
export const meta = { name: 'review', description: 'Counts and sums.' };
phase('Count');
const counts = await parallel(args.words.map((word) => () => agent('count ' + word, { label: word })));
phase('Sum');
return { counts, sum: await agent('sum of ' + counts.join(' and '), { label: 'sum', model: 'haiku' }) };
`;

test("a workflow runs agents, shows its progress and prints its result", async () => {
  bench = await openWorkbench(script);
  put(".claude/workflows/review.js", review);
  const untrusted = await bench.run(["workflow", "run", "review", '{"words":["a"]}']);
  expect(untrusted.code).toBe(1);
  expect(untrusted.stderr).toContain("not trusted");
  expect(bench.model.requests).toHaveLength(0);
  const ran = await bench.run(["workflow", "run", "review", '{"words":["a","b"]}', "--trust", "--json"]);
  expect(ran.code, ran.stderr).toBe(0);
  const { run } = JSON.parse(ran.stdout);
  expect(run).toMatchObject({ name: "review", status: "completed", args: { words: ["a", "b"] } });
  expect(run.result).toEqual({
    counts: ["done: count a", "done: count b"],
    sum: "done: sum of done: count a and done: count b",
  });
  expect(ran.stderr).toMatch(/# Count\n1\. a \[general\] started\n2\. b \[general\] started/);
  expect(ran.stderr).toContain("3. sum [general] completed");
  const shown = await bench.run(["workflow", "show", run.runId]);
  expect(JSON.parse(shown.stdout)).toEqual(run.result);
  const listed = await bench.run(["workflow", "runs"]);
  expect(listed.stdout).toContain(`${run.runId}  review  completed`);
  const again = await bench.run(["workflow", "resume", run.runId]);
  expect(again.stderr).toContain("is complete");
});

test("a workflow that is killed by -9 is resumed, and no step that completed runs again", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = true;
  bench = await openWorkbench((request) => {
    if (isHeld && taskOf(request).startsWith("slow")) return { text: "late", holdUntil: held };
    return script(request);
  });
  put(
    ".kedge/workflows/long.ts",
    `export const meta: { name: string; description: string } = { name: "long", description: "" };
const first = await agent("count one");
const [second, third] = await parallel([() => agent("count two"), () => agent("slow three")]);
return [first, second, third, await agent("sum")];`,
  );
  const child = bench.start(["workflow", "run", "long", "--trust"]);
  const over = ended(child);
  let stderr = "";
  child.stderr.on("data", (piece: Buffer) => {
    stderr += piece.toString();
  });
  await expect.poll(() => /count two \[general\] completed/.test(stderr) && tasks().includes("slow three")).toBe(true);
  child.kill("SIGKILL");
  await over;
  isHeld = false;
  release();
  const runId = /run (wfr_\w+)/.exec(stderr)?.[1] ?? "";
  const runs = await bench.run(["workflow", "runs"]);
  expect(runs.stdout).toContain("interrupted");
  const before = tasks();
  const resumed = await bench.run(["workflow", "resume", runId, "--json"]);
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(JSON.parse(resumed.stdout).run).toMatchObject({
    status: "completed",
    result: ["done: count one", "done: count two", "done: slow three", "done: sum"],
  });
  expect(resumed.stderr).toMatch(/count one \[general\] reused/);
  expect(resumed.stderr).toMatch(/count two \[general\] reused/);
  expect(tasks().slice(before.length)).toEqual(["slow three", "sum"]);
});

test.each([
  [["workflow", "run"], 2, "kedge: Usage:"],
  [["workflow", "fly"], 2, "kedge: Usage:"],
  [["workflow", "run", "nothing"], 1, "No workflow named nothing."],
  [["workflow", "resume", "../../etc/passwd"], 1, "No workflow run ../../etc/passwd."],
  [["workflow", "show", "wfr_none"], 1, "No workflow run wfr_none. List runs with kedge workflow runs."],
])("bad words are answered with one sentence: %j", async (argv, code, sentence) => {
  bench = await openWorkbench(script);
  const ran = await bench.run(argv);
  expect(ran.code).toBe(code);
  expect(ran.stderr).toContain(sentence);
  expect(ran.stderr).not.toContain("    at ");
  expect(existsSync(join(bench.home, "data", "workflows"))).toBe(false);
});
