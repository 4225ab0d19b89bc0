/** Proves the shared list of tasks, also when several processes change it at once. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
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
  const tools = createTaskTools(createTaskList({ path: workshop.at("tasks.json"), now: () => Date.now() }));
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
    "failed: There is no task t9; see task_list.",
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
  expect(await call("task_get", { id: "t7" })).toBe("failed: There is no task t7; see task_list.");
  expect(await call("task_update", { id: "t1", status: "sleeping" })).toContain("status");
});

test("of several processes that take a task at once, one has it, and no change is lost", async () => {
  await call("task_create", { subject: "Wanted", description: "d" });
  const script = workshop.at("take.ts");
  const tasks = JSON.stringify(join(import.meta.dirname, "tasks.ts"));
  const list = JSON.stringify(join(import.meta.dirname, "task-list.ts"));
  writeFileSync(
    script,
    `import { createTaskTools } from ${tasks};
     import { createTaskList } from ${list};
     const [path, owner] = process.argv.slice(2);
     const tools = createTaskTools(createTaskList({ path, now: () => Date.now() }));
     const run = (name, input) => tools.find((tool) => tool.name === name).run(input, {});
     const taken = await run("task_update", { id: "t1", owner });
     await run("task_create", { subject: owner, description: "d" });
     console.log(taken.isError ? "late" : "mine");`,
  );
  const owners = ["a", "b", "c", "d", "e", "f"];
  const runs = await Promise.all(
    owners.map((owner) => promisify(execFile)(process.execPath, [script, workshop.at("tasks.json"), owner])),
  );
  expect(runs.filter(({ stdout }) => stdout.trim() === "mine")).toHaveLength(1);
  const subjects = (await call("task_list", {})).split("\n").map((line) => line.split(": ")[1]);
  expect(subjects.sort()).toEqual(["Wanted", ...owners].sort());
});

test("a lock whose holder died is not waited for", async () => {
  const { utimesSync } = await import("node:fs");
  writeFileSync(workshop.at("tasks.json.lock"), "");
  utimesSync(workshop.at("tasks.json.lock"), 0, 0);
  expect(await call("task_create", { subject: "First", description: "d" })).toBe("Created t1.");
});
