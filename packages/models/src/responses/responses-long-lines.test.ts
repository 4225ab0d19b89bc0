/** Proves that chunks are handed on in order and complete, joined only while no line ends in them. */
import { expect, test } from "vitest";
import { joinLongLines } from "./responses-long-lines.ts";

function handedOn(chunks: readonly string[]): {
  readonly pushed: readonly string[];
  readonly flushed: readonly string[];
} {
  const handed: string[] = [];
  const lines = joinLongLines(
    (bytes) => handed.push(bytes.toString()),
    (line) => line.toString() === "unused\n",
  );
  for (const chunk of chunks) lines.push(Buffer.from(chunk));
  const pushed = [...handed];
  lines.flush();
  return { pushed, flushed: handed.slice(pushed.length) };
}

test.each([
  ["a chunk in which a line ends goes on at once", ["a\nb", "\n"], ["a\nb", "\n"], []],
  ["chunks of one line go on together with its end", ["a\nb", "c", "d", "e\nf", "\n"], ["a\nb", "cde\nf", "\n"], []],
  [
    "the rest of an unused line is dropped",
    ["a\nunused\nb", "c", "d\ne\nf", "g\n"],
    ["a\nunused\nb", "\ne\nf", "g\n"],
    [],
  ],
  [
    "one unused line may follow another",
    ["unused\nb", "c\nunused\nd", "e", "f\ng"],
    ["unused\nb", "\nunused\nd", "\ng"],
    [],
  ],
  ["a line after a used one is kept", ["unused\nb\nc", "d", "e\n"], ["unused\nb\nc", "de\n"], []],
  ["what no line feed follows goes on at the end", ["a\n", "b", "c"], ["a\n"], ["bc"]],
])("%s", (_name, chunks, pushed, flushed) => {
  expect(handedOn(chunks)).toEqual({ pushed, flushed });
});

test("a line that does not end is not held for ever", () => {
  const chunk = "x".repeat(1024 * 1024);
  const { pushed, flushed } = handedOn(Array.from({ length: 12 }, () => chunk));
  expect(pushed.map((text) => text.length / chunk.length)).toEqual([5, 5]);
  expect(flushed.map((text) => text.length / chunk.length)).toEqual([2]);
});
