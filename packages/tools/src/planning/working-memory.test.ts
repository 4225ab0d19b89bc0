/** Proves the tools that keep lists, plans and questions, and the one that makes several calls. */
import type { ToolContext } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { createBatchTool } from "./batch.ts";
import { createPlanEnterTool, createPlanExitTool } from "./plan.ts";
import { createQuestionTool } from "./question.ts";
import { createTodoReadTool, createTodoWriteTool } from "./todo.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

test("the list is replaced as a whole, read back, and two steps at once are remarked on", async () => {
  const context = workshop.newContext();
  const write = createTodoWriteTool();
  const parsed = write.parse({
    todos: [
      { content: "a", status: "in_progress" },
      { content: "b", status: "in_progress", priority: "high" },
      { content: "c", status: "completed" },
    ],
  });
  if (!parsed.ok) throw new Error(parsed.report);
  expect(await write.run(parsed.input, context)).toEqual({
    output: "Kept 3 items, 2 of them open. 2 are in progress at once; work on one at a time.",
    title: "2 of 3 open",
  });
  expect((await createTodoReadTool().run({}, context)).output).toBe("[>] a (medium)\n[>] b (high)\n[x] c (medium)");
  await write.run({ todos: [] }, context);
  expect((await createTodoReadTool().run({}, context)).output).toBe("The list is empty.");
});

test("a list of the wrong form is refused field by field", () => {
  const parsed = createTodoWriteTool().parse({ todos: [{ content: "a", status: "doing" }] });
  expect(parsed).toEqual({ ok: false, report: expect.stringContaining("todos[0].status") });
  const many = Array.from({ length: 101 }, () => ({ content: "a", status: "pending" }));
  expect(createTodoWriteTool().parse({ todos: many }).ok).toBe(false);
});

test("answers stand below their questions; without a person the model is told to decide", async () => {
  const options = [
    { label: "x", description: "" },
    { label: "y", description: "" },
  ];
  const questions = [
    { question: "One?", options },
    { question: "Two?", options },
  ];
  const answering: ToolContext = { ...workshop.newContext(), dialogue: { ask: async () => ["x", "my own"] } };
  expect((await createQuestionTool().run({ questions }, answering)).output).toBe("One?\n-> x\nTwo?\n-> my own");
  expect(await createQuestionTool().run({ questions }, workshop.newContext())).toMatchObject({
    isError: true,
    output: expect.stringContaining("Decide yourself"),
  });
  expect(createQuestionTool().parse({ questions: [{ question: "?", options: options.slice(1) }] }).ok).toBe(false);
});

test("planning is entered once, and left with a plan that exists where plans lie", async () => {
  let mode: "default" | "plan" = "default";
  const context: ToolContext = {
    ...workshop.newContext(),
    planning: {
      mode: () => mode,
      enter: async () => {
        mode = "plan";
      },
      leave: async () => {
        mode = "default";
      },
    },
  };
  const exit = createPlanExitTool();
  const plan = { planPath: ".kedge/plans/a.md" };
  expect(await exit.validate?.(plan, context)).toMatch(/not planning/);
  expect((await createPlanEnterTool().run({}, context)).output).toBe("You are planning now.");
  expect((await createPlanEnterTool().run({}, context)).output).toBe("You are planning already.");
  expect(await exit.validate?.({ planPath: "plan.md" }, context)).toMatch(/Plans are written to \.kedge\/plans/);
  expect(await exit.validate?.(plan, context)).toMatch(/does not exist or is empty/);
  workshop.put(".kedge/plans/a.md", "# The plan\n");
  expect(await exit.validate?.(plan, context)).toBeUndefined();
  expect(await exit.preview?.(plan, context)).toBe("# The plan\n");
  expect((await exit.run(plan, context)).output).toBe(
    "The plan is approved. The mode is default again; carry the plan out.",
  );
});

test("a batch shows each result and refuses what cannot stand in it", async () => {
  const batch = createBatchTool();
  const context: ToolContext = {
    ...workshop.newContext(),
    children: { run: async (calls) => calls.map(({ tool }) => ({ tool, output: "out", isError: tool === "grep" })) },
  };
  const calls = [
    { tool: "read", input: {} },
    { tool: "grep", input: {} },
  ];
  expect(await batch.run({ calls }, context)).toEqual({
    output: "## 1. read\nout\n\n## 2. grep (failed)\nout",
    title: "2 calls, 1 failed",
    metadata: { calls: 2, failed: 1 },
  });
  expect(await batch.validate?.({ calls: [{ tool: "Batch", input: {} }] }, context)).toMatch(
    /cannot be part of a batch/,
  );
  expect(batch.parse({ calls: Array.from({ length: 26 }, () => calls[0]) }).ok).toBe(false);
});
