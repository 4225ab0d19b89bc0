/** Nothing that a model, a tool, a file or a server wrote reaches the terminal as a control, and no line is too wide. */
import type { PartBody } from "@kedge/protocol";
import { createSeededRandom, rounds } from "@kedge/testing";
import { beforeEach, expect, test } from "vitest";
import {
  callOf,
  doneOf,
  failedOf,
  loudTheme,
  messageOf,
  promptOf,
  stateOf,
  transcriptParts,
} from "../../test/transcript-samples.ts";
import { visibleWidth } from "../screen/text-width.ts";
import { createPager } from "./pager.ts";
import { createTranscript } from "./transcript.ts";

const pieces = [
  ...[
    "\u001b[31m",
    "\u001b]0;title\u0007",
    "\u001b]52;c;aGk=\u001b\\",
    "\u009b2J",
    "\u001bP1;2q",
    "\u001b",
    "\u0007",
    "\u0000",
  ],
  ...["\r", "\r\n", "\n", "\t", "\u0008", "\u007f", "\u202e", "\u200b", "\ufeff", "\u{e0041}", "\u2028", "\u0085"],
  ...[
    "日本語",
    "👨‍👩‍👧",
    "e\u0301",
    "\ud800",
    "`",
    "**",
    "# ",
    "| a |",
    "word ",
    "x".repeat(90),
    '"',
    "\\",
    "{",
    "../../etc",
    "-> ",
  ],
];
const tools = [
  "read",
  "grep",
  "glob",
  "list",
  "edit",
  "write",
  "apply_patch",
  "edit_lines",
  "bash",
  "bash_output",
  "todo_write",
];
const others = [
  "question",
  "webfetch",
  "websearch",
  "tool_search",
  "batch",
  "agent",
  "mcp__x__y",
  "plan_exit",
  "ast_edit",
];
const escapeCode = "\u001b";
const ourCodes = new RegExp(`${escapeCode}\\[[0-9;]*m`, "g");
const unsafe = "\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff";
const controls = new RegExp(`[${unsafe}]`);

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));

const choose = <Value>(values: readonly Value[]): Value => {
  const value = values[random.below(values.length)];
  if (value === undefined) throw new Error("nothing to choose from");
  return value;
};
const hostile = () => Array.from({ length: random.below(12) }, () => choose(pieces)).join("");

function hostileInput(): unknown {
  if (random.below(5) === 0) return hostile();
  return {
    filePath: hostile(),
    path: hostile(),
    pattern: hostile(),
    command: hostile(),
    url: `https://${hostile()}`,
    query: hostile(),
    description: hostile(),
    todos: [{ content: hostile(), status: choose(["pending", "in_progress", "cancelled", hostile()]) }],
    questions: [{ question: hostile(), options: [{ label: hostile() }, hostile()] }],
    calls: hostile(),
    ...(random.below(2) === 0 && { oldString: hostile(), newString: hostile() }),
  };
}

function hostileCall(): PartBody {
  const tool = random.below(8) === 0 ? `mcp__${hostile()}__${hostile()}` : choose([...tools, ...others]);
  const input = hostileInput();
  switch (random.below(4)) {
    case 0:
      return callOf(tool, JSON.stringify(input).slice(0, random.below(80)), { status: "pending" });
    case 1:
      return callOf(tool, input, { status: "running", startedAt: 1 });
    case 2:
      return failedOf(tool, input, choose([hostile(), `Tool execution aborted. Output until then:\n${hostile()}`]), 1);
    default: {
      const metadata = {
        ...{
          count: 2,
          fileCount: 1,
          exitCode: choose([0, 1]),
          movedTo: hostile(),
          jobId: hostile(),
          status: hostile(),
        },
        ...{
          files: [hostile(), 3],
          stderrRanges: [[0, random.below(40)], hostile()],
          mediaType: hostile(),
          sizeBytes: 3,
        },
        ...(random.below(2) === 0 && { diff: hostile(), additions: 1, deletions: 2 }),
      };
      return doneOf(tool, input, { title: hostile(), output: hostile(), metadata });
    }
  }
}

function hostileBody(): PartBody {
  switch (random.below(8)) {
    case 0:
      return { type: "text", text: hostile() };
    case 1:
      return { type: "reasoning", text: hostile() };
    case 2:
      return { type: "patch", before: "t", files: [{ path: hostile(), status: "added" }] };
    case 3:
      return { type: "subtask", prompt: hostile(), description: hostile(), agent: hostile() };
    case 4:
      return { type: "file", media: { name: hostile(), mediaType: hostile(), base64: "" } };
    default:
      return hostileCall();
  }
}

function problemsOf(lines: readonly string[], width: number): readonly string[] {
  return lines.filter((line) => controls.test(line.replaceAll(ourCodes, "")) || visibleWidth(line) > width);
}

test(`hostile texts stay texts (seed ${random.seed})`, () => {
  const theme = loudTheme();
  for (let round = 0; round < rounds({ usual: 120, long: 400 }); round += 1) {
    const transcript = createTranscript(transcriptParts({ theme: () => theme }));
    const failure = { code: "unknown", message: hostile(), recovery: hostile(), retryable: false } as const;
    const messages = [
      promptOf("p", hostile(), random.below(2) === 0 ? { isQueued: true } : {}),
      messageOf("a", { bodies: Array.from({ length: 6 }, hostileBody), ...(random.below(3) === 0 && { failure }) }),
      messageOf("r", { role: "user", bodies: [{ type: "text", text: hostile(), isSynthetic: true }] }),
    ];
    const lines = [
      { text: hostile(), stream: "stderr" as const },
      { text: hostile(), stream: "stdout" as const },
    ];
    const tails = new Map(tools.map((tool) => [`call_${tool}`, { lines }]));
    const notices = [{ id: hostile(), tone: "error" as const, text: hostile() }];
    transcript.update(stateOf({ messages, tails, notices, directory: hostile() }));
    const width = choose([24, 80, 120]);
    expect(problemsOf(transcript.render(width), width)).toEqual([]);
    transcript.expandAll(true);
    transcript.setThinking(true);
    expect(problemsOf(transcript.render(width), width)).toEqual([]);
    const pager = createPager({ title: hostile(), content: { text: hostile() }, theme: () => theme });
    expect(problemsOf([pager.title, ...pager.render(width, 20)], 2_000)).toEqual([]);
  }
});
