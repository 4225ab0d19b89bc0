/** What reaches a real terminal when model, shell, files and vendor are hostile: our start, our frames, our stop, and nothing else. */
import type { MockTurn } from "@kedge/testing";
import { bashCall, editCall, readCall, todoCall } from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { openStage, send, startTimeoutMs, waitMs, write } from "./stage.ts";

const open = openStage();

const escapeCode = "\\u001b";
const styleCode = "(?:[0123479]|2[23479]|[34]9|[34]8;2;\\d+;\\d+;\\d+)";
const style = `${escapeCode}\\[${styleCode}(?:;${styleCode})*m`;
/** What stands in a row: our styles, the end of a link, and text without any control or invisible mark. */
const inRow = `(?:${style}|${escapeCode}\\]8;;\\u0007|[^\\u0000-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff])*`;
const frame = new RegExp(
  `${escapeCode}\\[\\?2026h(?:${escapeCode}\\[2J)?(?:${escapeCode}\\[\\d+;1H${escapeCode}\\[2K${inRow})*` +
    `(?:${escapeCode}\\[\\d+;\\d+H)?${escapeCode}\\[\\?25l${escapeCode}\\[\\?2026l`,
  "gu",
);

const startText =
  "\u001b[?1049h\u001b[?7l\u001b[?1000h\u001b[?1002h\u001b[?1003h\u001b[?1004h\u001b[?1006h\u001b[2J\u001b[H\u001b[?25l" +
  "\u001b[?2004h\u001b[>7u\u001b[?u\u001b[c\u001b[?25l\u001b[?2031h\u001b]11;?\u0007";
const keyboardText = "\u001b[>4;2m";
const stopText =
  "\u001b[?2031l\u001b[?2026h\u001b[?1006l\u001b[?1004l\u001b[?1003l\u001b[?1002l\u001b[?1000l\u001b[?7h\u001b[?2026l" +
  "\u001b[?25h\u001b[?2004l\u001b[<u\u001b[>4;0m\u001b[?2026h\u001b[?1049l\u001b[?25h\u001b[?2026l";

const sequences = [
  ...[
    "\u001b]0;title\u0007",
    "\u001b]52;c;ZXZpbA==\u0007",
    "\u009d52;c;ZXZpbA==\u009c",
    "\u001b]8;;https://x.example\u0007",
  ],
  ...[
    "\u001b]133;A\u0007",
    "\u001b]1337;SetMark\u001b\\",
    "\u001b_pi:c\u0007",
    "\u001bP1$r0m\u001b\\",
    "\u001b]11;#000000\u0007",
  ],
  ...["\u001b[2J", "\u009b1;1H", "\u001b[?1049l", "\u001b[?25h", "\u001b[?2004l", "\u001b[8m", "\u001b[31m", "\u001bc"],
  ...["\b\b\b\b", "\u0000", "\u0007", "\u202e", "\u200b", "\ufeff", "\u001b[1;1H\u001b[2K"],
];
/** Each word must be seen; what is between them must not be. */
const evil = (name: string) => sequences.map((sequence, index) => `${sequence}${name}${index} `).join("");

test(
  "hostile text of every kind",
  async () => {
    const turns: readonly MockTurn[] = [
      {
        reasoning: evil("thought"),
        text: evil("said"),
        deltaCharacters: 1,
        toolCalls: [
          readCall("evil.txt"),
          bashCall("cat evil.txt"),
          todoCall([{ content: evil("do"), status: "pending" }]),
        ],
      },
      { toolCalls: [editCall("evil.txt", "plain", evil("edited").replaceAll("\u0000", ""))] },
      { toolCalls: [{ name: `mcp__${evil("server")}__tool`, input: { text: evil("input") } }] },
      { text: evil("last"), splitEveryBytes: 1 },
      { status: 400, body: JSON.stringify({ error: { message: evil("vendor"), type: "invalid_request_error" } }) },
    ];
    const scene = await open({
      columns: 118,
      rows: 60,
      arguments: ["--permission-mode", "accept-edits"],
      tuiSettings: { theme: { mode: "dark" }, display: { showThinking: true, smoothStreaming: false } },
      files: { "evil.txt": `plain\n${evil("file").replaceAll("\u0000", "")}\n` },
      script: turns,
    });
    const { terminal } = scene;
    await send(terminal, "Go.");
    const last = sequences.length - 1;
    await terminal.shows(`last${last}`, waitMs);
    const words = terminal.screen().join(" ");
    expect(sequences.map((_, index) => `last${index}`).filter((word) => !words.includes(`${word} `))).toEqual([]);
    await send(terminal, "Again.");
    await terminal.shows(/vendor0/, waitMs);
    terminal.press("ctrl+x");
    terminal.press("a");
    terminal.press("ctrl+home");
    await terminal.settled(300, waitMs);
    await write(terminal, "/exit");
    terminal.press("enter");
    await terminal.ended();
    const rest = terminal.written().replaceAll(frame, "");
    const ours = rest.replace(startText, "<start>").replace(keyboardText, "<keys>").replace(stopText, "<stop>");
    expect(ours.replace(/Resume with: kedge --resume ses_\w+\r\n/, "<farewell>")).toBe("<start><keys><stop><farewell>");
  },
  startTimeoutMs,
);
