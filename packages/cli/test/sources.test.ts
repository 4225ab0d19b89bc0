/** The sources run as they are, without a build, and the first request stays small while it names every tool. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openWorkbench } from "./workbench.ts";

const entry = join(import.meta.dirname, "../src/run.ts");
const requestBytesMax = 8_000;

const deferred =
  "agent, ast_edit, ast_grep, bash_kill, bash_output, batch, codesearch, job, list, memory_search, notebook_edit, plan_enter, plan_exit, resolve, send_message, task_create, task_get, task_list, task_output, task_stop, task_update, team_create, team_delete, todo_read, webfetch, worktree_enter, worktree_exit";

test.each([
  ["replace", 9],
  ["patch", 7],
  ["hashline", 8],
])("a prompt is answered by the sources, with a first request of at most 8 KB: %s", async (mode, tools) => {
  const bench = await openWorkbench([{ text: "From the sources." }], { edit: { mode } });
  try {
    const environment = { PATH: process.env["PATH"], HOME: bench.directory, KEDGE_HOME: bench.home };
    const child = promisify(execFile)(process.execPath, [entry, "-p", "hi"], { cwd: bench.project, env: environment });
    child.child.stdin?.end();
    expect(await child).toEqual({ stdout: "From the sources.\n", stderr: "" });
    expect(bench.model.requests).toHaveLength(1);
    expect(bench.model.requests[0]?.raw.length).toBeLessThanOrEqual(requestBytesMax);
    expect(bench.model.requests[0]?.body.tools).toHaveLength(tools);
    expect(bench.model.requests[0]?.body.messages?.[0]?.content).toContain(`tool_search): ${deferred}`);
  } finally {
    await bench.close();
  }
});
