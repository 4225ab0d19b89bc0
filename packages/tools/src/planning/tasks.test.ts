/** Proves the shared list of tasks. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { createTaskList } from "./task-list.ts";
import { createTaskTools } from "./tasks.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

async function call(name: string, input: object): Promise<string> {
  const tools = createTaskTools(createTaskList({ path: workshop.at("tasks.json") }));
  const tool = tools.find((each) => each.name === name);
  const parsed = tool?.parse(input);
  if (tool === undefined || parsed === undefined) throw new Error(`no tool ${name}`);
  if (!parsed.ok) return parsed.report;
  const { output, isError } = await tool.run(parsed.input, workshop.newContext());
  return isError ? `failed: ${output}` : output;
}

test("tasks are made, listed, taken once, blocked and done", async () => {
  expect(await call("task_list", {})).toBe("There is no such task.");
  expect(await call("task_create", { subject: "First", description: "d" })).toBe("Created t1.");
  expect(await call("task_create", { subject: "Second", description: "d", blockedBy: ["t1"] })).toBe("Created t2.");
  expect(await call("task_create", { subject: "Third", description: "d", blockedBy: ["t9"] })).toBe(
    "failed: No task t9. List tasks with task_list.",
  );
  expect(await call("task_list", {})).toBe("t1 open: First\nt2 open, waits for t1: Second");
  expect(await call("task_update", { id: "t2", status: "in_progress" })).toBe("failed: t2 waits for t1.");
  expect(await call("task_update", { id: "t1", owner: "anna", status: "in_progress" })).toBe(
    "t1 in_progress (anna): First",
  );
  expect(await call("task_update", { id: "t1", owner: "ben" })).toBe("failed: t1 belongs to anna; take another one.");
  expect(await call("task_update", { id: "t1", status: "done", note: "it works" })).toBe("t1 done (anna): First");
  expect(await call("task_update", { id: "t2", status: "in_progress" })).toBe("t2 in_progress: Second");
  expect(await call("task_list", { status: "done" })).toBe("t1 done (anna): First");
  expect(JSON.parse(await call("task_get", { id: "t1" }))).toMatchObject({ notes: ["it works"], owner: "anna" });
  expect(await call("task_get", { id: "t7" })).toBe("failed: No task t7. List tasks with task_list.");
  expect(await call("task_update", { id: "t1", status: "sleeping" })).toContain("status");
});
