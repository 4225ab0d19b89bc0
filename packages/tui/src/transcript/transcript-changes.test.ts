/** Groups, opening and closing, and how little is done again when something changes. */
import type { MessageView, PartBody } from "@kedge/protocol";
import { expect, test } from "vitest";
import {
  callOf,
  doneOf,
  failedOf,
  type MarkdownCalls,
  messageOf,
  plainLines,
  plainMarkdown,
  promptOf,
  readOf,
  stateOf,
  transcriptParts,
} from "../../test/transcript-samples.ts";
import { createReveal } from "./streaming-reveal.ts";
import { createTranscript, type TranscriptState } from "./transcript.ts";

function open(given: Partial<TranscriptState>) {
  const transcript = createTranscript(transcriptParts());
  transcript.update(stateOf(given));
  return { transcript, lines: (width = 80) => plainLines(transcript.render(width)) };
}

const grep = doneOf("grep", { pattern: "foo" }, { title: "foo", metadata: { count: 0, fileCount: 0 } });
const discovery = doneOf(
  "tool_search",
  { query: "web" },
  { output: "webfetch", metadata: { foundTools: ["webfetch"] } },
);
const thought: PartBody = { type: "reasoning", text: "Hm" };
const message = (id: string, ...bodies: readonly PartBody[]) => messageOf(id, { bodies });

test("calls that only look fold to one line, over messages and over the thoughts between them", () => {
  const { lines } = open({
    messages: [
      message("a", thought, readOf("a.ts"), readOf("b.ts")),
      message("b", { type: "step-start" }, thought, grep, discovery),
      message("c", readOf("c.ts"), grep, thought),
    ],
  });
  expect(lines()).toEqual(["▸ thought for 1 s", "▸ read 3 files, 2 searches", "▸ thought for 6 s"]);
});

test("errors, edits and commands are never folded and end a group", () => {
  const shell = doneOf("bash", { command: "ls" }, { output: "(no output)", metadata: { exitCode: 0, durationMs: 5 } });
  const failed = failedOf("read", { filePath: "x.ts" }, "x.ts does not exist.", 1_000);
  const { lines } = open({
    messages: [message("a", readOf("a.ts"), readOf("b.ts"), failed, readOf("c.ts"), shell, readOf("d.ts"), grep)],
  });
  expect(lines()).toEqual([
    "▸ read 2 files",
    "✗ read x.ts · x.ts does not exist.",
    "✓ read c.ts · 42 lines",
    "✓ $ ls · 5 ms",
    "▸ read 1 file, 1 search",
  ]);
});

test("a search for tools is not shown, neither beside a call nor alone", () => {
  expect(open({ messages: [message("a", discovery, readOf("a.ts"))] }).lines()).toEqual(["✓ read a.ts · 42 lines"]);
  expect(open({ messages: [message("a", discovery)] }).lines()).toEqual([]);
});

test("a group that is at work names what it looks at", () => {
  const running = callOf("read", { filePath: "/work/src/z.ts" }, { status: "running", startedAt: 1 });
  expect(open({ messages: [message("a", readOf("a.ts"), running)] }).lines()).toEqual(["◐ read 2 files · src/z.ts"]);
});

test("a group is opened at its line and closed again", () => {
  const { transcript, lines } = open({ messages: [promptOf("p", "go"), message("a", readOf("a.ts"), grep)] });
  expect(lines()).toEqual(["❯ go", "", "▸ read 1 file, 1 search"]);
  expect(transcript.toggleGroupAt(0)).toBe(false);
  expect(transcript.toggleGroupAt(1)).toBe(false);
  expect(transcript.toggleGroupAt(2)).toBe(true);
  expect(lines()).toEqual([
    "❯ go",
    "",
    "▾ read 1 file, 1 search",
    "  ✓ read a.ts · 42 lines",
    "  ✓ search foo · no match · 2.3 s",
  ]);
  expect(transcript.expandLast()).toBe(true);
  expect(lines()).toEqual(["❯ go", "", "▸ read 1 file, 1 search"]);
  expect(transcript.messageAt(2)?.id).toBe("msg_a");
  expect(transcript.messageAt(0)?.id).toBe("msg_p");
  expect(transcript.messageAt(1)).toBe(undefined);
});

test("a call that joins later makes a group of the rows before it", () => {
  const first = message("a", readOf("a.ts"), thought);
  const { transcript, lines } = open({ messages: [first] });
  expect(lines()).toEqual(["✓ read a.ts · 42 lines", "▸ thought for 7 s"]);
  transcript.update(stateOf({ messages: [first, message("b", grep)] }));
  expect(lines()).toEqual(["▸ read 1 file, 1 search"]);
  transcript.update(stateOf({ messages: [first, message("b", { type: "text", text: "Done." })] }));
  expect(lines()).toEqual(["✓ read a.ts · 42 lines", "▸ thought for 7 s", "", "  Done."]);
});

test("the same lines come back while nothing changed", () => {
  const state = stateOf({
    messages: [promptOf("p", "go"), message("a", readOf("a.ts"), { type: "text", text: "Yes." })],
  });
  const transcript = createTranscript(transcriptParts());
  transcript.update(state);
  const lines = transcript.render(80);
  transcript.update({ ...state });
  expect(transcript.render(80)).toBe(lines);
  transcript.repaint();
  expect(transcript.render(80)).toEqual(lines);
});

function answerSoFar(text: string, given: Partial<MessageView> = {}): MessageView {
  const { completedAt: _, ...rest } = messageOf("a", { bodies: [{ type: "text", text }] });
  return { ...rest, ...given };
}

test("only what is new of an answer is given to its view", () => {
  const calls: MarkdownCalls = { log: [] };
  const transcript = createTranscript(transcriptParts({ createMarkdown: plainMarkdown(calls) }));
  const show = (next: MessageView) => {
    transcript.update(stateOf({ messages: [next] }));
    return plainLines(transcript.render(80));
  };
  expect(show(answerSoFar("Hello"))).toEqual(["  Hello"]);
  expect(show(answerSoFar("Hello wor"))).toEqual(["  Hello wor"]);
  expect(show(answerSoFar("Hello world.", { completedAt: 9_000 }))).toEqual(["  Hello world."]);
  expect(show(answerSoFar("Something else.", { completedAt: 9_000 }))).toEqual(["  Something else."]);
  expect(calls.log).toEqual(["append Hello", "append  wor", "append ld.", "end", "set Something else.", "end"]);
});

test("text is revealed frame by frame, and all at once when it ends or the terminal is left", () => {
  let time = 0;
  const reveal = createReveal({ isOn: () => true, now: () => time });
  const transcript = createTranscript(transcriptParts({ reveal }));
  const show = (next: MessageView, isFocused = true) => {
    transcript.update(stateOf({ messages: [next], isFocused }));
    return plainLines(transcript.render(80));
  };
  const answer = answerSoFar("one two three four");
  expect(show(answer)).toEqual(["  one"]);
  expect(transcript.render(80)).toBe(transcript.render(80));
  time = reveal.nextFrameAt() ?? 0;
  expect(show(answer)).toEqual(["  one tw"]);
  expect(show(answer, false)).toEqual(["  one two three four"]);
  expect(show(answerSoFar("one two three four five"))).toEqual(["  one"]);
  expect(show(answerSoFar("one two three four five", { completedAt: 9_000 }))).toEqual(["  one two three four five"]);
  expect(reveal.nextFrameAt()).toBe(undefined);
});

test("older messages that come in front keep what was drawn and what is open", () => {
  const newer = message("b", readOf("a.ts"), grep);
  const { transcript, lines } = open({ messages: [newer] });
  lines();
  transcript.expandLast();
  transcript.update(stateOf({ messages: [promptOf("p", "first"), newer] }));
  expect(lines().slice(0, 3)).toEqual(["❯ first", "", "▾ read 1 file, 1 search"]);
});

test("the last answer is given as it was written", () => {
  const { transcript } = open({
    messages: [
      message("a", { type: "text", text: "Old" }),
      message("b", { type: "text", text: "**New**" }, readOf("a.ts"), { type: "text", text: "end" }),
      message("c", { type: "text", text: "..." }, readOf("a.ts")),
      messageOf("s", { isSummary: true, bodies: [{ type: "text", text: "Summary" }] }),
    ],
  });
  expect(transcript.textOfLastAnswer()).toBe("**New**\n\nend");
});

test("what was taken away is gone", () => {
  const { transcript, lines } = open({ messages: [promptOf("p", "one"), promptOf("q", "two", { isQueued: true })] });
  expect(lines()).toEqual(["❯ one", "", "⋯ two"]);
  transcript.update(stateOf({ messages: [promptOf("p", "one")] }));
  expect(lines()).toEqual(["❯ one"]);
  transcript.update(stateOf({}));
  expect(lines()).toEqual([]);
});

test("one change among thousands of messages draws one part", () => {
  let drawings = 0;
  const markdown = plainMarkdown();
  const createMarkdown = () => {
    const view = markdown();
    return {
      ...view,
      render(width: number) {
        drawings += 1;
        return view.render(width);
      },
    };
  };
  const transcript = createTranscript(transcriptParts({ createMarkdown }));
  const older = Array.from({ length: 2_000 }, (_, index) => message(`m${index}`, { type: "text", text: "one\ntwo" }));
  transcript.update(stateOf({ messages: [...older, answerSoFar("Hello")] }));
  const before = transcript.render(80);
  drawings = 0;
  transcript.update(stateOf({ messages: [...older, answerSoFar("Hello world")] }));
  const after = transcript.render(80);
  expect({ drawings, kept: after.slice(0, -1), last: after.at(-1) }).toEqual({
    drawings: 1,
    kept: before.slice(0, -1),
    last: "  Hello world",
  });
});
