/** Proves in the whole program how a model keeps a list, asks, plans, searches for tools and runs jobs. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const options = [
  { label: "red", description: "warm" },
  { label: "blue", description: "cold" },
];

test("a question is answered by number or in own words", async () => {
  const questions = [
    { question: "Which colour?", options },
    { question: "And which size?", options },
  ];
  bench = await openWorkbench([{ toolCalls: [{ name: "question", input: { questions } }] }, { text: "Good choice." }]);
  const { code, stdout } = await bench.run(["--console"], { input: "go\n2\nrather small\n" });
  expect(code).toBe(0);
  expect(stdout).toContain("? Which colour?\n  1 red - warm\n  2 blue - cold\n");
  expect(stdout).toContain("Good choice.");
  const offered = bench.model.requests[0]?.body.tools;
  expect(offered).toContainEqual(expect.objectContaining({ function: expect.objectContaining({ name: "question" }) }));
  const result = bench.model.requests[1]?.body.messages?.at(-1)?.content;
  expect(result).toBe("Which colour?\n-> blue\nAnd which size?\n-> rather small");
});

test("headless, a question goes back to the model", async () => {
  const questions = [{ question: "Which colour?", options }];
  bench = await openWorkbench([{ toolCalls: [{ name: "question", input: { questions } }] }, { text: "I took red." }]);
  const { code, stdout } = await bench.run(["-p", "go"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "I took red.\n" });
  expect(bench.model.requests[1]?.body.messages?.at(-1)?.content).toContain("Decide yourself");
});

test("a plan is made, shown for approval, and then carried out", async () => {
  const write = (filePath: string) => ({ toolCalls: [{ name: "write", input: { filePath, content: "text\n" } }] });
  const planPath = ".kedge/plans/first.md";
  bench = await openWorkbench([
    { toolCalls: [{ name: "tool_search", input: { query: "plan mode" } }] },
    { toolCalls: [{ name: "plan_enter", input: {} }] },
    write("too-early.txt"),
    write(planPath),
    { toolCalls: [{ name: "plan_exit", input: { planPath } }] },
    write("made.txt"),
    { text: "Done." },
  ]);
  // Entering is asked, the plan file is free, the plan itself is the second question, the file the third.
  const { code, stdout } = await bench.run(["--console"], { input: "go\ny\ny\ny\n" });
  expect(code).toBe(0);
  expect(stdout).toContain("Done.");
  expect(existsSync(join(bench.project, "too-early.txt"))).toBe(false);
  expect(existsSync(join(bench.project, planPath))).toBe(true);
  expect(existsSync(join(bench.project, "made.txt"))).toBe(true);
  const names = (request: number) =>
    bench?.model.requests[request]?.body.tools?.map((tool) => (tool as { function: { name: string } }).function.name);
  expect(names(0)).not.toContain("plan_enter");
  expect(names(1)).toEqual(expect.arrayContaining(["plan_enter", "plan_exit"]));
});

test("the first request carries what every piece of work needs and somebody can answer, and is small", async () => {
  bench = await openWorkbench([{ text: "Hi." }]);
  writeFileSync(join(bench.project, "x.txt"), "");
  await bench.run(["-p", "go"]);
  const [request] = bench.model.requests;
  expect(request?.raw.length).toBeLessThanOrEqual(8_000);
  const names = request?.body.tools?.map((tool) => (tool as { function: { name: string } }).function.name);
  for (const name of ["bash", "edit", "glob", "grep", "read", "todo_write", "tool_search", "write"]) {
    expect(names).toContain(name);
  }
  expect(names).not.toContain("question");
});
