/** What the first request of a run costs before anybody has added anything, and that every built-in tool is within reach. */
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const bytesMax = 8_000;

test("the first request has at most 8,000 bytes, and every built-in tool is in it or named in it", async () => {
  bench = await openWorkbench([{ text: "Done." }]);
  await bench.run(["-p", "Read the files and answer."]);
  const { raw, body } = bench.model.requests[0] ?? {};
  expect(raw?.length).toBeLessThanOrEqual(bytesMax);
  const tools = body?.tools as readonly { readonly function: { readonly name: string } }[];
  expect(tools.map((tool) => tool.function.name)).toEqual([
    ...["bash", "edit", "glob", "grep", "multi_edit", "read", "todo_write", "tool_search", "write"],
  ]);
  const deferred = /^Deferred tools \(load with tool_search\): (.*)$/m.exec(body?.messages?.[0]?.content ?? "")?.[1];
  expect(deferred?.split(", ")).toEqual([
    ...["agent", "ast_edit", "ast_grep", "bash_kill", "bash_output", "batch", "codesearch", "job", "list"],
    ...["memory_search", "notebook_edit", "plan_enter", "plan_exit", "resolve", "send_message", "task_create"],
    ...["task_get", "task_list", "task_output", "task_stop", "task_update", "team_create", "team_delete"],
    ...["todo_read", "webfetch", "worktree_enter", "worktree_exit"],
  ]);
});
