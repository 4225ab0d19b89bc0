/** What each kind of part looks like, line by line, at two widths. */
import type { MessageView, PartBody } from "@kedge/protocol";
import { expect, test } from "vitest";
import {
  callOf,
  doneOf,
  failedOf,
  messageOf,
  plainLines,
  promptOf,
  readOf,
  stateOf,
  transcriptParts,
} from "../../test/transcript-samples.ts";
import type { ToolTail } from "../state/client-state.ts";
import { createTranscript, type TranscriptState } from "./transcript.ts";

function linesOf(messages: readonly MessageView[], width = 80, given: Partial<TranscriptState> = {}) {
  const transcript = createTranscript(transcriptParts());
  transcript.update(stateOf({ messages, ...given }));
  return plainLines(transcript.render(width));
}

function show(body: PartBody, width = 80, given: Partial<TranscriptState> = {}) {
  return linesOf([messageOf("a", { bodies: [body] })], width, given);
}

function showOpen(body: PartBody, width = 80) {
  const transcript = createTranscript(transcriptParts());
  transcript.update(stateOf({ messages: [messageOf("a", { bodies: [body] })] }));
  transcript.expandAll(true);
  return plainLines(transcript.render(width));
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

test("a prompt is wrapped behind its sign and filled to the edge", () => {
  const prompt = promptOf(
    "p",
    "Please look at the 日本語 texts and tell me which of them are not translated yet, one by one.\n\nThanks",
  );
  const transcript = createTranscript(transcriptParts());
  transcript.update(stateOf({ messages: [prompt] }));
  expect(transcript.render(80)).toEqual([
    "❯ Please look at the 日本語 texts and tell me which of them are not translated  ",
    "  yet, one by one.                                                              ",
    "                                                                                ",
    "  Thanks                                                                        ",
  ]);
  expect(plainLines(transcript.render(120))).toEqual([
    "❯ Please look at the 日本語 texts and tell me which of them are not translated yet, one by one.",
    "",
    "  Thanks",
  ]);
});

test("a prompt that waits has another sign, and its files are named", () => {
  const queued = promptOf("q", "later please", { isQueued: true });
  const withFile = messageOf("f", {
    role: "user",
    bodies: [
      { type: "text", text: "see" },
      { type: "file", media: { name: "shot.png", mediaType: "image/png", base64: "" } },
      { type: "text", text: "reminder", isSynthetic: true },
    ],
  });
  expect(linesOf([withFile, queued])).toEqual(["❯ see", "  + shot.png (image/png)", "", "⋯ later please"]);
  const steering = promptOf("s", "faster", { isQueued: true, delivery: "steer" });
  const after = promptOf("t", "then this", { isQueued: true, delivery: "follow-up" });
  expect(linesOf([steering, after])).toEqual([
    ...["⋯ faster", "  (sent with the next step)", ""],
    ...["⋯ then this", "  (queued until this run ends)"],
  ]);
});

test("answers are indented, thoughts are one line, and nothing is shown of dots and steps", () => {
  const message = messageOf("a", {
    bodies: [
      { type: "step-start" },
      { type: "reasoning", text: "First this,\nthen that." },
      { type: "text", text: " … " },
      { type: "text", text: "It works now.\n" },
      { type: "reasoning", text: "..." },
    ],
  });
  expect(linesOf([message])).toEqual(["▸ thought for 1 s", "", "  It works now."]);
  const transcript = createTranscript(transcriptParts());
  transcript.update(stateOf({ messages: [message] }));
  transcript.setThinking(true);
  expect(plainLines(transcript.render(80))).toEqual([
    "▾ thought for 1 s",
    "  First this,",
    "  then that.",
    "",
    "  It works now.",
  ]);
});

test("a thought that goes on says so", () => {
  const { completedAt: _, ...message } = messageOf("a", { bodies: [{ type: "reasoning", text: "Hm" }] });
  expect(linesOf([message])).toEqual(["▸ thinking"]);
});

test("a read is one line, and its content is there when it is opened", () => {
  expect(show(readOf("src/app.ts"))).toEqual(["✓ read src/app.ts · 42 lines"]);
  expect(showOpen(readOf("src/app.ts"))).toEqual(["✓ read src/app.ts · 42 lines", "    1|x"]);
});

test("a long title gives way to the result", () => {
  const path = `src/${"deep/".repeat(20)}app.ts`;
  expect(show(readOf(path))).toEqual([
    "✓ read src/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/de… · 42 lines",
  ]);
  expect(show(readOf(path), 120)).toEqual([`✓ read src/${"deep/".repeat(18)}deep/de… · 42 lines`]);
});

const patch = ["--- a/src/app.ts", "+++ b/src/app.ts", "@@ -1,1 +1,2 @@", "-old", "+new", "+more"];

test("an edit shows its diff and its counts", () => {
  const metadata = { diff: patch.join("\n"), additions: 2, deletions: 1, op: "update" };
  const edit = doneOf("edit", { filePath: "/work/src/app.ts" }, { title: "src/app.ts", output: "Changed", metadata });
  expect(show(edit)).toEqual(["✓ edit src/app.ts · +2 -1", ...patch.map((line) => `    ${line}`)]);
  const message = messageOf("a", {
    bodies: [
      edit,
      {
        type: "patch",
        before: "tree",
        files: [
          { path: "src/app.ts", status: "modified" },
          { path: "dist/app.js", status: "added" },
        ],
      },
    ],
  });
  expect(linesOf([message]).at(-1)).toBe("• 1 file changed: dist/app.js (added)");
});

test("an edit of which no diff was kept shows what was replaced; a long diff is cut", () => {
  const input = { filePath: "/work/a.ts", oldString: "one", newString: "two" };
  expect(show(doneOf("edit", input, { title: "a.ts" }))).toEqual([
    "✓ edit a.ts",
    "    @@ a.ts",
    "    -one",
    "    +two",
  ]);
  const written = doneOf("write", { filePath: "/work/a.ts", content: numbered(60) }, { title: "a.ts" });
  expect(show(written)).toHaveLength(42);
  expect(show(written).at(-1)).toBe("    … 22 more lines, ctrl+o");
  expect(showOpen(written)).toHaveLength(63);
});

test("a command that runs shows its last five lines", () => {
  const tail: ToolTail = {
    lines: numbered(7)
      .split("\n")
      .map((text, index) => ({ text, stream: index === 6 ? "stderr" : "stdout" })),
  };
  const running = callOf(
    "bash",
    { command: "npm test", description: "tests" },
    { status: "running", startedAt: 1_000 },
  );
  expect(show(running, 80, { tails: new Map([["call_bash", tail]]) })).toEqual([
    "◐ $ npm test",
    "    line 3",
    "    line 4",
    "    line 5",
    "    line 6",
    "    line 7",
  ]);
});

test("a command that ended shows its exit, its time and the end of its output", () => {
  const metadata = { exitCode: 1, signal: null, durationMs: 2_312, stderrRanges: [] };
  const input = { command: "npm test\nnpm run lint", description: "tests" };
  const ended = doneOf("bash", input, { output: `${numbered(12)}\nCommand exited with code 1`, metadata });
  const rows = numbered(12)
    .split("\n")
    .map((line) => `    ${line}`);
  expect(show(ended)).toEqual([
    "✗ $ npm test … 1 more line · exit 1 · 2.3 s",
    "    … 2 earlier lines, ctrl+o",
    ...rows.slice(2),
  ]);
  expect(showOpen(ended)).toEqual(["✗ $ npm test … 1 more line · exit 1 · 2.3 s", "    npm run lint", ...rows]);
  const silent = doneOf(
    "bash",
    { command: "true" },
    { output: "(no output)", metadata: { exitCode: 0, durationMs: 12 } },
  );
  expect(show(silent)).toEqual(["✓ $ true · 12 ms"]);
});

test("the hidden signs of a command are seen", () => {
  const running = callOf("bash", { command: "echo \u001b[2K\u202ehi" }, { status: "running", startedAt: 1_000 });
  expect(show(running)).toEqual(["◐ $ echo ␛[2K<U+202E>hi"]);
});

test("a list is a checklist", () => {
  const todos = [
    { content: "one", status: "completed" },
    { content: "two", status: "in_progress" },
    { content: "three 日本", status: "pending" },
    { content: "four", status: "cancelled" },
  ];
  expect(show(doneOf("todo_write", { todos }))).toEqual([
    "✓ todo 2 of 4 open",
    "    ☑ one",
    "    ◐ two",
    "    ☐ three 日本",
    "    ✗ four",
  ]);
});

test("a search tells its counts first, per file when it is opened", () => {
  const output = "src/a.ts\n  1:foo\n  2-bar\nsrc/b.ts\n  3:foo\n  14:foo\n(matches 1-3 of 9; continue with skip 3)";
  const metadata = { count: 3, fileCount: 2, truncated: true };
  const grep = doneOf("grep", { pattern: "foo", path: "/work/src" }, { title: "foo", output, metadata });
  expect(show(grep)).toEqual(["✓ search foo in src · 3 matches in 2 files · cut · 2.3 s"]);
  expect(showOpen(grep)).toEqual([
    "✓ search foo in src · 3 matches in 2 files · cut · 2.3 s",
    "    1  src/a.ts",
    "    2  src/b.ts",
  ]);
});

test("a page has a host and a size, a server's tool its server, its input and its time", () => {
  const page = doneOf("webfetch", { url: "https://docs.rs/serde/" }, { output: "page", metadata: { bytes: 12_345 } });
  expect(show(page)).toEqual(["✓ fetch docs.rs/serde · 12 kB"]);
  const server = doneOf("mcp__github__search_issues", { query: "bug" }, { output: "one\ntwo" });
  expect(show(server)).toEqual(['✓ github search_issues {"query":"bug"} · 2 lines · 2.3 s']);
});

test("a question shows what can be answered, then what was", () => {
  const questions = [{ question: "Which one?", options: [{ label: "A" }, { label: "B" }] }];
  const asked = callOf("question", { questions }, { status: "running", startedAt: 1_000 });
  expect(show(asked)).toEqual(["◐ question", "    Which one?", "    → A · B"]);
  expect(show(doneOf("question", { questions }, { output: "Which one?\n-> B" }))).toEqual([
    "✓ question",
    "    Which one?",
    "    → B",
  ]);
});

test("what came to nothing says why", () => {
  expect(show(failedOf("read", { filePath: "/work/none.ts" }, "none.ts does not exist.", 1_000))).toEqual([
    "✗ read none.ts · none.ts does not exist.",
  ]);
  const long =
    "oldString was not found in a.ts, but there is something like it on line 12. Read the file again and give the text as it is.";
  expect(show(failedOf("edit", { filePath: "/work/a.ts" }, `${long}\n${numbered(9)}`, 1_000))).toEqual([
    "✗ edit a.ts · failed",
    "    oldString was not found in a.ts, but there is something like it on line 12.",
    "    Read the file again and give the text as it is.",
    "    line 1",
    "    line 2",
    "    line 3",
    "    … 6 more lines, ctrl+o",
  ]);
  const refusal = "The user was asked about this call and declined it this time, so it did not run.";
  expect(show(failedOf("bash", { command: "rm -rf build" }, refusal))).toEqual(["✗ shell rm -rf build · refused"]);
  const cut = "Tool execution aborted. Output until then:\nhello";
  expect(show(failedOf("bash", { command: "sleep 9" }, cut, 1_000))).toEqual([
    "! $ sleep 9 · interrupted",
    "    hello",
  ]);
});

test("an input that is still being written names its file already", () => {
  expect(show(callOf("write", '{"filePath":"/work/src/new.ts","content":"hel', { status: "pending" }))).toEqual([
    "○ write src/new.ts",
  ]);
});

test("a compaction is a rule with its short summary, the long one is folded", () => {
  const boundary = messageOf("c", {
    role: "user",
    bodies: [
      {
        ...{ type: "compaction", trigger: "manual", shortSummary: "Fixed the build.", itemsReplaced: 4, boundary: {} },
        ...{ tokensBefore: 120_400, tokensAfter: 20_100 },
      },
      { type: "text", text: "restored", isSynthetic: true },
    ],
  });
  const summary = messageOf("c.summary", { isSummary: true, bodies: [{ type: "text", text: "Goal\nDone" }] });
  for (const width of [80, 120])
    expect(linesOf([boundary, summary], width)).toEqual([
      `── compacted: 120k → 20k tokens ${"─".repeat(width - 32)}`,
      "  Fixed the build.",
      "",
      "▸ summary · Goal Done",
    ]);
});

test("retries, failures and the ends of answers", () => {
  const retry: PartBody = {
    type: "retry",
    retry: { attempt: 1, code: "server_overload", status: 529, delayMs: 3_000 },
  };
  const failure = {
    code: "server_error",
    message: "The server failed.",
    recovery: "Try later.",
    retryable: true,
  } as const;
  expect(linesOf([messageOf("a", { bodies: [retry], failure })])).toEqual([
    "! attempt 1 failed: server overload (529); retried after 3 s",
    "",
    "✗ The server failed. Try later.",
  ]);
  const aborted = { ...failure, code: "aborted" } as const;
  expect(linesOf([messageOf("a", { bodies: [], failure: aborted })])).toEqual(["! interrupted"]);
  expect(linesOf([messageOf("a", { bodies: [], stopReason: "output-limit" })])).toEqual([
    "! The answer was truncated at the output limit.",
  ]);
});

test("records are folded, notices stand behind their message in their tone", () => {
  const record = messageOf("r", { role: "user", bodies: [{ type: "text", text: "Branch\nleft", isSynthetic: true }] });
  const messages = [promptOf("p", "hello"), record];
  const notices = [
    { id: "1", tone: "info", text: "Welcome." },
    { id: "2", tone: "warning", text: "Careful.\nReally.", afterMessageId: "msg_p" },
    { id: "3", tone: "error", text: "Lost.", afterMessageId: "msg_gone" },
  ] as const;
  expect(linesOf(messages, 80, { notices })).toEqual([
    "i Welcome.",
    "",
    "❯ hello",
    "",
    "! Careful.",
    "  Really.",
    "",
    "▸ note · Branch left",
    "",
    "✗ Lost.",
  ]);
});

test("results above forty lines are cut with a count, and the pager has all of them", () => {
  const list = doneOf("list", { path: "/work" }, { title: ".", output: numbered(100), metadata: { count: 100 } });
  const lines = showOpen(list);
  expect(lines).toHaveLength(42);
  expect(lines.at(-1)).toBe("    … 60 more lines");
  const transcript = createTranscript(transcriptParts());
  transcript.update(stateOf({ messages: [messageOf("a", { bodies: [list] })] }));
  expect(transcript.fullTextOf("call_list")).toEqual({ title: "list .", text: numbered(100) });
  expect(transcript.fullTextOf("call_other")).toBe(undefined);
});

test("what a hook made of a prompt stands below it, and who changed a call behind it", () => {
  const revised = messageOf("r", {
    role: "user",
    bodies: [
      { type: "text", text: "deploy it" },
      {
        type: "text",
        text: "Rewritten by hook a.json Stop[0]:\n1\n2\n3\n4",
        isSynthetic: true,
        revisedBy: "hook a.json Stop[0]",
      },
    ],
  });
  expect(linesOf([revised])).toEqual([
    ...["❯ deploy it", "  Rewritten by hook a.json Stop[0]:", "  1", "  2", "  … 2 more lines"],
  ]);
  const metadata = { rewrittenBy: ["hook b.json PostToolUse[0]"], inputChangedBy: ["hook c.json PreToolUse[1]"] };
  const [line] = show(
    doneOf("glob", { pattern: "*.ts" }, { output: "a.ts", metadata: { ...metadata, count: 1 } }),
    200,
  );
  expect(line).toContain("input changed by hook c.json PreToolUse[1]");
  expect(line).toContain("rewritten by hook b.json PostToolUse[0]");
});

test("a search for tools is shown only where it failed", () => {
  expect(show(doneOf("tool_search", { query: "web" }, { output: "w", metadata: {} }))).toEqual([]);
  expect(show(failedOf("tool_search", { query: "web" }, "The search failed.")).join()).toContain("The search failed.");
});
