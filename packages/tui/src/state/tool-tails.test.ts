/** Proves how the pieces of what a call writes become lines. */
import { expect, test } from "vitest";
import type { ToolTail } from "./client-state.ts";
import { dropTail, growTail } from "./tool-tails.ts";

type Piece = readonly ["stdout" | "stderr", string];

function grown(...pieces: readonly Piece[]): ToolTail["lines"] {
  const tails = pieces.reduce<ReadonlyMap<string, ToolTail>>(
    (before, [stream, text], count) => growTail(before, { type: "task.progress", callId: "call", count, text, stream }),
    new Map(),
  );
  return tails.get("call")?.lines ?? [];
}

const seen = (...pieces: readonly Piece[]) => grown(...pieces).map(({ stream, text }) => `${stream.slice(3)} ${text}`);

test.each<[string, readonly Piece[], readonly string[]]>([
  [
    "pieces of one line",
    [
      ["stdout", "ab"],
      ["stdout", "c"],
    ],
    ["out abc"],
  ],
  [
    "a line that has ended",
    [
      ["stdout", "a\n"],
      ["stdout", "b"],
    ],
    ["out a", "out b"],
  ],
  [
    "an end that comes late",
    [
      ["stdout", "a"],
      ["stdout", "\nb"],
    ],
    ["out a", "out b"],
  ],
  ["an empty line", [["stdout", "a\n\nb"]], ["out a", "out ", "out b"]],
  [
    "an empty line in pieces",
    [
      ["stdout", "a\n"],
      ["stdout", "\n"],
      ["stdout", "b"],
    ],
    ["out a", "out ", "out b"],
  ],
  [
    "two streams in turns",
    [
      ["stdout", "a\n"],
      ["stderr", "b\n"],
      ["stdout", "c"],
    ],
    ["out a", "err b", "out c"],
  ],
  [
    "two streams in one line",
    [
      ["stdout", "a"],
      ["stderr", "b"],
    ],
    ["out a", "err b"],
  ],
])("%s", (_, pieces, expected) => {
  expect(seen(...pieces)).toEqual(expected);
});

test("only the newest lines are kept, and of a long one its end", () => {
  const lines = grown(["stdout", Array.from({ length: 300 }, (_, index) => `${index}`).join("\n")]);
  expect([lines.length, lines[0]?.text, lines.at(-1)?.text]).toEqual([200, "100", "299"]);
  const long = grown(["stdout", `${"a".repeat(5_000)}`], ["stdout", "end"]);
  expect(long.map(({ text }) => [text.length, text.slice(-4)])).toEqual([[4_000, "aend"]]);
});

test("the tails of other calls stay as they are", () => {
  const tail: ToolTail = { lines: [{ stream: "stdout", text: "x" }] };
  const tails = new Map([["other", tail]]);
  const more = growTail(tails, { type: "task.progress", callId: "call", count: 1, text: "y", stream: "stdout" });
  expect([...more.keys()]).toEqual(["other", "call"]);
  expect(more.get("other")).toBe(tail);
  expect([...tails.keys()]).toEqual(["other"]);
  expect([...dropTail(more, "call").keys()]).toEqual(["other"]);
  expect(dropTail(tails, "call")).toBe(tails);
});
