/** Proves every tool in the whole program: real files, real processes, the real pipeline with its permissions. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockToolCall } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

type Result = { readonly tool: string; readonly outcome: string; readonly output: string };

/** One call per turn, and what became of each. */
async function runCalls(
  calls: readonly MockToolCall[],
  files: { readonly [name: string]: string },
): Promise<readonly Result[]> {
  // Rules for commands name them whole.
  const commands = calls.flatMap(({ input }) =>
    input !== undefined && "command" in input ? [String(input.command)] : [],
  );
  const bash = Object.fromEntries(commands.map((command) => [command, "allow"]));
  const permission = { edit: "allow", bash, plan: "allow", webfetch: "allow" };
  const script = [...calls.map((call) => ({ toolCalls: [call] })), { text: "Done." }];
  bench = await openWorkbench(script, { permission, checkpoint: { enabled: true } });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(bench.project, name), content);
  const { stdout, code } = await bench.run(["-p", "go", "--output-format", "stream-json"]);
  expect(code).toBe(0);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "tool_result");
}

const summary = (results: readonly Result[]) => results.map(({ tool, outcome }) => `${tool} ${outcome}`);
const text = (name: string) => readFileSync(join(bench?.project ?? "", name), "utf8");

test("files are read, changed in every way, and found", async () => {
  const patch = ["*** Begin Patch", "*** Update File: c.txt", "@@", "-old", "+new", "*** End Patch"].join("\n");
  const notebook = JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: [{ cell_type: "code", id: "x1", metadata: {}, execution_count: 1, outputs: [], source: ["1+1"] }],
  });
  const results = await runCalls(
    [
      { name: "read", input: { filePath: "a.txt" } },
      { name: "edit", input: { filePath: "a.txt", oldString: "one ", newString: "uno" } },
      { name: "multi_edit", input: { filePath: "a.txt", edits: [{ oldString: "two", newString: "due" }] } },
      { name: "write", input: { filePath: "run.sh", content: "#!/bin/sh\necho hi\n" } },
      { name: "read", input: { filePath: "c.txt" } },
      { name: "apply_patch", input: { patch } },
      { name: "read", input: { filePath: "n.ipynb" } },
      { name: "notebook_edit", input: { path: "n.ipynb", cellId: "x1", mode: "replace", source: "2+2" } },
      { name: "glob", input: { pattern: "*.txt" } },
      { name: "grep", input: { pattern: "uno" } },
      { name: "list", input: {} },
      { name: "ast_grep", input: { pat: "twice($A)", paths: ["code.ts"] } },
      { name: "ast_edit", input: { ops: [{ pat: "twice($A)", out: "thrice($A)" }], paths: ["code.ts"] } },
      { name: "resolve", input: { id: "edit-1", action: "apply", reason: "as previewed" } },
      { name: "edit_lines", input: { input: "[a.txt#0000]\nDEL 1" } },
    ],
    { "a.txt": "one\ntwo\n", "c.txt": "old\n", "n.ipynb": notebook, "code.ts": "const x = twice(1 + 1);\n" },
  );
  expect(summary(results)).toEqual([
    "read completed",
    "edit completed",
    "multi_edit completed",
    "write completed",
    "read completed",
    "apply_patch completed",
    "read completed",
    "notebook_edit completed",
    "glob completed",
    "grep completed",
    "list completed",
    "ast_grep completed",
    "ast_edit completed",
    "resolve completed",
    "edit_lines failed",
  ]);
  expect(text("a.txt")).toBe("uno\ndue\n");
  expect(text("c.txt")).toBe("new\n");
  expect(text("code.ts")).toBe("const x = thrice(1 + 1);\n");
  expect(JSON.parse(text("n.ipynb")).cells[0]).toMatchObject({ source: ["2+2"], execution_count: null });
  expect(statSync(join(bench?.project ?? "", "run.sh")).mode & 0o111).not.toBe(0);
  expect(results.at(-1)?.output).toContain("#0000");
});

test("commands run, last in the background, keep their directory, and leave nothing behind", async () => {
  const bash = (command: string, more: object = {}) => ({
    name: "bash",
    input: { command, description: "for the test", ...more },
  });
  const results = await runCalls(
    [
      bash("mkdir sub && cd sub && pwd"),
      bash("pwd; exit 3"),
      bash("echo $$ > ../pid; exec sleep 1000", { background: true }),
      { name: "bash_output", input: { jobID: "job_1" } },
      { name: "bash_kill", input: { jobID: "job_1" } },
      bash("echo $$ > ../pid; exec sleep 1000", { background: true }),
      bash("seq 1 20000"),
      { name: "read", input: { filePath: "artifact://2:10000-10001" } },
    ],
    {},
  );
  expect(summary(results)).toEqual([
    "bash completed",
    "bash completed",
    "bash completed",
    "bash_output completed",
    "bash_kill completed",
    "bash completed",
    "bash completed",
    "read completed",
  ]);
  expect(results[1]?.output).toMatch(/\/project\/sub\n[\s\S]*exited with code 3/);
  expect(results[6]?.output).toContain("artifact://2");
  expect(results[7]?.output).toContain("10000");
  const pid = Number(text("pid"));
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});

test("lists, tasks, batches and searches work; what nobody can answer or may reach is refused in words", async () => {
  const results = await runCalls(
    [
      { name: "todo_write", input: { todos: [{ content: "one", status: "pending" }] } },
      { name: "todo_read", input: {} },
      { name: "task_create", input: { subject: "First", description: "d" } },
      { name: "task_update", input: { id: "t1", owner: "me", status: "done" } },
      { name: "task_list", input: {} },
      { name: "task_get", input: { id: "t1" } },
      { name: "tool_search", input: { query: "notebook cells" } },
      {
        name: "batch",
        input: {
          calls: [
            { tool: "read", input: { filePath: "a.txt" } },
            { tool: "read", input: { filePath: "gone.txt" } },
          ],
        },
      },
      {
        name: "question",
        input: {
          questions: [
            {
              question: "Which?",
              options: [
                { label: "a", description: "" },
                { label: "b", description: "" },
              ],
            },
          ],
        },
      },
      { name: "webfetch", input: { url: "http://127.0.0.1:1/secret" } },
      { name: "plan_enter", input: {} },
      { name: "write", input: { filePath: "b.txt", content: "x" } },
      { name: "plan_exit", input: { planPath: "nowhere.md" } },
      { name: "reed", input: { filePath: "a.txt" } },
    ],
    { "a.txt": "one\n" },
  );
  expect(summary(results).filter((line) => !line.startsWith("read "))).toEqual([
    "todo_write completed",
    "todo_read completed",
    "task_create completed",
    "task_update completed",
    "task_list completed",
    "task_get completed",
    "tool_search completed",
    "batch completed",
    "question failed",
    "webfetch failed",
    "plan_enter completed",
    "write refused",
    "plan_exit failed",
    "reed failed",
  ]);
  const outputOf = (tool: string) => results.find((result) => result.tool === tool)?.output;
  expect(outputOf("batch")).toMatch(/## 1\. read\n1\|one[\s\S]*## 2\. read \(failed\)/);
  expect(outputOf("webfetch")).toMatch(/127\.0\.0\.1/);
  expect(outputOf("reed")).toContain("The closest are: read");
  expect(existsSync(join(bench?.project ?? "", "b.txt"))).toBe(false);
});

test("jobs are waited for, code is searched by topic, and the conversation goes back to a checkpoint", async () => {
  const results = await runCalls(
    [
      { name: "bash", input: { command: "echo from the job", description: "for the test", background: true } },
      { name: "job", input: { poll: ["job_1"] } },
      { name: "codesearch", input: { query: "greet somebody" } },
      { name: "checkpoint", input: { goal: "find the greeting" } },
      { name: "checkpoint", input: { goal: "another one" } },
      { name: "read", input: { filePath: "code.ts" } },
      { name: "rewind", input: { report: "it is in code.ts" } },
    ],
    { "code.ts": "export function greetSomebody(name: string) {\n  return name;\n}\n" },
  );
  expect(summary(results)).toEqual([
    "bash completed",
    "job completed",
    "codesearch completed",
    "checkpoint completed",
    "checkpoint failed",
    "read completed",
    "rewind completed",
  ]);
  expect(results[1]?.output).toContain("from the job");
  expect(results[2]?.output).toContain("code.ts:1-3");
  const last = JSON.stringify(bench?.model.requests.at(-1)?.body.messages);
  expect(last).toContain("it is in code.ts");
  expect(last).not.toContain('"name":"rewind"');
  expect(last).not.toContain("another one");
});

test("archive members, rows and conflicts are written through their files", async () => {
  const merge = "a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\nd\n";
  const results = await runCalls(
    [
      { name: "write", input: { filePath: "a.zip:inner/x.txt", content: "packed\n" } },
      { name: "read", input: { filePath: "a.zip:inner/x.txt" } },
      { name: "read", input: { filePath: "merge.txt:conflicts" } },
      { name: "write", input: { filePath: "conflict://1", content: "@theirs" } },
    ],
    { "merge.txt": merge },
  );
  expect(summary(results), results.map(({ output }) => output).join("\n")).toEqual([
    "write completed",
    "read completed",
    "read completed",
    "write completed",
  ]);
  expect(results[1]?.output).toContain("packed");
  expect(text("merge.txt")).toBe("a\nc\nd\n");
});
