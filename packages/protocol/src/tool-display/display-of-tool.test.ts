/** How the calls of each kind of tool are described. */
import { expect, test } from "vitest";
import type { JsonObject } from "../json/json.ts";
import type { ToolPartState } from "../view.ts";
import { displayOfTool } from "./display-of-tool.ts";
import type { ShowingContext, ToolPart } from "./shown-call.ts";

function partOf(tool: string, state: ToolPartState): ToolPart {
  return { type: "tool", callId: "call_1", tool, state, id: "prt_1", messageId: "msg_1", time: 0 };
}

type Ended = { readonly title?: string; readonly output?: string; readonly metadata?: JsonObject };

function done(tool: string, input: unknown, { output = "", ...end }: Ended = {}, context?: ShowingContext) {
  const state = {
    status: "completed",
    input: JSON.stringify(input),
    output,
    startedAt: 1_000,
    endedAt: 1_500,
  } as const;
  const { durationMs: _, ...display } = displayOfTool(partOf(tool, { ...state, ...end }), context);
  return display;
}

const quiet = { status: "done", isQuiet: true } as const;
const loud = { status: "done", isQuiet: false } as const;
const reads = { verb: "read", one: "file", many: "files" };
const searches = { one: "search", many: "searches" };
const text = (said: string) => ({ kind: "text", text: said, isError: false });

test.each([
  [{ firstLine: 1, lastLine: 42, totalLines: 42 }, "42 lines"],
  [{ firstLine: 1, lastLine: 1, totalLines: 1 }, "1 line"],
  [{ firstLine: 10, lastLine: 20, totalLines: 42 }, "lines 10-20 of 42"],
  [{ firstLine: 10, lastLine: 20 }, "lines 10-20"],
  [{ isUnchanged: true, totalLines: 42 }, "unchanged"],
  [{ isSummary: true, totalLines: 900 }, "outline of 900 lines"],
  [{ mediaType: "image/png", sizeBytes: 2_048 }, "image/png, 2 kB"],
  [{ entries: 3 }, "3 entries"],
  [{}, "2 lines"],
])("a read with %j is %s", (metadata, summary) => {
  expect(done("read", { filePath: "/w/a.ts" }, { title: "a.ts", output: "1|a\n2|b", metadata })).toEqual({
    ...quiet,
    ...{ name: "read", title: "a.ts", summary, body: text("1|a\n2|b"), groupNoun: reads },
  });
});

test("a search counts per file, in each form of its result", () => {
  const metadata = { count: 3, fileCount: 2, truncated: false };
  const groups = [
    { path: "a.ts", count: 1 },
    { path: "b.ts", count: 2 },
  ];
  const body = { kind: "search", pattern: "foo", groups, isCut: false };
  const shown = { ...quiet, name: "search", title: "foo", summary: "3 matches in 2 files", body, groupNoun: searches };
  const plain = "a.ts\n  1-x\n  2:foo\nb.ts\n  3:foo\n  4:foo\n(matches 1-3 of 9; continue with skip 3)";
  const tagged = "[a.ts#A1B2]\n 1:x\n*2:foo\n[b.ts#00FF]\n*3:foo\n*4:foo";
  for (const output of [plain, tagged]) expect(done("grep", { pattern: "foo" }, { output, metadata })).toEqual(shown);
  const byFile = done("search", { pattern: "foo", mode: "count" }, { output: "a.ts: 1\nb.ts: 2", metadata });
  expect(byFile).toEqual({ ...shown, summary: "2 files" });
  expect(done("grep", { pattern: "foo" }, { metadata: { count: 0, fileCount: 0 } }).summary).toBe("no match");
});

test("finding files names the pattern, the number and whether it was cut", () => {
  const metadata = { fileCount: 2, files: ["a.ts", "b.ts"], truncated: true };
  const groups = [{ path: "a.ts" }, { path: "b.ts" }];
  expect(done("glob", { pattern: "*.ts" }, { title: "*.ts", output: "a.ts\nb.ts", metadata })).toEqual({
    ...quiet,
    ...{ name: "find", title: "*.ts", summary: "2 files · cut", groupNoun: searches },
    body: { kind: "search", pattern: "*.ts", groups, isCut: true },
  });
  expect(done("list", {}, { title: ".", output: "a.ts", metadata: { count: 1 } })).toEqual({
    ...quiet,
    ...{ name: "list", title: ".", summary: "1 file", body: text("a.ts") },
    groupNoun: { verb: "listed", one: "folder", many: "folders" },
  });
});

test("edits are diffs, with what was replaced where no diff was kept", () => {
  const metadata = { diff: "--- a/a.ts\n+++ b/a.ts", additions: 3, deletions: 1, op: "update" };
  const body = { kind: "diff", path: "a.ts", patch: metadata.diff };
  const input = { filePath: "/w/a.ts", oldString: "x", newString: "y" };
  for (const tool of ["edit", "multi_edit", "MultiEdit", "notebook_edit"])
    expect(done(tool, input, { title: "a.ts", metadata })).toEqual({
      ...loud,
      name: "edit",
      title: "a.ts",
      summary: "+3 -1",
      body,
    });
  const created = { ...metadata, op: "create", perFileResults: [{}, {}] };
  expect(done("apply_patch", { patch: "p" }, { title: "a.ts and 1 more", metadata: created }).summary).toBe(
    "new · 2 files · +3 -1",
  );
  expect(done("edit", input, { title: "a.ts" }).body).toEqual({
    kind: "replacement",
    path: "a.ts",
    before: "x",
    after: "y",
  });
});

test("the file of a patch is known before the patch is applied", () => {
  const named = (tool: string, input: JsonObject) =>
    displayOfTool(partOf(tool, { status: "running", input: JSON.stringify(input), startedAt: 0 })).title;
  expect(named("apply_patch", { patch: "*** Begin Patch\n*** Update File: src/a.ts\n@@" })).toBe("src/a.ts");
  expect(named("apply_patch", { patch: "--- a/src/a.ts\n+++ b/src/a.ts\n" })).toBe("src/a.ts");
  expect(named("edit_lines", { input: "[src/a.ts#A1B2]\n" })).toBe("src/a.ts");
});

test("a command has its output by stream, and its end in words", () => {
  const metadata = { exitCode: 2, signal: null, durationMs: 61_000, stderrRanges: [[3, 9]] };
  const output = "é\nerror\nout\nCommand exited with code 2";
  expect(done("bash", { command: "make" }, { output, metadata })).toEqual({
    ...loud,
    ...{ name: "shell", title: "make", summary: "exit 2 · 1 min 1 s" },
    body: {
      ...{ kind: "terminal", command: "make", exitCode: 2 },
      output: [
        { text: "é", stream: "stdout" },
        { text: "error", stream: "stderr" },
        { text: "out", stream: "stdout" },
      ],
    },
  });
  const summaries = [
    { timedOut: true, durationMs: 5 },
    { signal: "SIGKILL", exitCode: null },
    { signal: "SIGKILL", exitCode: null, outOfMemory: true },
    { jobId: "job_1" },
    { exitCode: 0 },
  ];
  expect(summaries.map((end) => done("bash", { command: "x" }, { metadata: end }).summary)).toEqual([
    "timed out · 5 ms",
    "ended by SIGKILL · 500 ms",
    "out of memory · 500 ms",
    "runs in the background as job_1",
    "500 ms",
  ]);
});

test("a command that runs shows its tail", () => {
  const tail = [{ text: "half", stream: "stderr" }] as const;
  const part = partOf("bash", { status: "running", input: '{"command":"make\\nmake test"}', startedAt: 0 });
  expect(displayOfTool(part, { tail })).toEqual({
    ...{ name: "shell", title: "make make test", status: "running", summary: "", isQuiet: false },
    body: { kind: "terminal", command: "make\nmake test", output: tail },
  });
});

test("pages, lists, questions and what belongs to servers", () => {
  const page = done("webfetch", { url: "https://docs.rs/serde/" }, { output: "text", metadata: { bytes: 1_234_567 } });
  expect(page).toEqual({
    ...quiet,
    ...{ name: "fetch", title: "docs.rs/serde", summary: "1.2 MB" },
    body: { kind: "page", host: "docs.rs", bytes: 1_234_567, text: "text" },
    groupNoun: { verb: "fetched", one: "page", many: "pages" },
  });
  const todos = [{ content: "a", status: "completed" }, { content: "b", status: "odd" }, 3];
  expect(done("todo_write", { todos })).toEqual({
    ...loud,
    ...{ name: "todo", title: "1 of 2 open", summary: "" },
    body: {
      kind: "checklist",
      items: [
        { content: "a", status: "completed" },
        { content: "b", status: "pending" },
      ],
    },
  });
  const questions = [
    { question: "One?", options: [{ label: "A" }] },
    { question: "Two?", options: [] },
  ];
  expect(done("question", { questions }, { output: "One?\n-> A\nmore\nTwo?\n-> B" })).toEqual({
    ...loud,
    ...{ name: "question", title: "2 questions", summary: "" },
    body: {
      kind: "question",
      items: [
        { question: "One?", options: ["A"], answer: "A\nmore" },
        { question: "Two?", options: [], answer: "B" },
      ],
    },
  });
  expect(done("mcp__git_hub__search", { q: "x" }, { output: "a\nb" })).toEqual({
    ...loud,
    ...{ name: "git_hub search", title: '{"q":"x"}', summary: "2 lines · 500 ms" },
    body: { kind: "json", input: '{\n  "q": "x"\n}', output: "a\nb" },
  });
  expect(done("tool_search", { query: "web" }, { output: "w", metadata: { foundTools: ["webfetch"] } })).toEqual({
    ...quiet,
    ...{ name: "tools", title: "web", summary: "1 found", body: text("w"), isHidden: true },
  });
});

test("who changed a call or its result is told, at most three of them, and such a call is not folded away", () => {
  const metadata = { rewrittenBy: ["hook a", "hook b\nx", "plugin:c", "d", "e"], inputChangedBy: ["hook a"] };
  expect(done("glob", { pattern: "*.ts" }, { output: "", metadata: { ...metadata, count: 0 } })).toMatchObject({
    isQuiet: false,
    summary: expect.stringMatching(/^input changed by hook a · rewritten by hook a, hook b x, plugin:c and 2 more$/),
  });
  for (const odd of [[], "hook a", { a: 1 }, null])
    expect(done("todo_read", {}, { metadata: { rewrittenBy: odd } }).summary).not.toContain("rewritten");
});

test("an agent tells its turns, and while it works what it did last", () => {
  const input = { subagent_type: "explore", description: "find the bug", prompt: "…" };
  const metadata = { turns: 3, turnsMax: 10, tokens: 1_200 };
  expect(done("agent", input, { output: "found", metadata })).toEqual({
    ...loud,
    ...{ name: "explore", title: "find the bug", summary: "turn 3 of 10 · 1,200 tokens · 500 ms", body: text("found") },
  });
  const part = partOf("task", { status: "running", input: JSON.stringify(input), startedAt: 0 });
  expect(displayOfTool(part, { tail: [{ text: "read a.ts", stream: "stdout" }] }).summary).toBe("read a.ts");
});

function failed(tool: string, error: string, startedAt?: number) {
  const started = startedAt === undefined ? {} : { startedAt };
  const input = JSON.stringify({ filePath: "/w/a.ts", command: "make" });
  return displayOfTool(partOf(tool, { status: "error", input, error, endedAt: 9, ...started }), { directory: "/w" });
}

test("what did not end well says so, and is never quiet", () => {
  const bad = { name: "read", title: "a.ts", isQuiet: false, groupNoun: reads };
  expect(failed("read", "a.ts does not exist.", 3)).toEqual({
    ...bad,
    ...{ status: "failed", summary: "a.ts does not exist.", body: { kind: "none" }, durationMs: 6 },
  });
  expect(failed("read", "one\ntwo", 3)).toEqual({
    ...bad,
    ...{ status: "failed", summary: "failed", body: { kind: "text", text: "one\ntwo", isError: true }, durationMs: 6 },
  });
  const refusal = "A rule of the user forbids this call, so it did not run: no reading.";
  expect(failed("read", refusal)).toEqual({ ...bad, status: "refused", summary: "refused", body: text(refusal) });
  expect(failed("read", refusal, 3).status).toBe("failed");
  expect(failed("read", "Tool execution aborted")).toEqual({
    ...bad,
    ...{ status: "interrupted", summary: "interrupted", body: { kind: "none" } },
  });
  expect(failed("bash", "Tool execution aborted. Output until then:\nhalf", 3).body).toEqual({
    ...{ kind: "terminal", command: "make", output: [{ text: "half", stream: "stdout" }] },
  });
});

test("a description that fails falls back to plain text", () => {
  const fail = () => {
    throw new Error("broken");
  };
  const input = JSON.stringify({ filePath: "a.ts" });
  // It stands for whatever no description has thought of.
  const metadata = new Proxy<JsonObject>({}, { get: fail });
  const part = partOf("read", { status: "completed", input, output: "text", endedAt: 1, metadata });
  expect(displayOfTool(part)).toEqual({ ...loud, name: "read", title: input, summary: "", body: text("text") });
});

test("a custom tool says how its call and its result are shown", () => {
  const metadata = { isTitled: true, rendered: "| sunny |" };
  const shown = done("weather", { city: "Rome" }, { title: "Weather in Rome", output: "sunny", metadata });
  expect([shown.title, shown.body]).toEqual(["Weather in Rome", text("| sunny |")]);
  const plain = done("weather", { city: "Rome" }, { title: "weather", output: "sunny" });
  expect([plain.title, plain.body.kind]).toEqual(['{"city":"Rome"}', "json"]);
});
